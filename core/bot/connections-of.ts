import type { Settings } from '../api/config.ts'
import { KikimimiError } from '../base/errors.ts'
import type { PostgresOptions } from '../storage/database/postgres.ts'

/**
 * The connections to a server: bot.config.ts before the environment. Two at least: an upgrade holds a lock on one and works on another.
 * Throws CONFIG_INVALID.
 */
export function connectionsOf({ postgres }: Pick<Settings, 'postgres'>, env: NodeJS.ProcessEnv): Omit<PostgresOptions, 'url'> {
  const { DATABASE_CONNECTIONS, DATABASE_DIRECT_URL } = env
  const connections = postgres.connections ?? (DATABASE_CONNECTIONS ? Number(DATABASE_CONNECTIONS) : undefined)
  if (connections !== undefined && !(Number.isInteger(connections) && connections >= 2)) {
    throw new KikimimiError(
      'CONFIG_INVALID',
      `DATABASE_CONNECTIONS must be a whole number from 2, got "${DATABASE_CONNECTIONS}".`,
    )
  }
  return { connections, directUrl: postgres.directUrl ?? (DATABASE_DIRECT_URL || undefined) }
}
