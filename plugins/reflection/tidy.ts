import type { Database } from 'kikimimi'

/** Deletes marks of conversations that have left the log. */
export async function tidy(db: Database): Promise<void> {
  await db.query(
    `delete from reflection.progress p where not pending
       and not exists (select 1 from kikimimi_v1.latest l where l.conversation = p.conversation)`,
  )
  await db.query('delete from reflection.place where not exists (select 1 from reflection.progress p where p.place = place.id)')
}
