import type { Database } from '../../api/index.ts'
import { KikimimiError } from '../../base/errors.ts'

/** The database of a bot that runs in memory alone. Every statement of the plugin rejects with DATABASE_NONE. */
export function noDatabase(plugin: string): Database {
  const refuse = async (): Promise<never> => {
    throw new KikimimiError(
      'DATABASE_NONE',
      `[${plugin}] needs a database, and this bot runs in memory alone. Set "database" in bot.config.ts.`,
    )
  }
  return {
    kind: 'none',
    inTransaction: false,
    inFlight: 0,
    statements: 0,
    query: refuse,
    transaction: refuse,
    script: refuse,
    listen: refuse,
    maintain: refuse,
    compact: refuse,
    close: async () => {},
  }
}
