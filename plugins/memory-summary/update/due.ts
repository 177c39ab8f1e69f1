/** The memories that must be updated now. */
import type { Database } from 'kikimimi'
import { READABLE } from './batch.ts'
import type { UpdateSettings } from './settings.ts'

/**
 * Due memories: longest wait first, failed ones last. Call it after the log has been
 * scanned.
 */
export async function dueMemories(db: Database, now: Date, settings: UpdateSettings): Promise<readonly string[]> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  await db.query(NOTHING_LEFT)
  const { rows } = await db.query<{ id: string }>(DUE, [
    now,
    settings.everyMessages,
    ago(settings.everyMinutes * 60_000),
    ago(settings.foldAfter),
    ago(settings.workspaceEvery),
  ])
  return rows.map(({ id }) => id)
}

/** Messages of people that are in no memory. Messages of the bot are read with them, but do not trigger an update. */
const UNREAD = `kikimimi_v1.message x
  where x.conversation = p.conversation and x.seq > p.upto and not x.own and ${READABLE}`

const NOTHING_LEFT = `
  update memory_summary.progress p set pending = false where pending and not exists (select 1 from ${UNREAD})`

const DUE = `
  with unread as (
    select p.memory, sum(n.count) as count, min(n.first) as first
    from memory_summary.progress p cross join lateral (
      select count(*) as count, min(received_at) as first from (select x.received_at from ${UNREAD} order by x.seq limit $2) capped
    ) n
    where p.pending group by p.memory
  ), stale as (
    select w.id from memory_summary.memory w
    where w.kind = 'workspace' and (w.updated_at is null or w.updated_at <= $5) and (
      -- A workspace with one channel has nothing to add to the memory of that channel.
      select count(*) > 1 and max(c.updated_at) > coalesce(w.updated_at, '-infinity') from memory_summary.memory c
      where c.workspace = w.workspace and c.kind = 'channel' and c.id in (select memory_summary.readable(w.id, w.id, w.id)) and (c.recent <> '' or c.history <> '')
    )
  )
  select m.id from (
    select memory, first from unread where count >= $2 or first <= $3
    union all select id, recent_since from memory_summary.memory where recent_since <= $4
    union all select memory, null from memory_summary.progress where changed
    union all select id, null from stale
  ) due join memory_summary.memory m on m.id = due.memory
  where m.retry_at is null or m.retry_at <= $1
  group by m.id order by m.failures, m.kind = 'workspace', min(due.first), m.id`
