import type { Database } from '../../api/index.ts'
import { KikimimiError } from '../../base/errors.ts'

/** The database of a bot that runs in memory alone. Every statement of the plugin rejects with DATABASE_NONE. */
export function noDatabase(plugin: string): Database {
  const refuse = async (): Promise<never> => {
    throw databaseMissing(plugin)
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

/** The refusal of a plugin that needs a database, in a bot without one. */
export function databaseMissing(plugin: string): KikimimiError {
  const remedy = 'Set "database" in bot.config.ts: with "memory" the data lasts until the bot stops.'
  return new KikimimiError('DATABASE_NONE', `[${plugin}] needs a database, and this bot runs in memory alone. ${remedy}`)
}
