/** Waits for a database that is unavailable for a while: some platforms deliver a refused message only once. */

import { type Awaitable, isPromise } from '../../base/awaitable.ts'
import { type Clock, sleep } from '../../base/clock.ts'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { isAway } from './unavailable.ts'

/**
 * Runs the call again every second while the database is unavailable, for five minutes. Then it rejects with the last
 * error.
 */
export type RetryWhileUnavailable = <T>(run: () => Awaitable<T>) => Awaitable<T>

/** The five minutes in milliseconds. Meanwhile the platform keeps the order of a channel's messages, in its memory. */
const PATIENCE = 5 * 60_000
const PAUSE = 1_000

export interface PatienceOptions {
  readonly clock: Clock
  readonly log: Logger
  /** Aborts when the bot stops and no longer waits. */
  readonly stopping: AbortSignal
}

export function createRetryWhileUnavailable({ clock, log, stopping }: PatienceOptions): RetryWhileUnavailable {
  let waiting = 0

  async function again<T>(run: () => Awaitable<T>): Promise<T> {
    for (const until = clock.now() + PATIENCE; ; ) {
      await sleep(clock, PAUSE, stopping)
      try {
        return await run()
      } catch (error) {
        if (!isAway(error) || clock.now() >= until) throw error
      }
    }
  }

  async function unlessAway<T>(first: PromiseLike<T>, run: () => Awaitable<T>): Promise<T> {
    try {
      return await first
    } catch (error) {
      if (!isAway(error)) throw error
      if (waiting === 0) log.warn(`messages wait for the database: ${reason(error)}`)
      waiting++
      return await again(run).finally(() => waiting--)
    }
  }

  return run => {
    const first = run()
    return isPromise(first) ? unlessAway(first, run) : first
  }
}
