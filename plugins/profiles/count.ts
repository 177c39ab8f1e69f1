/**
 * Counts what people say, from the message log: up to where it has counted is written down in the transaction that adds to
 * the counts. So each message counts once, in whichever process and after whichever crash, and nothing waits in memory.
 */
import type { Database } from 'kikimimi'
import { keepPlaces } from './places.ts'
import { followTalks } from './talks.ts'

/** How many messages go into one transaction: on the embedded database everybody else waits for it. */
const BATCH = 1_000

/** On a server a message may be written down after one with a higher number: so far back is looked again. */
const LATE = 500

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

/** Whether there is anything to count, or a talk is over. Asked before each look: without a scan, whatever the planner knows. */
export async function hasNews(db: Database, now: Date): Promise<boolean> {
  const { rows } = await db.query<{ news: boolean }>(
    `select coalesce((select max(seq) from kikimimi.message) > w.seq, false)
       or coalesce((select min(due) from profiles.talk) <= $2, false)
       or exists (
         select 1 from (select * from kikimimi.message order by seq desc limit $1) m
           left join profiles.counted k on k.conversation = m.conversation
         where m.seq > coalesce(k.seq, 0) and not m.own and not m.author_bot
       ) as news
     from profiles.watermark w`,
    [late(db), now],
  )
  return rows[0]?.news === true
}

/** Counts the next messages. Returns whether there may be more. */
export function countNext(db: Database, silenceMs: number): Promise<boolean> {
  return db.transaction(async () => {
    const { seq, latest } = await lockCounts(db)
    const { rows } = await db.query<HeardRow>(`${HEARD} and m.seq > $1 and m.seq > coalesce(k.seq, 0) order by m.seq limit $2`, [
      Math.max(0, seq - late(db)),
      BATCH,
    ])
    const last = rows.at(-1)
    const upto = last && rows.length === BATCH ? last.seq : latest
    await addHeard(db, rows, silenceMs)
    await db.query(
      `insert into profiles.counted (conversation, seq) select * from unnest($1::text[], $2::bigint[])
       on conflict (conversation) do update set seq = excluded.seq`,
      uptoEach(rows),
    )
    await db.query('update profiles.watermark set seq = greatest(seq, $1)', [upto])
    await db.query('delete from profiles.changed where upto < (select seq - $1 from profiles.watermark)', [LATE])
    return rows.length === BATCH
  })
}

/** Counts again what a person has said since, of what was counted before. */
export async function countSince(
  db: Database,
  { platform, id, since }: { readonly platform: string; readonly id: string; readonly since: Date },
  silenceMs: number,
): Promise<void> {
  const { rows } = await db.query<HeardRow>(
    `${HEARD} and c.platform = $1 and m.author_id = $2 and m.received_at > $3 and m.seq <= k.seq order by m.seq`,
    [platform, id, since],
  )
  await addHeard(db, rows, silenceMs)
}

/** One at a time writes, however many processes there are: until the end of the transaction. */
export async function lockCounts(db: Database): Promise<{ readonly seq: number; readonly latest: number }> {
  const { rows } = await db.query<{ seq: number; latest: number }>(
    `select seq, (select coalesce(max(seq), 0) from kikimimi.message) as latest from profiles.watermark for update`,
  )
  const [row] = rows
  if (!row) throw new Error('profiles.watermark has lost its row')
  return row
}

function late({ kind }: Database): number {
  return kind === 'postgres' ? LATE : 0
}

/** What people said, and who could read it when it was said. A platform's clock may go wrong: nobody is seen in the future. */
const HEARD = `
  select m.seq, m.conversation, m.channel, m.author_id, m.author_name, least(m.at, m.received_at) as at,
    coalesce(m.addressed in ('mention', 'reply', 'name'), false) as called,
    c.platform, c.workspace, coalesce(h.name, c.name) as channel_name,
    kikimimi.place_of(m.channel, m.conversation, coalesce(own.visibility, c.visibility), coalesce(home.visibility, h.visibility)) as place,
    case when coalesce(home.visibility, h.visibility) <> 'public' then coalesce(home.visibility, h.visibility)
      else coalesce(own.visibility, c.visibility) end as visibility
  from kikimimi.message m
    join kikimimi.conversation c on c.id = m.conversation
    left join kikimimi.conversation h on h.id = m.channel
    left join profiles.counted k on k.conversation = m.conversation
    left join lateral (
      select visibility from profiles.changed where conversation = m.conversation and upto >= m.seq order by upto limit 1
    ) own on true
    left join lateral (
      select visibility from profiles.changed where conversation = m.channel and upto >= m.seq order by upto limit 1
    ) home on true
  where not m.own and not m.author_bot
    and not exists (
      select 1 from profiles.forgotten f where f.platform = c.platform and f.person = m.author_id and m.received_at <= f.before
    )`

interface Activity {
  readonly platform: string
  readonly person: string
  readonly place: number
  readonly name: string
  readonly messages: number
  readonly mentions: number
  readonly seen_at: Date
}

async function addHeard(db: Database, rows: readonly HeardRow[], silenceMs: number): Promise<void> {
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
  await followTalks(db, rows, placeOf, silenceMs)
}

function uptoEach(rows: readonly HeardRow[]): [conversations: string[], seqs: number[]] {
  const upto = new Map(rows.map(({ conversation, seq }) => [conversation, seq]))
  return [[...upto.keys()], [...upto.values()]]
}
