/** What is kept of a job that was given up. */

import type { Database } from '../../api/index.ts'
import { isSafeToKeep, kindOf } from '../../base/errors.ts'

const KEPT_S = 24 * 60 * 60

/** It can be processed at for a day; what went well, for an hour. */
export async function keepGivenUp(
  db: Database,
  { id, name: lane }: { readonly id: string; readonly name: string },
): Promise<void> {
  await db.query('update pgboss.job set deletion_seconds = $3 where name = $1 and id = $2', [lane, id, KEPT_S])
}

/**
 * pg-boss writes down all that hangs on an error, and it is kept, shown and backed up. A cause of ours holds prompts and
 * keys, and messages of others quote what they could not read.
 */
export function keepable(error: unknown): Error {
  return new Error(isSafeToKeep(error) ? error.message : kindOf(error))
}
