/** When the model fails: what was remembered stays, and it is asked again later. */
import { type Database, type ErrorCode, KikimimiError } from 'kikimimi'
import { moveMarks, type Read } from './batch.ts'
import type { From, MemoryRow } from './memories.ts'

const MINUTE = 60_000
const LONGEST_PAUSE = 60 * MINUTE

/** Nobody can tell by these that it is the messages' fault. */
const DOWN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['MODEL_UNAVAILABLE', 'MODEL_TIMEOUT', 'MODEL_BREAKER_OPEN'])

/** So often the model is given the same batch. */
export const ATTEMPTS = 2

/** Refusals in a row after which it is no single batch that the model will not have, but a wrong key, or its name. */
const TOO_MANY = 2 * ATTEMPTS

/** The code of a failure of a model; whatever else went wrong is thrown on. */
export function modelFailure(error: unknown): ErrorCode {
  if (error instanceof KikimimiError && error.code.startsWith('MODEL_')) return error.code
  throw error
}

/** Counts over all memories of this process. */
export function createBlame() {
  let inARow = 0
  return {
    worked(): void {
      inARow = 0
    },
    /** Whether the failure speaks against what the model was given. */
    refused(code: ErrorCode): boolean {
      if (DOWN.has(code)) return false
      return ++inARow <= TOO_MANY
    },
  }
}

/** Writes down that the model failed, and until when it is left alone. */
export async function keepFailure(
  db: Database,
  memory: MemoryRow,
  failure: { readonly refused: boolean; readonly upto: number | undefined },
  now: Date,
): Promise<void> {
  const pause = Math.min(LONGEST_PAUSE, MINUTE * 2 ** memory.failures)
  await db.query(
    `update memory_summary.memory set failures = failures + 1, refusals = refusals + $4, failed_upto = $5, retry_at = $6
     where id = $1 and began = $2 and version = $3`,
    [
      ...[memory.id, memory.began, memory.version],
      ...[failure.refused ? 1 : 0, failure.upto ?? null, new Date(now.getTime() + pause)],
    ],
  )
}

/** Goes past a batch. */
export function setAside(db: Database, memory: From, read: readonly Read[], now: Date): Promise<void> {
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

/** Forgets that anything failed. */
export async function startAgain(db: Database, { id, began, version }: From): Promise<boolean> {
  const { rowCount } = await db.query(
    `update memory_summary.memory set version = version + 1, failures = 0, refusals = 0, failed_upto = null, retry_at = null
     where id = $1 and began = $2 and version = $3`,
    [id, began, version],
  )
  return rowCount > 0
}
