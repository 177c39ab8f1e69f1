import type { PGlite } from '@electric-sql/pglite'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { claimFolder, type DataFolder } from './pglite/data-folder.ts'
import { PgliteDatabase } from './pglite/database.ts'
import { startPglite } from './pglite/start.ts'
import { loadTemplate } from './pglite/template.ts'
import { OID, readText, readVector, toSql } from './sql-values.ts'

export interface PgliteDeps {
  readonly log: Logger
  readonly clock: Clock
  /** Folder of the prepared database. Default: KIKIMIMI_CACHE, or beside the dependencies. */
  readonly cacheDir?: string
}

/**
 * Opens the embedded database in a folder, and creates a missing one. Without a folder it is in memory. Throws
 * DATABASE_LOCKED, DATABASE_UNREACHABLE or DATABASE_BROKEN.
 */
export async function openPglite({ dir, log, clock, cacheDir }: PgliteDeps & { readonly dir?: string }): Promise<PgliteDatabase> {
  const folder = dir === undefined ? undefined : claimFolder(dir)
  try {
    return new PgliteDatabase(await start(folder, log, cacheDir), folder, clock, log)
  } catch (error) {
    folder?.release()
    throw error
  }
}

async function start(folder: DataFolder | undefined, log: Logger, cacheDir: string | undefined): Promise<PGlite> {
  if (!folder) return ready(await startPglite({ loadDataDir: await loadTemplate(log, cacheDir) }, log))
  try {
    if (!folder.fresh) return await ready(await startPglite({ dataDir: folder.path }, log))
    const template = await loadTemplate(log, cacheDir)
    folder.filling()
    const lite = await startPglite({ dataDir: folder.path, loadDataDir: template }, log)
    folder.filled()
    return await ready(lite)
  } catch (error) {
    throw refusal(folder, error)
  }
}

function refusal({ path, fresh }: DataFolder, error: unknown): KikimimiError {
  const why = reason(error)
  const [code, advice] = /no space left/i.test(why)
    ? (['DATABASE_UNREACHABLE', 'Make room on the disk.'] as const)
    : /permission denied/i.test(why)
      ? (['DATABASE_UNREACHABLE', 'Give this user the right to read and write its files.'] as const)
      : (['DATABASE_BROKEN', 'Move the folder away and restore a backup, or start with an empty one.'] as const)
  return new KikimimiError(code, `Cannot ${fresh ? 'make a' : 'open the'} database in ${path}: ${why}. ${advice}`, {
    cause: error,
  })
}

async function ready(lite: PGlite): Promise<PGlite> {
  await lite.exec('create extension if not exists vector')
  const { rows } = await lite.query<{ oid: number }>(`select oid from pg_type where typname = 'vector'`)
  for (const { oid } of rows) {
    lite.parsers[oid] = readVector
    // Bytes are fine, though the type says text.
    lite.serializers[oid] = value => toSql(value) as string
  }
  lite.parsers[OID.date] = readText
  return lite
}
