/** Failures of the model: the old memory stays, and the update is tried again later. */
import { type Database, type LogBatch, retryAt } from 'kikimimi'
import type { MemoryRow } from '../storage/memories.ts'

/** Stores that the model failed, and the time of the next attempt. */
export async function keepFailure(db: Database, memory: MemoryRow, refused: boolean, now: Date): Promise<void> {
  await db.query(
    `update memory_summary.memory set failures = failures + 1, refusals = refusals + $4, retry_at = $5
     where id = $1 and began = $2 and version = $3`,
    [memory.id, memory.began, memory.version, refused ? 1 : 0, retryAt(memory.failures, now)],
  )
}

/** Counts the messages of a batch that is in no memory. */
export async function setAside(db: Database, { place, messages }: LogBatch, now: Date): Promise<void> {
  await db.query(
    'insert into memory_summary.set_aside (memory, messages, at) select id, $2, $3 from memory_summary.memory where id = $1',
    [place.id, messages.map(({ seq }) => seq), now],
  )
}
