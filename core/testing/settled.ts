import { setImmediate } from 'node:timers/promises'
import type { Database } from '../api/index.ts'
import type { Jobs } from '../storage/jobs/jobs.ts'
import type { MovedClock } from './test-clock.ts'

/** How many times in a row nothing must happen before all work counts as done. */
const QUIET = 4

/** How often the queue polls for due jobs that do not begin, because another job of their key can block them. */
const POLLS = 3

/** Longer waits of the queue are no polls, but limits on jobs. */
const POLL_INTERVAL = 1_000

/** Waits until all work is done, or waits for time to pass. */
export async function settled({ clock, queueIdle }: MovedClock, db: Database | undefined, jobs: Jobs): Promise<void> {
  let polls = 0
  for (let quiet = 0; quiet < QUIET; quiet++) {
    await setImmediate()
    if (db && db.inFlight > 0) quiet = -1
    if (quiet < QUIET - 1) continue
    await queueIdle()
    const { due, active, running } = await jobs.state()
    // The queue has yet to store that a job has ended, or to hand over a job.
    if (active > running || (db && db.inFlight > 0)) quiet = -1
    if (due > 0 && polls++ < POLLS) {
      clock.poll(POLL_INTERVAL)
      quiet = -1
    }
  }
}
