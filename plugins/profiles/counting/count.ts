/**
 * Counts messages of the log. The transaction that adds to the counts also stores the position in the log. So each message
 * counts once, in any process and after any crash, and no state is in memory.
 */
import type { Database } from 'kikimimi'
import { type HeardRow, lockCounts, readCounted, readNext } from './log.ts'
import { keepPlaces } from './places.ts'
import { followTalks } from './talks.ts'

/** Counts the next messages. Returns whether there may be more. */
export function countNext(db: Database): Promise<boolean> {
  return db.transaction(async () => {
    const { rows, upto, more } = await readNext(db, await lockCounts(db))
    await addHeard(db, rows)
    await db.query(
      `insert into profiles.counted (conversation, seq) select * from unnest($1::text[], $2::bigint[])
       on conflict (conversation) do update set seq = excluded.seq`,
      uptoEach(rows),
    )
    await db.query('update profiles.watermark set seq = greatest(seq, $1)', [upto])
    return more
  })
}

/** Counts the messages of a person since a time again. Hold the lock. */
export async function countSince(db: Database, since: Parameters<typeof readCounted>[1]): Promise<void> {
  await addHeard(db, await readCounted(db, since))
}

interface Activity {
  readonly platform: string
  readonly person: string
  readonly place: number
  readonly name: string
  readonly messages: number
  readonly mentions: number
  readonly seen_at: Date
}

async function addHeard(db: Database, rows: readonly HeardRow[]): Promise<void> {
  if (rows.length === 0) return
  const placeOf = await keepPlaces(db, rows)
  const sums = new Map<string, Activity>()
  for (const row of rows) {
    const place = placeOf(row)
    const key = JSON.stringify([row.platform, row.author_id, place])
    const before = sums.get(key)
    const latest = before && before.seen_at > row.at ? before : { name: row.author_name, seen_at: row.at }
    sums.set(key, {
      platform: row.platform,
      person: row.author_id,
      place,
      name: latest.name,
      seen_at: latest.seen_at,
      messages: (before?.messages ?? 0) + 1,
      mentions: (before?.mentions ?? 0) + Number(row.called),
    })
  }
  await db.query(
    `insert into profiles.activity as a (platform, person, place, name, messages, mentions, seen_at)
     select platform, person, place, name, messages, mentions, seen_at
     from jsonb_to_recordset($1) as n(platform text, person text, place int, name text, messages int, mentions int, seen_at timestamptz)
     on conflict (platform, person, place) do update set messages = a.messages + excluded.messages,
       mentions = a.mentions + excluded.mentions, seen_at = greatest(a.seen_at, excluded.seen_at),
       -- What is read later does not bring an old name back.
       name = case when excluded.seen_at >= a.seen_at then excluded.name else a.name end`,
    [JSON.stringify([...sums.values()])],
  )
  await followTalks(db, rows, placeOf)
}

function uptoEach(rows: readonly HeardRow[]): [conversations: string[], seqs: number[]] {
  const upto = new Map(rows.map(({ conversation, seq }) => [conversation, seq]))
  return [[...upto.keys()], [...upto.values()]]
}
