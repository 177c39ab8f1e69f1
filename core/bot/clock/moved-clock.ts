import { type AttachableClock, TestClock as SqlClock } from 'pg-boss'
import { type Clock, VirtualClock } from '../../base/clock.ts'

/** A clock that a test or a scene moves, for the bot, for its job queue, and for "now" in SQL. */
export interface MovedClock {
  readonly clock: VirtualClock
  readonly jobClock: Clock
  /** Passes the time to the database. */
  moved(time: number): Promise<void>
  /** Waits until no statement of the queue runs. */
  queueIdle(): Promise<void>
}

export function movedClock(start: Date): MovedClock {
  const clock = new VirtualClock(start)
  // pg-boss reads its own test clock in SQL, and sets its timers on ours.
  const sql = new SqlClock(start)
  let idle: (() => Promise<boolean>) | undefined
  const attach: AttachableClock['attach'] = target => {
    idle = target.idle
    return sql.attach(target)
  }
  const jobClock: AttachableClock = Object.assign(clock.lazily(), { attach })
  return {
    clock,
    jobClock,
    moved: time => sql.setTime(time),
    async queueIdle() {
      while (await idle?.());
    },
  }
}
