/** A database that is away for a while is waited for: not every platform tells a message again that was not taken. */

import type { Awaitable } from '../../base/awaitable.ts'
import { isPromise } from '../../base/awaitable.ts'
import { type Clock, sleep } from '../../base/clock.ts'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { isAway } from './unavailable.ts'

/** Runs it again every second while the database is away, for five minutes; then it rejects as the last try did. */
export type RetryWhileUnavailable = <T>(run: () => Awaitable<T>) => Awaitable<T>

/** Milliseconds. A platform keeps the messages of a channel in their order meanwhile, and in its memory. */
const PATIENCE = 5 * 60_000
const PAUSE = 1_000

export interface PatienceOptions {
  readonly clock: Clock
  readonly log: Logger
  /** Aborted when the bot stops and will wait no longer. */
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
      if (waiting === 0) log.warn(`what is heard waits for the database: ${reason(error)}`)
      waiting++
      return await again(run).finally(() => waiting--)
    }
  }

  return run => {
    const first = run()
    return isPromise(first) ? unlessAway(first, run) : first
  }
}
