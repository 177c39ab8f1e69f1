/** The database of a bot, and whether its tables are as the bot wants them. */

import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Database, type Finding, KikimimiError } from 'kikimimi'
import {
  claimFolder,
  type DatabaseDeps,
  type LoadedPlugin,
  needsDatabase,
  openDatabase,
  pendingMigrations,
  reason,
} from 'kikimimi/host'
import { look } from './look.ts'

const WHAT = 'database'
const BY_START = 'the next start'

export async function checkDatabase(
  target: string | false,
  plugins: readonly LoadedPlugin[],
  deps: DatabaseDeps,
): Promise<readonly Finding[]> {
  if (target === false) return [withoutOne(plugins)]
  if (target === 'memory') return [{ what: `${WHAT}: in memory, and gone when the bot stops` }]
  try {
    const isServer = /^postgres(ql)?:/.test(target)
    if (!isServer && isToBeMade(target)) return [{ what: `${WHAT}: ${target}, made by ${BY_START}` }]
    return await lookInto(target, plugins, deps)
  } catch (error) {
    if (error instanceof KikimimiError && error.code === 'DATABASE_LOCKED') {
      return [{ what: `${WHAT}: ${target} is in use by a bot that runs; stop it to have its tables looked at` }]
    }
    return [{ what: WHAT, problem: reason(error) }]
  }
}

function withoutOne(plugins: readonly LoadedPlugin[]): Finding {
  const needing = plugins.filter(needsDatabase)
  if (needing.length === 0) return { what: `${WHAT}: none, it keeps nothing` }
  const names = needing.map(({ name }) => name).join(', ')
  return { what: WHAT, problem: `there is none, and some plugins need one (${names}). Set "database" in bot.config.ts.` }
}

/** Whether the folder holds no database yet. Throws when it cannot hold one, or another process has it. */
function isToBeMade(target: string): boolean {
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
    throw new KikimimiError('DATABASE_UNREACHABLE', `Cannot make ${path}: ${reason(error)}. Choose another folder.`, {
      cause: error,
    })
  }
}

async function lookInto(target: string, plugins: readonly LoadedPlugin[], deps: DatabaseDeps): Promise<readonly Finding[]> {
  const db = await openDatabase(target, deps)
  try {
    const { rows } = await db.query<{ server: string; vector: string }>(
      `select current_setting('server_version') as server, extversion as vector from pg_extension where extname = 'vector'`,
    )
    const name = db.kind === 'pglite' ? `${target}, PGlite with Postgres` : 'Postgres'
    const kinds = rows.map(({ server, vector }) => ({ what: `${WHAT}: ${name} ${server}, pgvector ${vector}` }))
    const { value, finding } = await look('tables', () => pendingIn(db, plugins))
    if (value === undefined) return [...kinds, finding]
    const steps = value.length === 0 ? 'up to date' : `to be brought up to date by ${BY_START} (${value.join(', ')})`
    return [...kinds, { what: `tables: ${steps}` }]
  } finally {
    await db.close()
  }
}

/** How many steps each still has to take. */
async function pendingIn(db: Database, plugins: readonly LoadedPlugin[]): Promise<string[]> {
  const kernel = { name: 'kikimimi', folder: new URL('../../../core/storage/migrations/', import.meta.url) }
  const pending: string[] = []
  for (const { name, folder } of [kernel, ...plugins.map(({ name, definition }) => ({ name, folder: definition.migrations }))]) {
    const steps = folder ? await pendingMigrations(db, name, folder) : []
    if (steps.length > 0) pending.push(`${name}: ${steps.length}`)
  }
  return pending
}
