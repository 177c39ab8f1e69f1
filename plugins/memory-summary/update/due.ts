/** The memories whose recent events become history, those of workspaces with news, and when the next one must be updated. */
import type { Database } from 'kikimimi'
import type { UpdateSettings } from './settings.ts'

export interface Due {
  /** Memories that are due now: longest wait first, failed ones last. */
  readonly now: readonly string[]
  /** When the next one is due, unless a message comes before. */
  readonly next: Date | undefined
}

export async function dueMemories(db: Database, now: Date, settings: UpdateSettings): Promise<Due> {
  const { rows } = await db.query<{ now: readonly string[] | null; next: Date | null }>(DUE, [
    now,
    settings.foldAfter,
    settings.workspaceEvery,
  ])
  return { now: rows[0]?.now ?? [], next: rows[0]?.next ?? undefined }
}

/** `$1` is the time, and the other parameters are milliseconds. */
const DUE = `
  with stale as (
    select w.id, w.updated_at from memory_summary.memory w
    where w.kind = 'workspace' and case
      when not exists (
        select 1 from memory_summary.memory c
        where c.workspace = w.workspace and c.kind = 'channel' and c.visibility = 'public'
          and c.updated_at > coalesce(w.updated_at, '-infinity') and (c.recent <> '' or c.history <> '')
      ) then false
      when w.updated_at + $3 * interval '1 millisecond' > $1 then true
      -- Reads all channels of the workspace, so only when the time has come. A workspace with one channel has nothing to add to the memory
      -- of that channel.
      else (
        with c as (
          select * from memory_summary.memory where workspace = w.workspace and kind = 'channel' and (recent <> '' or history <> '')
        )
        select count(*) > 1 and max(c.updated_at) > coalesce(w.updated_at, '-infinity')
        from (select array_agg(place) as places, array_agg(visibility) as visibilities from c) each
          cross join lateral kikimimi_v1.readable(w.id, places, visibilities) r join c using (place, visibility)
      ) end
  ), each as (
    select m.id, m.failures, m.kind, min(due.first) as first, greatest(min(due.at), m.retry_at) as at from (
      select id as memory, recent_since as first, recent_since + $2 * interval '1 millisecond' as at from memory_summary.memory
        where recent_since is not null
      union all select id, null, coalesce(updated_at + $3 * interval '1 millisecond', '-infinity') from stale
    ) due join memory_summary.memory m on m.id = due.memory
    group by m.id
  )
  select array_agg(id order by failures, kind = 'workspace', first, id) filter (where at <= $1) as now,
    min(at) filter (where at > $1) as next
  from each`
