import { setImmediate } from 'node:timers/promises'
import type { Database } from '../api/index.ts'
import type { Steps } from '../base/clock.ts'
import type { Jobs } from '../storage/jobs/jobs.ts'
import type { MovedClock } from './test-clock.ts'

/** How often in a row nothing may happen before all counts as done. */
const QUIET = 4

/** How often the queue is made to look for jobs that are due and do not begin: others of their key may stand in their way. */
const POLLS = 3

/** Longer waits of the queue are no polls, but limits on jobs. */
const POLL_INTERVAL = 1_000

/** How a clock with a bot on it is moved: it stops at each job, and waits until what has begun is done. */
export function stepsOf(time: MovedClock, db: Database | undefined, jobs: () => Jobs): Steps {
  let next: number | undefined
  return {
    settle: async () => void (next = await settled(time, db, jobs())),
    next: async () => next,
    moved: time.moved,
  }
}

/** Waits until everything that runs is done, or waits for time to pass. Resolves with the time of the next job. */
async function settled(
  { clock, queueIdle }: MovedClock,
  db: Database | undefined,
  jobs: Jobs,
): Promise<number | undefined> {
  let polls = 0
  let soonest: number | undefined
  for (let quiet = 0; quiet < QUIET; quiet++) {
    await setImmediate()
    if (db && db.inFlight > 0) quiet = -1
    if (quiet < QUIET - 1) continue
    await queueIdle()
    const { due, active, running, next } = await jobs.state()
    soonest = next
    // The queue has yet to write down that a job has ended, or to hand over one that it has begun.
    if (active > running || (db && db.inFlight > 0)) quiet = -1
    if (due > 0 && polls++ < POLLS) {
      clock.poll(POLL_INTERVAL)
      quiet = -1
    }
  }
  return soonest
}
