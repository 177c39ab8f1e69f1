/** Erases a person: counts, notes, and their name in the data of others. */
import { type Database, type ForgottenPerson, foldedNames, type LogIndex } from 'kikimimi'
import { unlinkAccount } from './accounts.ts'
import { dropCards, forgetInCards } from './cards/storage.ts'
import type { Counts } from './counting/talks.ts'
import { namesAny } from './naming.ts'

export async function forgetPerson(
  { db, counts }: Counts & { readonly counts: Pick<LogIndex, 'again'> },
  { platform, id, names, before }: ForgottenPerson,
): Promise<void> {
  await db.transaction(async () => {
    await dropCards(db, { platform, id })
    await counts.hold()
    await db.query(
      `insert into profiles.forgotten as f (platform, person, before) values ($1, $2, $3)
       on conflict (platform, person) do update set before = greatest(f.before, excluded.before)`,
      [platform, id, before],
    )
    await db.query('delete from profiles.activity where platform = $1 and person = $2', [platform, id])
    await db.query('delete from profiles.talk where platform = $1 and person = $2', [platform, id])
    await db.query('delete from profiles.note where platform = $1 and person = $2', [platform, id])
    await unlinkAccount(db, { platform, id })
    await forgetNames(db, platform, names)
    await forgetInCards(db, { platform, id, names })
    await dropPlaces(db)
    await counts.again({ platform, id }, before)
  })
}

/** Deletes places without data: the place of a direct message contains a name. Call it in a transaction of the counts. */
async function dropPlaces(db: Database): Promise<void> {
  await db.query(
    `delete from profiles.place p
     where not exists (select 1 from profiles.activity a where a.place = p.id)
       and not exists (select 1 from profiles.talk t where t.place = p.id)
       and not exists (select 1 from profiles.note n where n.place = p.id)`,
  )
}

/** After this time no message waits to be counted, and no note of it is in progress. */
const FORGOTTEN_FOR = 30 * 24 * 60 * 60_000

/** Deletes rows that are not needed any more. */
export async function tidy({ db, counts }: Counts, now: Date): Promise<void> {
  await db.transaction(async () => {
    await counts.hold()
    await dropPlaces(db)
    await db.query('delete from profiles.forgotten where before < $1', [new Date(now.getTime() - FORGOTTEN_FOR)])
  })
}

/**
 * A note that contains the name is deleted as a whole, because its other parts may be about the person; of topics, only the
 * name.
 */
async function forgetNames(db: Database, platform: string, names: readonly string[]): Promise<void> {
  const isNamed = namesAny(names)
  // The database finds candidates. It cannot distinguish "an" from Ann.
  const { names: folded, from, to } = foldedNames(names)
  const { rows: notes } = await db.query<{ person: string; conversation: string; place: number; text: string }>(
    `select person, conversation, place, text
     from profiles.note, lateral (select concat_ws(E'\n', tags::text, personality, last_conversation) as text) said
     where platform = $1 and exists (select 1 from unnest($2::text[]) as name where position(name in translate(text, $3, $4)) > 0)`,
    [platform, folded, from, to],
  )
  await db.query(
    `delete from profiles.note o using jsonb_to_recordset($2) as n(person text, conversation text, place int)
     where o.platform = $1 and (o.person, o.conversation, o.place) = (n.person, n.conversation, n.place)`,
    [platform, JSON.stringify(notes.filter(({ text }) => isNamed(text)))],
  )
  const { rows: talked } = await db.query<{ person: string; place: number; topics: readonly string[] }>(
    `select person, place, topics from profiles.activity
     where platform = $1 and exists (select 1 from unnest($2::text[]) as name where position(name in translate(topics::text, $3, $4)) > 0)`,
    [platform, folded, from, to],
  )
  const left = talked.map(row => ({ ...row, topics: row.topics.filter(topic => !isNamed(topic)) }))
  await db.query(
    `update profiles.activity a set topics = n.topics from jsonb_to_recordset($2) as n(person text, place int, topics jsonb)
     where a.platform = $1 and (a.person, a.place) = (n.person, n.place)`,
    [platform, JSON.stringify(left)],
  )
}
