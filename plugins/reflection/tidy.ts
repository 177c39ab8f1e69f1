import type { Database } from 'kikimimi'

/** Deletes marks of which the log has nothing any more, and the names of the forgotten once their words are gone. */
export async function tidy(db: Database): Promise<void> {
  await db.query(
    `delete from reflection.progress p where not pending
       and not exists (select 1 from kikimimi.message x where x.conversation = p.conversation)`,
  )
  await db.query('delete from reflection.place where not exists (select 1 from reflection.progress p where p.place = place.id)')
  await db.query(
    `delete from reflection.forgotten f where not exists (
       select 1 from kikimimi.message x
       where x.author_id = f.person and starts_with(x.conversation, f.platform || '/') and x.received_at <= f.before)`,
  )
}
