/** What the queue keeps of a dead letter. */

import type { Database } from '../../api/index.ts'
import { isSafeToKeep, kindOf } from '../../base/errors.ts'

const KEPT_S = 24 * 60 * 60

/** Keeps the failed job for a day; a successful job is kept for an hour. */
export async function keepDeadLetter(db: Database, { id, name }: { readonly id: string; readonly name: string }): Promise<void> {
  await db.query('update pgboss.job set deletion_seconds = $3 where name = $1 and id = $2', [name, id, KEPT_S])
}

/**
 * The error without its details. pg-boss stores all properties of an error, and they are shown and backed up. A cause of
 * ours holds prompts and keys, and messages of other errors quote their input.
 */
export function keepable(error: unknown): Error {
  return new Error(isSafeToKeep(error) ? error.message : kindOf(error))
}
