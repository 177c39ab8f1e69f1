/** Scans the message log for conversations with new messages. */
import type { Conversation, Database } from 'kikimimi'
import { type Place, placesOf } from '../storage/scopes.ts'

/** On a server, transactions may commit out of order. The last messages are examined again. */
const LATE = 500

interface Heard {
  readonly conversation: string
  readonly at: Date
  readonly platform: string
  readonly workspace: string
  readonly channel: string
  readonly thread: string | null
  readonly name: string
  readonly place: string
  readonly visibility: Conversation['visibility']
}

/** Marks memories that may need an update, and creates new ones. */
export async function markHeard(db: Database): Promise<void> {
  const { seq, latest } = await readMark(db, '')
  if (latest <= seq) return
  await db.transaction(async () => {
    // One process at a time.
    const { seq, latest } = await readMark(db, 'for update')
    const { rows } = await db.query<Heard>(HEARD, [db.kind === 'postgres' ? Math.max(0, seq - LATE) : seq])
    const news = rows.flatMap(row => {
      const { conversation: id, at, thread, place, ...rest } = row
      const conversation: Conversation = { id, ...rest, ...(thread !== null && { thread }) }
      return placesOf(conversation, { place, visibility: row.visibility }).map(place => ({ conversation: id, at, place }))
    })
    await keepPlaces(db, news, await forgetWhatWasPrivate(db, news), latest)
    await db.query(
      `insert into memory_summary.progress (memory, conversation, recent_from, upto, pending)
       select m.id, n.conversation, m.began, m.began, true
       from unnest($1::text[], $2::text[]) as n(memory, conversation)
         join memory_summary.memory m on m.id = n.memory and m.kind <> 'workspace'
       on conflict (memory, conversation) do update set pending = true`,
      [news.map(({ place }) => place.id), news.map(({ conversation }) => conversation)],
    )
    await db.query('update memory_summary.watermark set seq = $1', [latest])
  })
}

async function readMark(db: Database, lock: '' | 'for update') {
  const { rows } = await db.query<{ seq: number; latest: number }>(
    `select seq, (select coalesce(max(seq), 0) from kikimimi_v1.latest) as latest from memory_summary.watermark ${lock}`,
  )
  const { seq = 0, latest = 0 } = rows[0] ?? {}
  return { seq, latest }
}

const HEARD = `
  select h.conversation, h.at, c.platform, c.workspace, c.channel, c.thread, coalesce(p.name, c.name) as name,
    t.place, t.visibility
  from (
    select conversation, array_to_string((string_to_array(conversation, '/'))[1:3], '/') as channel, received_at as at
    from kikimimi_v1.latest where seq > $1
  ) h
  join kikimimi_v1.conversation c on c.id = h.conversation
  left join kikimimi_v1.conversation p on p.id = h.channel,
  lateral kikimimi_v1.place_of(h.conversation, null, null) t
  order by h.conversation`

interface News {
  readonly conversation: string
  readonly at: Date
  readonly place: Place
}

/** Clears what was remembered while fewer people could read the place: not all of its readers may read that now. Returns the cleared memories. */
async function forgetWhatWasPrivate(db: Database, news: readonly News[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>(
    `delete from memory_summary.memory m where id = any($1) and kind <> 'workspace'
       and not exists (select 1 from kikimimi_v1.readable(m.id, array[m.place], array[m.visibility])) returning id`,
    [news.map(({ place }) => place.id)],
  )
  return new Set(rows.map(({ id }) => id))
}

async function keepPlaces(db: Database, news: readonly News[], anew: ReadonlySet<string>, latest: number): Promise<void> {
  const places = new Map<string, News>()
  for (const one of news) {
    const before = places.get(one.place.id)
    places.set(one.place.id, before && before.at > one.at ? before : one)
  }
  const all = [...places.values()]
  await db.query(
    `insert into memory_summary.memory (id, kind, workspace, channel, name, place, visibility, active_at, began)
     select n.id, n.kind, n.workspace, n.channel, n.name, n.place, n.visibility, n.active_at, coalesce(n.began, w.began)
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::bigint[])
       as n(id, kind, workspace, channel, name, place, visibility, active_at, began), memory_summary.watermark w
     on conflict (id) do update set name = excluded.name, place = excluded.place, visibility = excluded.visibility,
       active_at = greatest(memory.active_at, excluded.active_at)`,
    [
      all.map(({ place }) => place.id),
      all.map(({ place }) => place.kind),
      all.map(({ place }) => place.workspace),
      all.map(({ place }) => place.channel),
      all.map(({ place }) => place.name),
      all.map(({ place }) => place.place),
      all.map(({ place }) => place.visibility),
      all.map(({ at }) => at),
      all.map(({ place }) => (anew.has(place.id) ? latest : null)),
    ],
  )
}
