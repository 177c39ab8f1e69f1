import type { Database } from 'kikimimi'
import type { MemoryRow } from './storage/memories.ts'
import type { Memory, SummaryStore } from './summaries.ts'

/** Maximum number of memories on a page. */
const MEMORIES = 2_000

/** Implements `SummaryStore.list`. */
export async function listMemories(db: Database, channel?: string): ReturnType<SummaryStore['list']> {
  const { rows } = await db.query<MemoryRow & { set_aside: number }>(
    `select m.*, (
       select coalesce(sum(cardinality(s.messages)), 0)::int from memory_summary.set_aside s where s.memory = m.id
     ) as set_aside
     from memory_summary.memory m
     where $2::text is null or m.id in ($2, $3) or (m.channel = $2 and m.kind = 'thread')
     order by kind = 'thread', active_at desc, id limit $1`,
    [MEMORIES, channel ?? null, channel?.split('/').slice(0, 2).join('/') ?? null],
  )
  const threads = Map.groupBy(
    rows.filter(({ kind }) => kind === 'thread'),
    ({ channel }) => channel,
  )
  return {
    workspaces: rows.filter(({ kind }) => kind === 'workspace').map(row => ({ workspace: row.id, ...memoryOf(row) })),
    channels: rows
      .filter(({ kind }) => kind === 'channel')
      .map(row => ({
        id: row.id,
        workspace: row.workspace,
        name: row.name,
        visibility: row.visibility,
        ...memoryOf(row),
        mood: row.mood,
        topics: row.topics,
        activeUsers: row.active_users,
        threads: (threads.get(row.id) ?? []).map(thread => ({ id: thread.id, ...memoryOf(thread) })),
        setAside: row.set_aside,
      })),
  }
}

function memoryOf({ recent, history, updated_at }: MemoryRow): Memory {
  return { recent, history, ...(updated_at && { updatedAt: updated_at }) }
}
