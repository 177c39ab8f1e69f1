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
  /** Of the queues that run: the time moves when their statements have ended. */
  const idles = new Set<() => Promise<boolean>>()
  const idle = async () => (await Promise.all([...idles].map(one => one()))).includes(true)
  let attached: Promise<unknown> | undefined
  let last: Promise<void> = Promise.resolve()
  return {
    async attach(target) {
      if (target.idle) idles.add(target.idle)
      attached ??= clock.attach({ ...target, idle })
      await attached
      return {
        async [Symbol.asyncDispose]() {
          if (target.idle) idles.delete(target.idle)
          // Bots on the clock of the system use the same session.
          await target.db.executeSql(disableClockOverride())
        },
      }
    },
    /** One after the other: several bots may use the database. */
    setTime(time) {
      last = last.then(() => clock.setTime(time))
      return last
    },
  }
}
