/** Failures of the model: the old memory stays, and the update is tried again later. */
import { type Database, type LoggedMessage, retryAt } from 'kikimimi'
import type { From, MemoryRow } from '../storage/memories.ts'
import { moveMarks } from './batch.ts'

/** Stores that the model failed, and the time of the next attempt. */
export async function keepFailure(
  db: Database,
  memory: MemoryRow,
  failure: { readonly refused: boolean; readonly upto: number | undefined },
  now: Date,
): Promise<void> {
  await db.query(
    `update memory_summary.memory set failures = failures + 1, refusals = refusals + $4, failed_upto = $5, retry_at = $6
     where id = $1 and began = $2 and version = $3`,
    [
      ...[memory.id, memory.began, memory.version],
      ...[failure.refused ? 1 : 0, failure.upto ?? null, retryAt(memory.failures, now)],
    ],
  )
}

/** Skips a batch. */
export function setAside(db: Database, memory: From, read: readonly LoggedMessage[], now: Date): Promise<void> {
  return db.transaction(async () => {
    if (!(await startAgain(db, memory))) return
    await moveMarks(db, memory.id, read)
    await db.query('insert into memory_summary.set_aside (memory, messages, at) values ($1, $2, $3)', [
      memory.id,
      read.map(({ seq }) => seq),
      now,
    ])
  })
}

/** Resets the failures. */
export async function startAgain(db: Database, { id, began, version }: From): Promise<boolean> {
  const { rowCount } = await db.query(
    `update memory_summary.memory set version = version + 1, failures = 0, refusals = 0, failed_upto = null, retry_at = null
     where id = $1 and began = $2 and version = $3`,
    [id, began, version],
  )
  return rowCount > 0
}
