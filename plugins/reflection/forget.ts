/** Forgetting a person. There are no words of theirs here, but some may be being read now. */
import type { Database, ForgottenPerson } from 'kikimimi'

/** The memory forgets after this plugin, which builds on it: what was made of their words till now goes there. */
export function forgetPerson(db: Database, { platform, id, before }: ForgottenPerson): Promise<void> {
  const encoded = encodeURIComponent(platform)
  return db.transaction(async () => {
    // What a model makes of them this very moment is thrown away.
    await db.query(`update reflection.place set version = version + 1 where starts_with(id, $1 || '/')`, [encoded])
    await db.query(
      `delete from reflection.set_aside a using kikimimi_v1.message m
       where m.seq = a.seq and m.author_id = $2 and starts_with(m.conversation, $1 || '/') and m.received_at <= $3`,
      [encoded, id, before],
    )
  })
}
