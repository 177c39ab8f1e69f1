/**
 * Requests to platforms for one turn: one at a time for each platform, each with a deadline, and none while the platform asks to
 * wait. A request never rejects: its failure is a line for the trace.
 */

import { sanitizeText } from '../../api/checks/sanitize.ts'
import type { Platform } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError } from '../../base/errors.ts'
import { redactError } from '../../base/redact-error.ts'
import { retryAfterMs } from '../../base/retry-after.ts'
import { createSemaphore, type Semaphore } from '../../base/semaphore.ts'
import { withTimeout } from '../../base/timeout.ts'

/** Milliseconds that a platform has for one request, the wait for other requests included. */
const DEADLINE = 2_000
/** Milliseconds that all requests of a turn may take together. */
const TOGETHER = 4_000
const PROBLEM_LENGTH = 200
/** Longest time that a platform can make the bot wait. */
const LONGEST_WAIT = 60 * 60_000

/** What a turn has asked so far. */
export interface Asking {
  readonly platform: Platform
  /** Ends the requests. */
  readonly signal: AbortSignal
  /** When the turn asks no more. Milliseconds since the epoch. */
  readonly until: number
  /** The texts that a problem must not quote. */
  readonly texts: readonly string[]
  /** How many requests were made. */
  requests: number
}

/** The answer, or why there is none. `wasMade`: the platform was asked, and it is no use to ask again soon. */
export type Answer<T> =
  | { readonly isAnswered: true; readonly value: T }
  | { readonly isAnswered: false; readonly problem: string; readonly wasMade: boolean }

export interface Requests {
  /** How a turn begins to ask. */
  begin(asking: Omit<Asking, 'until' | 'requests'>): Asking
  make<T>(asking: Asking, run: (signal: AbortSignal) => Promise<T>): Promise<Answer<T>>
}

export function createRequests(clock: Clock): Requests {
  const queues = new Map<string, Semaphore>()
  /** Until when each platform asks to wait. */
  const limited = new Map<string, number>()

  function queueOf({ name }: Platform): Semaphore {
    const queue = queues.get(name) ?? createSemaphore(1)
    queues.set(name, queue)
    return queue
  }

  const waitOf = ({ name }: Platform) => (limited.get(name) ?? 0) - clock.now()

  return {
    begin: asking => ({ ...asking, until: clock.now() + TOGETHER, requests: 0 }),

    async make(asking, run) {
      const { platform, signal, until, texts } = asking
      const ms = Math.min(DEADLINE, until - clock.now())
      if (waitOf(platform) > 0) return { isAnswered: false, problem: toldToWait(waitOf(platform)), wasMade: false }
      if (ms <= 0) return { isAnswered: false, problem: 'no time left for it', wasMade: false }
      const late = () => new KikimimiError('STAGE_TIMEOUT', `no answer within ${ms / 1_000} s`)
      let wasMade = false
      try {
        const value = await withTimeout({ clock, ms, late, signal }, waiting =>
          queueOf(platform).run(() => {
            wasMade = true
            asking.requests++
            // A request that ignores its signal leaves the queue all the same.
            return withTimeout({ clock, ms, late, signal: waiting }, run)
          }, waiting),
        )
        return { isAnswered: true, value }
      } catch (error) {
        const told = retryAfterMs(error)
        const wait = told && Math.min(told, LONGEST_WAIT)
        if (wait !== undefined) limited.set(platform.name, clock.now() + wait)
        const problem = wait === undefined ? sanitizeText(redactError(error, texts), PROBLEM_LENGTH) : toldToWait(wait)
        return { isAnswered: false, problem, wasMade: wasMade && !signal.aborted }
      }
    },
  }
}

const toldToWait = (ms: number) => `rate limited, ${Math.ceil(ms / 1_000)} s`
