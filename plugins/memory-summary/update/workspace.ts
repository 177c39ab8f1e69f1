/** The memory of a workspace, made only from the memories of its public channels. */
import type { Database } from 'kikimimi'
import { type MemoryRow, writeRecent } from '../storage/memories.ts'

/** Maximum number of channels, latest first. More would not fit into one prompt. */
const CHANNELS = 20

export interface Source {
  readonly id: string
  readonly name: string
  readonly text: string
  /** The state of the memory of the channel. */
  readonly version: number
}

/** Events in the channels since the memory was written. */
export async function newsOf(db: Database, memory: MemoryRow): Promise<readonly Source[]> {
  const { rows } = await db.query<{ id: string; name: string; recent: string; history: string; version: number }>(
    `with c as (
       select * from memory_summary.memory where workspace = $1 and kind = 'channel' and ($2::timestamptz is null or updated_at > $2)
     )
     select c.id, c.name, c.recent, c.history, c.version
     from (select array_agg(place) as places, array_agg(visibility) as visibilities from c) each
       cross join lateral kikimimi_v1.readable($1, places, visibilities) r join c using (place, visibility)
     order by c.active_at desc limit $3`,
    [memory.workspace, memory.updated_at, CHANNELS],
  )
  const anew = memory.updated_at === null && memory.history === ''
  return rows
    .map(({ id, name, version, recent, history }) => ({
      id,
      name,
      version,
      text: (anew ? [history, recent] : [recent]).filter(Boolean).join('\n'),
    }))
    .filter(({ text }) => text !== '')
}

/** @param asOf time at which the channels were read; later events are new */
export function writeWorkspace(
  db: Database,
  memory: MemoryRow,
  text: string,
  sources: readonly Source[],
  asOf: Date,
): Promise<boolean> {
  return db.transaction(async () => {
    const parts = sources.flatMap(({ id }) => [`recent ${id}`, `history ${id}`])
    await db.query('select memory_summary.take_sources($1, $2)', [`recent ${memory.id}`, parts])
    if (!(await areUnchanged(db, sources))) return false
    const recent = { text, since: memory.recent_since ?? asOf, mood: '', topics: [], activeUsers: [] }
    if (!(await writeRecent(db, memory, recent, asOf))) return false
    await db.query('update memory_summary.memory set failures = 0, refusals = 0, retry_at = null where id = $1', [memory.id])
    await db.query(
      `insert into memory_summary.speaker (memory, person, recent, history)
       select distinct $1, person, true, false from memory_summary.speaker where memory = any($2)
       on conflict (memory, person) do update set recent = true`,
      [memory.id, sources.map(({ id }) => id)],
    )
    return true
  })
}

/** Whether the channels still have the memories that were read. They are locked until the transaction ends. */
async function areUnchanged(db: Database, sources: readonly Source[]): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from memory_summary.memory m join unnest($1::text[], $2::int[]) as s(id, version) using (id, version) for share of m`,
    [sources.map(({ id }) => id), sources.map(({ version }) => version)],
  )
  return rowCount === sources.length
}

/** Skips an update without a result, until there is more. */
export async function passOver(db: Database, { id, began, version }: MemoryRow, asOf: Date): Promise<void> {
  await db.query(
    `update memory_summary.memory set updated_at = $4, version = version + 1, failures = 0, refusals = 0, retry_at = null
     where id = $1 and began = $2 and version = $3`,
    [id, began, version, asOf],
  )
}
