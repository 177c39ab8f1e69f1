/** The memories that must be updated now, and when the next one must be. */
import type { Database } from 'kikimimi'
import type { UpdateSettings } from './settings.ts'

export interface Due {
  /** Memories that are due now: longest wait first, failed ones last. */
  readonly now: readonly string[]
  /** When the next one is due, unless a message comes before. */
  readonly next: Date | undefined
}

/** Call it after the log has been scanned. */
export async function dueMemories(db: Database, now: Date, settings: UpdateSettings): Promise<Due> {
  const { rows } = await db.query<{ now: readonly string[] | null; next: Date | null }>(DUE, [
    now,
    settings.everyMessages,
    settings.everyMinutes * 60_000,
    settings.foldAfter,
    settings.workspaceEvery,
  ])
  return { now: rows[0]?.now ?? [], next: rows[0]?.next ?? undefined }
}

/**
 * A condition on messages `x` of the log: those that may be summarised in the memory of the mark `p`. What was said while fewer
 * people could read the place does not go into it.
 */
const READABLE = `x.deleted_at is null and (x.text <> '' or x.attachments <> '[]' or x.parts <> '[]')
      and not exists (
        select 1 from memory_summary.forgotten f
        where starts_with(x.conversation, f.platform || '/') and f.person = x.author_id and x.seq <= f.upto
      )
      and not x.being_forgotten
      and exists (
        select 1 from kikimimi_v1.place_of(x.conversation, null, x.seq) t,
          kikimimi_v1.told_to(a.workspace, a.places, a.closed, t.place, t.visibility)
      )`

/** Who reads the memory of the mark `p`. */
const AUDIENCE = 'kikimimi_v1.audience(p.memory) a'

/**
 * The messages `x` after the mark `p`, in the order of the log, of which a statement takes the first that are {@link READABLE}. `offset 0`
 * keeps that condition out: otherwise Postgres may test it on all that follow the mark, and sort them.
 */
const AFTER_MARK = (where: string) => `(
      select x.* from kikimimi_v1.message x where x.conversation = p.conversation and x.seq > p.upto and ${where} order by x.seq offset 0
    ) x`

/** Messages of people that are in no memory. Messages of the bot are read with them, but do not trigger an update. */
const UNREAD = `not x.own and ${READABLE}`

/** `$1` is the time, `$2` a number of messages, and the other parameters are milliseconds. A mark with nothing to read waits for news. */
const DUE = `
  with marked as materialized (
    select p.memory, p.conversation, n.count, n.first
    from memory_summary.progress p cross join lateral ${AUDIENCE} cross join lateral (
      select count(*) as count, min(received_at) as first from (
        select x.received_at from ${AFTER_MARK('not x.own')} where ${UNREAD} order by x.seq limit $2
      ) capped
    ) n
    where p.pending
  ), read as (
    update memory_summary.progress p set pending = false
    from marked m where m.count = 0 and p.memory = m.memory and p.conversation = m.conversation and p.pending
  ), unread as (
    select memory, sum(count) as count, min(first) as first from marked where count > 0 group by memory
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
        select count(*) > 1 and max(c.updated_at) > coalesce(w.updated_at, '-infinity')
        from kikimimi_v1.audience(w.id) a, memory_summary.memory c,
          kikimimi_v1.told_to(a.workspace, a.places, a.closed, c.place, c.visibility)
        where c.workspace = w.workspace and c.kind = 'channel' and (c.recent <> '' or c.history <> '')
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
