import type { Database } from 'kikimimi'

/**
 * Deletes rows that are not needed any more: ended threads, marks of conversations that have left the log, and forgotten
 * people who have left the log.
 */
export async function tidy(db: Database, threadsBefore: Date): Promise<void> {
  await db.query(
    `delete from memory_summary.memory m where kind = 'thread' and active_at < $1
       and not exists (select 1 from kikimimi_v1.latest l where l.conversation = m.id)`,
    [threadsBefore],
  )
  await db.query(
    `delete from memory_summary.progress p where not pending
       and not exists (select 1 from kikimimi_v1.latest l where l.conversation = p.conversation)`,
  )
  await db.query(
    `delete from memory_summary.forgotten f where not exists (
       select 1 from kikimimi_v1.message x
       where x.author_id = f.person and x.seq <= f.upto and starts_with(x.conversation, f.platform || '/')
     )`,
  )
}
