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

/** @param sql the clock that the statements of pg-boss read. Default: one that each start of the queue adds to the database, and each stop removes. */
export function movedClock(start: Date, sql: Pick<SqlClock, 'attach' | 'setTime'> = new SqlClock(start)): MovedClock {
  const clock = new VirtualClock(start)
  let idle: (() => Promise<boolean>) | undefined
  // pg-boss sets its timers on ours.
  const attach: AttachableClock['attach'] = async target => {
    idle = target.idle
    const attached = await sql.attach(target)
    await sql.setTime(clock.now())
    return attached
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
