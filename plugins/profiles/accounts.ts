/** Accounts of one person on several platforms. */
import type { Database, PersonKey } from 'kikimimi'

interface Row {
  readonly platform: string
  readonly person: string
}

/** All accounts of a person, the given one first. */
export async function accountsOf(db: Database, { platform, id }: PersonKey): Promise<PersonKey[]> {
  const { rows } = await db.query<Row>(
    `select o.platform, o.person from profiles.account a join profiles.account o using (identity)
     where a.platform = $1 and a.person = $2 and (o.platform, o.person) <> ($1, $2) order by o.platform, o.person`,
    [platform, id],
  )
  return [{ platform, id }, ...rows.map(row => ({ platform: row.platform, id: row.person }))]
}

/** Makes one person of two, with all accounts that each of them has. */
export async function linkAccounts(db: Database, one: PersonKey, other: PersonKey): Promise<void> {
  checkTwo(one, other)
  await db.transaction(async () => {
    await lock(db)
    const both = [...(await accountsOf(db, one)), ...(await accountsOf(db, other))]
    await db.query(
      `insert into profiles.account (platform, person, identity)
       select platform, person, identity
       from unnest($1::text[], $2::text[]) as n(platform, person), (select nextval('profiles.identity') as identity) next
       group by platform, person, identity
       on conflict (platform, person) do update set identity = excluded.identity`,
      [both.map(({ platform }) => platform), both.map(({ id }) => id)],
    )
  })
}

/** Throws RangeError unless the two are two. */
export function checkTwo(one: PersonKey, other: PersonKey): void {
  if (one.platform !== other.platform || one.id !== other.id) return
  throw new RangeError(`[profiles] ${one.platform}:${one.id} cannot be linked to itself: name two accounts.`)
}

export async function unlinkAccount(db: Database, { platform, id }: PersonKey): Promise<void> {
  await db.transaction(async () => {
    await lock(db)
    await db.query('delete from profiles.account where platform = $1 and person = $2', [platform, id])
    // One alone is linked to nobody.
    await db.query(
      `delete from profiles.account a where not exists (
         select 1 from profiles.account o where o.identity = a.identity and (o.platform, o.person) <> (a.platform, a.person)
       )`,
    )
  })
}

/** Two links at once could each miss what the other makes. */
async function lock(db: Database): Promise<void> {
  await db.query('lock table profiles.account in share row exclusive mode')
}
