/** Messages of the log that were not counted yet. */
import { type Database, KikimimiError } from 'kikimimi'

/** Messages per transaction. On the embedded database, all other work waits for it. */
const BATCH = 1_000

/** On a server, transactions may commit out of order. The last messages are examined again. */
export const LATE = 500

export interface HeardRow {
  readonly seq: number
  readonly platform: string
  readonly conversation: string
  readonly author_id: string
  readonly author_name: string
  readonly called: boolean
  readonly at: Date
  readonly workspace: string
  readonly channel: string
  readonly channel_name: string
  readonly place: string
  readonly visibility: 'public' | 'private' | 'direct'
}

/** Messages of an erased person have no author any more. */
const BY_SOMEBODY = `not m.own and not m.author_bot and m.author_id <> ''`

/** The largest number of ended conversations that `newsOf` counts. */
const ENDED = 1_000

/**
 * About how many messages and ended conversations are to be counted. 0: none.
 */
export async function newsOf(db: Database, now: Date): Promise<number> {
  const { rows } = await db.query<{ news: number }>(
    `select (
         greatest((select max(seq) from kikimimi_v1.message) - w.seq, 0)
         + (select count(*) from (select 1 from profiles.talk where due <= $2 limit ${ENDED}) ended)
         + exists (
           select 1 from (select * from kikimimi_v1.message order by seq desc limit $1) m
             left join profiles.counted k on k.conversation = m.conversation
           where m.seq > coalesce(k.seq, 0) and ${BY_SOMEBODY}
         )::int
       )::int as news
     from profiles.watermark w`,
    [late(db), now],
  )
  return rows[0]?.news ?? 0
}

/** Only one process writes at a time, until the end of the transaction. */
export async function lockCounts(db: Database): Promise<{ readonly seq: number; readonly latest: number }> {
  const { rows } = await db.query<{ seq: number; latest: number }>(
    `select seq, (select coalesce(max(seq), 0) from kikimimi_v1.message) as latest from profiles.watermark for update`,
  )
  const [row] = rows
  if (!row) throw new KikimimiError('INTERNAL', '[profiles] The table profiles.watermark has no row.')
  return row
}

/** The next messages after the mark, the last of them, and whether there may be more. Hold the lock. */
export async function readNext(
  db: Database,
  { seq, latest }: { readonly seq: number; readonly latest: number },
): Promise<{ readonly rows: readonly HeardRow[]; readonly upto: number; readonly more: boolean }> {
  const { rows } = await db.query<HeardRow>(`${HEARD} and m.seq > $1 and m.seq > coalesce(k.seq, 0) order by m.seq limit $2`, [
    Math.max(0, seq - late(db)),
    BATCH,
  ])
  const more = rows.length === BATCH
  return { rows, upto: more ? (rows.at(-1)?.seq ?? seq) : latest, more }
}

/** Counted messages of a person since a time. */
export async function readCounted(
  db: Database,
  { platform, id, since }: { readonly platform: string; readonly id: string; readonly since: Date },
): Promise<readonly HeardRow[]> {
  const { rows } = await db.query<HeardRow>(
    `${HEARD} and c.platform = $1 and m.author_id = $2 and m.received_at > $3 and m.seq <= k.seq order by m.seq`,
    [platform, id, since],
  )
  return rows
}

function late({ kind }: Database): number {
  return kind === 'postgres' ? LATE : 0
}

/**
 * Messages and the place in which they were said. The clock of a platform can be wrong: times in the future are limited to now.
 */
const HEARD = `
  select m.seq, m.conversation, m.channel, m.author_id, m.author_name, least(m.at, m.received_at) as at,
    coalesce(m.addressed in ('mention', 'reply', 'name', 'command'), false) as called,
    c.platform, c.workspace, coalesce(h.name, c.name) as channel_name,
    told.place, told.visibility
  from kikimimi_v1.message m
    join kikimimi_v1.conversation c on c.id = m.conversation
    left join kikimimi_v1.conversation h on h.id = m.channel
    left join profiles.counted k on k.conversation = m.conversation,
    lateral kikimimi_v1.place_of(m.conversation, null, m.seq) told
  where ${BY_SOMEBODY}
    and not exists (
      select 1 from profiles.forgotten f where f.platform = c.platform and f.person = m.author_id and m.received_at <= f.before
    )`
