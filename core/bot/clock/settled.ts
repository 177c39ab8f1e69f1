import { setImmediate } from 'node:timers/promises'
import type { Steps } from '../../base/clock.ts'
import type { OpenDatabase } from '../../storage/database/open-database.ts'
import type { Jobs } from '../../storage/jobs/jobs.ts'
import type { MovedClock } from './moved-clock.ts'

/** How many times in a row nothing must happen before all work counts as done. */
const QUIET = 4

/** How often the queue polls for due jobs that do not begin, because another job of their key can block them. */
const POLLS = 3

/** Longer waits of the queue are no polls, but limits on jobs. */
const POLL_INTERVAL = 1_000

/** How a clock with a bot on it is moved: it stops at each job, and waits until what has begun is done. */
export function stepsOf(time: MovedClock, db: OpenDatabase | undefined, jobs: () => Jobs): Steps {
  let next: number | undefined
  // The embedded database has one process. Without a statement since the last look at a stored queue, the queue is as it was.
  let known: number | undefined
  const statements = () => (db?.kind === 'pglite' && jobs().isStored ? db.statements : undefined)
  const isKnown = () => known !== undefined && known === statements()

  /** Waits until everything that runs is done, or waits for time to pass. */
  async function settle(): Promise<void> {
    for (let polls = 0; ; ) {
      await quiet(db)
      if (isKnown()) return
      await time.queueIdle()
      const before = statements()
      const { due, active, running, next: soonest } = await jobs().state()
      // The queue has yet to write down that a job has ended, or to hand over one that it has begun.
      const isMoving = active > running || (db !== undefined && db.inFlight > 0)
      if (due > 0 && polls++ < POLLS) time.clock.poll(POLL_INTERVAL)
      else if (!isMoving) {
        next = soonest
        // The look itself is one.
        known = before !== undefined && statements() === before + 1 ? before + 1 : undefined
        return
      }
    }
  }

  return {
    settle,
    next: async () => next,
    async moved(at) {
      const isDone = isKnown() && (next === undefined || at < next)
      await time.moved(at)
      known = isDone ? statements() : undefined
    },
  }
}

/** Waits until no statement is under way, for some turns of the event loop. */
async function quiet(db: OpenDatabase | undefined): Promise<void> {
  for (let turns = 0; turns < QUIET; turns++) {
    await setImmediate()
    if (db && db.inFlight > 0) turns = -1
  }
}
