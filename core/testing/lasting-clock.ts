import { disableClockOverride, TestClock } from 'pg-boss'

type SqlClock = Pick<TestClock, 'attach' | 'setTime'>

/** Kept on the database, which test files share. */
const CLOCK = Symbol.for('kikimimi.test.clock')

/**
 * The clock of the job queue in a database that bots use one after the other. It stays there: to add and remove it for each bot changes
 * the schema, and Postgres would plan all statements again.
 */
export function lastingClock(db: object & { [CLOCK]?: SqlClock }): SqlClock {
  db[CLOCK] ??= create()
  return db[CLOCK]
}

function create(): SqlClock {
  const clock = new TestClock()
  let attached: Promise<unknown> | undefined
  let last: Promise<void> = Promise.resolve()
  return {
    async attach(target) {
      attached ??= clock.attach(target)
      await attached
      // Bots on the clock of the system use the same session.
      return { [Symbol.asyncDispose]: async () => void (await target.db.executeSql(disableClockOverride())) }
    },
    /** One after the other: several bots may use the database. */
    setTime(time) {
      last = last.then(() => clock.setTime(time))
      return last
    },
  }
}
