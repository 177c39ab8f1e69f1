/** Links accounts of one person on several platforms. */
import { type Database, KikimimiError, type PersonKey } from 'kikimimi'

/** Linked accounts, each with all accounts of its person. */
export type Links = ReadonlyMap<string, readonly PersonKey[]>

export async function readLinks(db: Database): Promise<Links> {
  const { rows } = await db.query<PersonKey & { identity: number }>(
    'select platform, person as id, identity from profiles.account order by platform, person',
  )
  const people = Map.groupBy(rows, ({ identity }) => identity)
  return new Map(rows.map(row => [keyOf(row), (people.get(row.identity) ?? []).map(({ platform, id }) => ({ platform, id }))]))
}

/** All accounts of a person, the given one first. */
export function accountsIn(links: Links, person: PersonKey): [PersonKey, ...PersonKey[]] {
  const others = (links.get(keyOf(person)) ?? []).filter(account => keyOf(account) !== keyOf(person))
  return [{ platform: person.platform, id: person.id }, ...others]
}

function keyOf({ platform, id }: PersonKey): string {
  return JSON.stringify([platform, id])
}

/** Merges two people into one, and returns all accounts of both. */
export async function linkAccounts(db: Database, one: PersonKey, other: PersonKey): Promise<readonly PersonKey[]> {
  checkTwo(one, other)
  return db.transaction(async () => {
    await lock(db)
    const links = await readLinks(db)
    const both = [...accountsIn(links, one), ...accountsIn(links, other)]
    await db.query(
      `insert into profiles.account (platform, person, identity)
       select platform, person, identity
       from unnest($1::text[], $2::text[]) as n(platform, person), (select nextval('profiles.identity') as identity) next
       group by platform, person, identity
       on conflict (platform, person) do update set identity = excluded.identity`,
      [both.map(({ platform }) => platform), both.map(({ id }) => id)],
    )
    return both
  })
}

/** @throws ARGUMENT_INVALID if both are the same account */
export function checkTwo(one: PersonKey, other: PersonKey): void {
  if (one.platform !== other.platform || one.id !== other.id) return
  throw new KikimimiError(
    'ARGUMENT_INVALID',
    `[profiles] ${one.platform}:${one.id} cannot be linked to itself: name two accounts.`,
  )
}

export async function unlinkAccount(db: Database, { platform, id }: PersonKey): Promise<void> {
  await db.transaction(async () => {
    await lock(db)
    await db.query('delete from profiles.account where platform = $1 and person = $2', [platform, id])
    // A single account is not linked.
    await db.query(
      `delete from profiles.account a where not exists (
         select 1 from profiles.account o where o.identity = a.identity and (o.platform, o.person) <> (a.platform, a.person)
       )`,
    )
  })
}

/** Prevents two parallel links from missing each other's result. */
async function lock(db: Database): Promise<void> {
  await db.query('lock table profiles.account in share row exclusive mode')
}
