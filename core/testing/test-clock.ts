import { type AttachableClock, TestClock as SqlClock } from 'pg-boss'
import { type Clock, VirtualClock } from '../clock.ts'

/** A clock that a test moves, for the bot, for its job queue, and for what SQL takes for now. */
export interface MovedClock {
  readonly clock: VirtualClock
  readonly jobClock: Clock
  /** Tells the database. */
  moved(time: number): Promise<void>
}

export function movedClock(start: Date): MovedClock {
  const clock = new VirtualClock(start)
  // pg-boss reads the time of its own test clock in SQL, and sets its timers on ours.
  const sql = new SqlClock(start)
  const jobClock: AttachableClock = Object.assign(clock.lazily(), {
    attach: (target: Parameters<SqlClock['attach']>[0]) => sql.attach(target),
  })
  return { clock, jobClock, moved: time => sql.setTime(time) }
}
