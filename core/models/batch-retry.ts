/**
 * For background work that sends one batch after the other to a model: whether a failure counts against the batch, and when
 * to try again.
 */
import { type ErrorCode, KikimimiError } from '../base/errors.ts'

/** How often a model gets the same batch. */
export const BATCH_ATTEMPTS = 2

const MINUTE = 60_000
const LONGEST_PAUSE = 60 * MINUTE

/** Codes of failures that do not count against the batch. */
const DOWN: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'MODEL_UNAVAILABLE',
  'MODEL_TIMEOUT',
  'MODEL_BREAKER_OPEN',
  'MODEL_BUDGET_SPENT',
])

/** From this many refusals in a row, the cause is not one batch but a wrong key or model name. */
const TOO_MANY = 2 * BATCH_ATTEMPTS

/** The code of a failure of a model. Throws every other error. */
export function modelFailure(error: unknown): ErrorCode {
  if (error instanceof KikimimiError && error.code.startsWith('MODEL_')) return error.code
  throw error
}

/** Counts failures of batch work per key and says when to try again. */
export interface FailureTracker {
  /** The work of the key succeeded. Forgets its failures. */
  worked(): void
  /** Whether the failure counts against the batch. */
  refused(code: ErrorCode): boolean
}

/** Counts over all batches of this process. */
export function createFailureTracker(): FailureTracker {
  let inARow = 0
  return {
    worked() {
      inARow = 0
    },
    refused: code => !DOWN.has(code) && ++inARow <= TOO_MANY,
  }
}

/** The time of the next attempt, after this many failures in a row before this one: in 1, 2, 4 … 60 minutes. */
export function retryAt(failuresBefore: number, now: Date): Date {
  return new Date(now.getTime() + Math.min(LONGEST_PAUSE, MINUTE * 2 ** failuresBefore))
}
