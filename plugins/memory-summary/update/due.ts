/** The memories that must be updated now, and when the next one must be. */
import type { Database } from 'kikimimi'
import { AFTER_MARK, READABLE } from './batch.ts'
import type { UpdateSettings } from './settings.ts'

export interface Due {
  /** Memories that are due now: longest wait first, failed ones last. */
  readonly now: readonly string[]
  /** When the next one is due, unless a message comes before. */
  readonly next: Date | undefined
}

/** Call it after the log has been scanned. */
export async function dueMemories(db: Database, now: Date, settings: UpdateSettings): Promise<Due> {
  await db.query(NOTHING_LEFT)
  const { rows } = await db.query<{ now: readonly string[] | null; next: Date | null }>(DUE, [
    now,
    settings.everyMessages,
    settings.everyMinutes * 60_000,
    settings.foldAfter,
    settings.workspaceEvery,
  ])
  return { now: rows[0]?.now ?? [], next: rows[0]?.next ?? undefined }
}

/** Messages of people that are in no memory. Messages of the bot are read with them, but do not trigger an update. */
const UNREAD = `not x.own and ${READABLE}`

const NOTHING_LEFT = `
  update memory_summary.progress p set pending = false where pending and not exists (
    select 1 from kikimimi_v1.message x where x.conversation = p.conversation and x.seq > p.upto and ${UNREAD}
  )`

/** `$1` is the time, `$2` a number of messages, and the other parameters are milliseconds. */
const DUE = `
  with unread as (
    select p.memory, sum(n.count) as count, min(n.first) as first
    from memory_summary.progress p cross join lateral (
      select count(*) as count, min(received_at) as first from (
        select x.received_at from ${AFTER_MARK('not x.own')} where ${UNREAD} order by x.seq limit $2
      ) capped
    ) n
    where p.pending group by p.memory
  ), stale as (
    select w.id, w.updated_at from memory_summary.memory w
    where w.kind = 'workspace' and case
      when not exists (
        select 1 from memory_summary.memory c
        where c.workspace = w.workspace and c.kind = 'channel' and c.visibility = 'public'
          and c.updated_at > coalesce(w.updated_at, '-infinity') and (c.recent <> '' or c.history <> '')
      ) then false
      when w.updated_at + $5 * interval '1 millisecond' > $1 then true
      -- Reads all channels of the workspace, so only when the time has come. A workspace with one channel has nothing to add to the memory
      -- of that channel.
      else (
        select count(*) > 1 and max(c.updated_at) > coalesce(w.updated_at, '-infinity') from memory_summary.memory c
        where c.workspace = w.workspace and c.kind = 'channel' and c.id in (select memory_summary.readable(w.id, w.id, w.id))
          and (c.recent <> '' or c.history <> '')
      ) end
  ), each as (
    select m.id, m.failures, m.kind, min(due.first) as first, greatest(min(due.at), m.retry_at) as at from (
      select memory, first, case when count >= $2 then first else first + $3 * interval '1 millisecond' end as at from unread
      where count > 0
      union all select id, recent_since, recent_since + $4 * interval '1 millisecond' from memory_summary.memory
        where recent_since is not null
      union all select memory, null, '-infinity' from memory_summary.progress where changed
      union all select id, null, coalesce(updated_at + $5 * interval '1 millisecond', '-infinity') from stale
    ) due join memory_summary.memory m on m.id = due.memory
    group by m.id
  )
  select array_agg(id order by failures, kind = 'workspace', first, id) filter (where at <= $1) as now,
    min(at) filter (where at > $1) as next
  from each`
