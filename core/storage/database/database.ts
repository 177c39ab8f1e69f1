import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import type { PgliteDatabase } from './pglite/database.ts'
import type { PostgresDatabase, PostgresOptions } from './postgres.ts'

export interface DatabaseDeps {
  readonly log: Logger
  readonly clock: Clock
  /** Connections to a server. */
  readonly postgres?: Omit<PostgresOptions, 'url'> | undefined
}

/** Opens the database of a target: a `postgres://` URL, a folder, or `memory` for one that is not stored. */
export async function openDatabase(target: string, deps: DatabaseDeps): Promise<PgliteDatabase | PostgresDatabase> {
  // Imported when needed: PGlite loads 15 MB of WebAssembly that a server connection does not need.
  if (/^postgres(ql)?:/.test(target)) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres({ url: target, ...deps.postgres })
  }
  const { openPglite } = await import('./pglite.ts')
  return openPglite(target === 'memory' ? deps : { dir: target, ...deps })
}
