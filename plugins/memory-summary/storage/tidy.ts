import type { Database } from 'kikimimi'

/**
 * Deletes what nobody will ask for again: threads that have ended, marks in conversations of which the log has nothing, and
 * who was forgotten, once the log has nothing of them.
 */
export async function tidy(db: Database, threadsBefore: Date): Promise<void> {
  await db.query(
    `delete from memory_summary.memory m where kind = 'thread' and active_at < $1
       and not exists (select 1 from kikimimi_v1.message x where x.conversation = m.id)`,
    [threadsBefore],
  )
  await db.query(
    `delete from memory_summary.progress p where not pending
       and not exists (select 1 from kikimimi_v1.message x where x.conversation = p.conversation)`,
  )
  await db.query(
    `delete from memory_summary.forgotten f where not exists (
       select 1 from kikimimi_v1.message x
       where x.author_id = f.person and x.seq <= f.upto and starts_with(x.conversation, f.platform || '/')
     )`,
  )
}
