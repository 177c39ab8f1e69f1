/** Opens the bot's database, maintains it while the bot runs, and checks whether it answers. */
import type { Clock } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { withTimeout } from '../../base/timeout.ts'
import { openDatabase } from './database.ts'
import type { PgliteDatabase } from './pglite.ts'
import type { PostgresDatabase } from './postgres.ts'

/** A database that is open, of either kind. */
export type OpenDatabase = PgliteDatabase | PostgresDatabase

export interface OwnDatabaseOptions {
  readonly clock: Clock
  readonly log: Logger
  /** Closes it. */
  readonly scope: AsyncDisposableStack
  /** Runs when the database is broken for good. */
  fail(error: Error): void
}

const MAINTENANCE = 5 * 60_000

/** Milliseconds: the check for readiness must answer soon. */
const DEADLINE = 3_000

/** Opens the database. Returns nothing when bot.config.ts sets `database: false`. */
export async function openConfiguredDatabase(
  database: string | false,
  { clock, log, scope, fail }: OwnDatabaseOptions,
): Promise<OpenDatabase | undefined> {
  if (database === false) return undefined
  const db = scope.adopt(await openDatabase(database, { clock, log }), opened => opened.close())
  const maintain = async () => {
    try {
      await db.maintain()
    } catch (error) {
      if (error instanceof KikimimiError && error.code === 'DATABASE_BROKEN') fail(error)
      else log.warn(`database maintenance failed: ${reason(error)}`)
    }
  }
  scope.adopt(
    clock.setInterval(() => void maintain(), MAINTENANCE),
    timer => clock.clearInterval(timer),
  )
  return db
}

/** Why the database does not answer; nothing when it does. */
export async function unanswered(db: OpenDatabase | undefined, clock: Clock): Promise<string | undefined> {
  const late = () => new KikimimiError('DATABASE_UNREACHABLE', `no answer within ${DEADLINE / 1_000} s`)
  try {
    await withTimeout({ clock, ms: DEADLINE, late }, async () => db?.query('select 1'))
    return undefined
  } catch (error) {
    return `database: ${reason(error)}`
  }
}
