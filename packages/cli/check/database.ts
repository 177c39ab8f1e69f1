/** Checks the database of a bot and the state of its tables. */

import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Database, type Finding, KikimimiError } from 'kikimimi'
import {
  claimFolder,
  type DatabaseDeps,
  KERNEL_MIGRATIONS,
  type LoadedPlugin,
  needsDatabase,
  type OpenDatabase,
  openDatabase,
  pendingMigrations,
  reason,
} from 'kikimimi/host'
import { probe } from './probe.ts'

const WHAT = 'database'
const BY_START = 'the next start'

/** Opens a database for `use`. @throws what `openDatabase` and `use` throw */
export type Lend = <T>(target: string, use: (db: OpenDatabase) => Promise<T>) => Promise<T>

/** Closes the database after each use. */
export function lendOnce(deps: DatabaseDeps): Lend {
  return async (target, use) => {
    const db = await openDatabase(target, deps)
    try {
      return await use(db)
    } finally {
      await db.close()
    }
  }
}

export async function checkDatabase(
  target: string | false,
  plugins: readonly LoadedPlugin[],
  lend: Lend,
): Promise<readonly Finding[]> {
  if (target === false) return [withoutOne(plugins)]
  if (target === 'memory') return [{ what: `${WHAT}: in memory, lost when the bot stops` }]
  try {
    const isServer = /^postgres(ql)?:/.test(target)
    if (!isServer && isNew(target)) return [{ what: `${WHAT}: ${target}, will be created by ${BY_START}` }]
    return await lend(target, db => checkTables(db, target, plugins))
  } catch (error) {
    if (error instanceof KikimimiError && error.code === 'DATABASE_LOCKED') {
      return [{ what: `${WHAT}: ${target} is in use by a running bot; stop the bot to check its tables` }]
    }
    return [{ what: WHAT, problem: reason(error) }]
  }
}

function withoutOne(plugins: readonly LoadedPlugin[]): Finding {
  const needing = plugins.filter(needsDatabase)
  if (needing.length === 0) return { what: `${WHAT}: none, the bot keeps nothing` }
  const names = needing.map(({ name }) => name).join(', ')
  return { what: WHAT, problem: `none, but some plugins need one (${names}). Set "database" in bot.config.ts.` }
}

/** Whether the folder holds no database yet. @throws DATABASE_UNREACHABLE if it cannot be created, DATABASE_LOCKED if another process uses it */
function isNew(target: string): boolean {
  const path = resolve(target)
  if (existsSync(path)) {
    const folder = claimFolder(path)
    folder.release()
    return folder.fresh
  }
  let above = dirname(path)
  while (!existsSync(above)) above = dirname(above)
  try {
    accessSync(above, constants.W_OK | constants.X_OK)
    return true
  } catch (error) {
    throw new KikimimiError('DATABASE_UNREACHABLE', `Cannot create ${path}: ${reason(error)}. Choose another folder.`, {
      cause: error,
    })
  }
}

async function checkTables(db: OpenDatabase, target: string, plugins: readonly LoadedPlugin[]): Promise<readonly Finding[]> {
  const { rows } = await db.query<{ server: string; vector: string }>(
    `select current_setting('server_version') as server, extversion as vector from pg_extension where extname = 'vector'`,
  )
  const name = db.kind === 'pglite' ? `${target}, PGlite with Postgres` : 'Postgres'
  const kinds = rows.map(({ server, vector }) => ({ what: `${WHAT}: ${name} ${server}, pgvector ${vector}` }))
  const { value, finding } = await probe('tables', () => pendingIn(db, plugins))
  if (value === undefined) return [...kinds, finding]
  const steps = value.length === 0 ? 'up to date' : `will be updated by ${BY_START} (${value.join(', ')})`
  return [...kinds, { what: `tables: ${steps}` }]
}

/** The number of pending migrations of each owner. */
async function pendingIn(db: Database, plugins: readonly LoadedPlugin[]): Promise<string[]> {
  const kernel = { name: 'kikimimi', folder: KERNEL_MIGRATIONS }
  const pending: string[] = []
  for (const { name, folder } of [kernel, ...plugins.map(({ name, definition }) => ({ name, folder: definition.migrations }))]) {
    const steps = folder ? await pendingMigrations(db, name, folder) : []
    if (steps.length > 0) pending.push(`${name}: ${steps.length}`)
  }
  return pending
}
