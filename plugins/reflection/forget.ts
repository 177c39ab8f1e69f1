/** Erases a person. The plugin stores no text, but messages may be in progress. */
import type { Database, ForgottenPerson } from 'kikimimi'

/** The memory plugin forgets after this one and deletes the facts made until then. */
export function forgetPerson(db: Database, { platform, id, before }: ForgottenPerson): Promise<void> {
  const encoded = encodeURIComponent(platform)
  return db.transaction(async () => {
    // A result in progress is discarded.
    await db.query(`update reflection.place set version = version + 1 where starts_with(id, $1 || '/')`, [encoded])
    await db.query(
      `delete from reflection.set_aside a using kikimimi_v1.message m
       where m.seq = a.seq and m.author_id = $2 and starts_with(m.conversation, $1 || '/') and m.received_at <= $3`,
      [encoded, id, before],
    )
  })
}
