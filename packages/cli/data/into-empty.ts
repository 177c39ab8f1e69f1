/** A database that gets data at once, or stays as it was. */
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Logger, systemClock } from 'kikimimi'
import { type OpenDatabase, openDatabase, reason } from 'kikimimi/host'

interface Deps {
  readonly log: Logger
  /** The owners of the schemas that `fill` can make. */
  readonly owners: Iterable<string>
}

/**
 * Opens a database for `fill`, and closes it. When `fill` fails, the files and schemas that were not there before are removed.
 *
 * @param target a folder, `memory`, or the URL of a server
 * @throws what `openDatabase` and `fill` throw
 */
export async function intoEmpty<T>(target: string, deps: Deps, fill: (db: OpenDatabase) => Promise<T>): Promise<T> {
  const isFolder = target !== 'memory' && !target.includes('://')
  const clear = isFolder ? await folderBefore(resolve(target)) : undefined
  try {
    const db = await openDatabase(target, { clock: systemClock, log: deps.log })
    try {
      const drop = db.kind === 'postgres' ? await schemasBefore(db, deps.owners) : undefined
      try {
        return await fill(db)
      } catch (error) {
        await drop?.().catch(failed => deps.log.warn(`Could not remove the tables that were made: ${reason(failed)}`))
        throw error
      }
    } finally {
      await db.close()
    }
  } catch (error) {
    await clear?.().catch(failed => deps.log.warn(`Could not remove the files that were made: ${reason(failed)}`))
    throw error
  }
}

/** Returns the function that removes what is in the folder, if it was empty, with what stands beside it. */
async function folderBefore(path: string): Promise<(() => Promise<void>) | undefined> {
  const isThere = existsSync(path)
  // A file, or a database: it stays as it is.
  if (isThere && (await readdir(path).catch(() => ['a file'])).length > 0) return undefined
  const beside = [`${path}.lock`, `${path}.sock`].filter(file => !existsSync(file))
  return async () => {
    const made = isThere ? (await readdir(path)).map(name => join(path, name)) : [path]
    for (const one of [...made, ...beside]) await rm(one, { recursive: true, force: true })
  }
}

/** The schemas of the job queue and of the views for plugins. */
const OTHERS = ['pgboss', 'kikimimi_v1']

/** Returns the function that drops the schemas that were not there before. */
async function schemasBefore(db: OpenDatabase, owners: Iterable<string>): Promise<() => Promise<void>> {
  const wanted = [...[...owners].map(owner => owner.replaceAll('-', '_')), ...OTHERS]
  const present = async () => {
    const { rows } = await db.query<{ name: string }>('select nspname as name from pg_namespace where nspname = any($1)', [wanted])
    return rows.map(({ name }) => name)
  }
  const before = new Set(await present())
  return async () => {
    for (const name of await present()) if (!before.has(name)) await db.script(`drop schema "${name}" cascade`)
  }
}
