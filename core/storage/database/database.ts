import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import type { PgliteDatabase } from './pglite.ts'
import type { PostgresDatabase } from './postgres.ts'

export interface DatabaseDeps {
  readonly log: Logger
  readonly clock: Clock
}

/** Opens the database that a target names: a `postgres://` URL, a folder, or `memory` for one that nobody keeps. */
export async function openDatabase(target: string, deps: DatabaseDeps): Promise<PgliteDatabase | PostgresDatabase> {
  // Imported when needed: the one loads 15 MB of WebAssembly that the other has no use for.
  if (/^postgres(ql)?:/.test(target)) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres({ url: target, ...deps })
  }
  const { openPglite } = await import('./pglite.ts')
  return openPglite(target === 'memory' ? deps : { dir: target, ...deps })
}
