import type { Database } from '../../api/index.ts'
import { KikimimiError } from '../../base/errors.ts'

/** The database of a bot that runs in memory alone. Every statement rejects with DATABASE_NONE. */
export function noDatabase(): Database {
  const refuse = async (): Promise<never> => {
    throw new KikimimiError(
      'DATABASE_NONE',
      'This bot runs in memory alone and has no database. Set "database" in bot.config.ts.',
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
