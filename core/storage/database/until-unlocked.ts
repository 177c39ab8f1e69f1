import { setTimeout } from 'node:timers/promises'
import { KikimimiError } from '../../base/errors.ts'
import { codeOf } from './unavailable.ts'

/**
 * All other sessions wait behind a statement that waits for a table. So it gives up soon, before Postgres looks for deadlocks (1 s) and
 * ends another one, and tries again later. Where others read the table for many seconds, one transaction after the other, half a second
 * is never enough: after 10 s of attempts it waits for 1 s, and after 50 s for 3 s.
 */
const lockTimeout = (afterMs: number) => Math.round(Math.min(500 + afterMs / 20, 3_000))
/** Milliseconds between two attempts. */
const PAUSE = 1_000
/** Milliseconds until a person has to look. */
const PATIENCE = 10 * 60_000

const LOCKED = '55P03'
const DEADLOCK = '40P01'

/**
 * Runs a transaction that locks tables, again while other sessions lock them. It holds off other statements for 3 s at most.
 *
 * @param transaction its argument is SQL that it runs first: it limits the wait for a lock
 * @param tooLate the error after ten minutes. Default: that of the last attempt
 */
export async function untilUnlocked<T>(
  transaction: (shortLocks: string) => Promise<T>,
  tooLate: (cause: unknown) => unknown = cause => cause,
): Promise<T> {
  const begun = performance.now()
  for (;;) {
    try {
      return await transaction(`set local lock_timeout = ${lockTimeout(performance.now() - begun)};`)
    } catch (error) {
      const code = codeOf(error instanceof KikimimiError ? error.cause : error)
      if (code !== LOCKED && code !== DEADLOCK) throw error
      if (performance.now() > begun + PATIENCE) throw tooLate(error)
    }
    await setTimeout(PAUSE)
  }
}
