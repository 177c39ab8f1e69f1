/** Waits for a database that is unavailable for a while: some platforms deliver a refused message only once. */

import type { Awaitable } from '../../base/awaitable.ts'
import { type Clock, sleep } from '../../base/clock.ts'

/**
 * Runs the call again every second while the database is unavailable, for five minutes. Then it rejects with the last
 * error. The call may have had its effect when the connection was lost at its commit, so it must be idempotent.
 * @param first the result of its first run. Default: the call runs now
 */
export type RetryWhileUnavailable = <T>(run: () => Awaitable<T>, first?: PromiseLike<T>) => Promise<T>

/** The five minutes in milliseconds. Meanwhile the platform keeps the order of a channel's messages, in its memory. */
const PATIENCE = 5 * 60_000
const PAUSE = 1_000

export interface PatienceOptions {
  readonly clock: Clock
  /** Whether the call failed because the database is unavailable. */
  readonly isAway: (error: unknown) => boolean
  /** Aborts when the bot stops and no longer waits. */
  readonly stopping: AbortSignal
}

export function createRetryWhileUnavailable({ clock, isAway, stopping }: PatienceOptions): RetryWhileUnavailable {
  return async (run, first) => {
    const until = clock.now() + PATIENCE
    for (let attempt = first ?? run(); ; attempt = run()) {
      try {
        return await attempt
      } catch (error) {
        if (!isAway(error) || clock.now() >= until) throw error
      }
      await sleep(clock, PAUSE, stopping)
    }
  }
}
