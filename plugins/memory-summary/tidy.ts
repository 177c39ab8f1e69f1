import type { Database } from 'kikimimi'

/** Deletes what nobody will ask for again: threads that have ended, and marks in conversations of which the log has nothing. */
export async function tidy(db: Database, threadsBefore: Date): Promise<void> {
  await db.query(
    `delete from memory_summary.memory m where kind = 'thread' and active_at < $1
       and not exists (select 1 from kikimimi.message x where x.conversation = m.id)`,
    [threadsBefore],
  )
  await db.query(
    `delete from memory_summary.progress p where not pending
       and not exists (select 1 from kikimimi.message x where x.conversation = p.conversation)`,
  )
}
