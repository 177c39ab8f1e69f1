import type { LogDeps } from './memories.ts'

/** Deletes rows that are not needed any more: ended threads, and forgotten people who have left the log. */
export async function tidy({ db, messages }: LogDeps, threadsBefore: Date): Promise<void> {
  await db.query(
    `delete from memory_summary.memory m where kind = 'thread' and active_at < $1
       and not exists (select 1 from kikimimi_v1.latest l where l.conversation = m.id)`,
    [threadsBefore],
  )
  const [oldest] = await messages.read({ readers: 'operator', first: true, limit: 1 })
  await db.query('delete from memory_summary.forgotten where $1::bigint is null or upto < $1', [oldest?.seq ?? null])
}
