import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { QUEUE } from './pg-boss-db.ts'

/** Jobs that become due within this time are found by one look. */
const TOGETHER_MS = 50
/** Node fires a timer with a longer delay at once. */
const LONGEST_MS = 24 * 60 * 60_000

export interface Look {
  start(): void
  stop(): void
  /** A job becomes due at this time. */
  alarm(at: number): void
  /** Looks as soon as possible: a job may be due. */
  now(): void
}

/**
 * Finds out when jobs become due, with one statement at the time of each, and one every `everyMs` for jobs that no alarm is for:
 * those of another process, and of a process that died.
 *
 * @param found gets the number of due jobs
 */
export function createLook(
  options: { readonly db: Database; readonly clock: Clock; readonly log: Logger; readonly everyMs: number },
  found: (due: number) => void,
): Look {
  const { db, clock, log, everyMs } = options
  // An alarm that is set in a transaction fires after it.
  const outside = AsyncLocalStorage.snapshot()
  let interval: unknown
  let timer: unknown
  let at = Number.POSITIVE_INFINITY
  let isStarted = false
  let isWanted = false
  let isLooking = false

  function alarm(time: number): void {
    if (!isStarted || time >= at) return
    clock.clearTimeout(timer)
    at = time
    const ms = Math.min(Math.max(time - clock.now(), TOGETHER_MS), LONGEST_MS)
    timer = clock.setTimeout(() => {
      at = Number.POSITIVE_INFINITY
      outside(look)
    }, ms)
  }

  function look(): void {
    isWanted = true
    if (!isLooking) void lookUntilDone()
  }

  async function lookUntilDone(): Promise<void> {
    isLooking = true
    while (isWanted && isStarted) {
      // Notifications of one moment are answered together.
      await setImmediate()
      isWanted = false
      try {
        const { rows } = await db.query<{ due: number; inMs: number | null }>(DUE)
        for (const { due, inMs } of rows) {
          found(due)
          if (inMs !== null) alarm(clock.now() + inMs)
        }
      } catch (error) {
        // The next look follows within seconds.
        if (isStarted) log.warn(`job queue: ${reason(error)}`)
      }
    }
    isLooking = false
  }

  return {
    alarm,
    now: look,
    start() {
      isStarted = true
      interval = clock.setInterval(look, everyMs)
      look()
    },
    stop() {
      isStarted = false
      clock.clearInterval(interval)
      clock.clearTimeout(timer)
    },
  }
}

/** On the clock of the database, which decides what is due. */
const DUE = `
  select count(*) filter (where start_after <= pgboss.job_now())::int as due,
    ceil(1000 * extract(epoch from min(start_after) filter (where start_after > pgboss.job_now()) - pgboss.job_now()))::float8 as "inMs"
  from pgboss.job where name = '${QUEUE}' and state < 'active'`
