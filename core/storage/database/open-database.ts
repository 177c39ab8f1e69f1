/** Opens the bot's database, and maintains it while the bot runs. */
import type { Clock } from '../../base/clock.ts'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { openDatabase } from './database.ts'
import type { PgliteDatabase } from './pglite/database.ts'
import type { PostgresDatabase, PostgresOptions } from './postgres.ts'

/** A database that is open, of either kind. */
export type OpenDatabase = PgliteDatabase | PostgresDatabase

export interface OwnDatabaseOptions {
  readonly clock: Clock
  readonly log: Logger
  /** Closes it. */
  readonly scope: AsyncDisposableStack
  /** Connections to a server, and whether to wait for it. */
  readonly postgres: Omit<PostgresOptions, 'url'>
}

const MAINTENANCE = 5 * 60_000

/** Opens the database. Returns nothing when bot.config.ts sets `database: false`. */
export async function openConfiguredDatabase(
  database: string | false,
  { clock, log, scope, postgres }: OwnDatabaseOptions,
): Promise<OpenDatabase | undefined> {
  if (database === false) return undefined
  const db = scope.adopt(await openDatabase(database, { clock, log, postgres }), opened => opened.close())
  const maintain = async () => {
    try {
      await db.maintain()
    } catch (error) {
      log.warn(`database maintenance failed: ${reason(error)}`)
    }
  }
  scope.adopt(
    clock.setInterval(() => void maintain(), MAINTENANCE),
    timer => clock.clearInterval(timer),
  )
  return db
}
