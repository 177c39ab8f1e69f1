/** The databases of bots in tests: one for all of them, one after the other. */
import type { PluginEntry } from '../api/config.ts'
import { systemClock } from '../base/clock.ts'
import type { OpenDatabase } from '../storage/database/open-database.ts'
import { type Owners, resetDatabase } from './reset-database.ts'
import { openTestDatabase, sharedTestDatabase } from './test-database.ts'

export interface LentDatabase extends AsyncDisposable {
  readonly db: OpenDatabase
}

const KERNEL_TABLES = new URL('../storage/migrations/', import.meta.url)

/** The folders of the plugins' migrations. Entries that are not plugins are skipped: the start refuses them. */
export function tablesOf(plugins: readonly PluginEntry[]): Owners {
  return plugins.flatMap(entry => {
    if (!entry) return []
    if (isList(entry)) return tablesOf(entry)
    const { name, migrations } = entry.definition ?? {}
    return name && migrations ? [[name, migrations] as const] : []
  })
}

/** The shared database, with the tables of the kernel and of these plugins, without rows. */
export async function emptyDatabase(tables: Owners): Promise<OpenDatabase> {
  const db = await sharedTestDatabase()
  await resetDatabase(db, [['kikimimi', KERNEL_TABLES], ...tables], systemClock)
  return db
}

let isLent = false

/**
 * Lends the shared database, with the tables of these plugins and without rows, until it is disposed of. While it is lent, the
 * next one is a new database.
 */
export async function lendTestDatabase(plugins: readonly PluginEntry[]): Promise<LentDatabase> {
  if (isLent) {
    const db = await openTestDatabase()
    return { db, [Symbol.asyncDispose]: () => db.close() }
  }
  isLent = true
  const giveBack = async () => {
    isLent = false
  }
  try {
    return { db: await emptyDatabase(tablesOf(plugins)), [Symbol.asyncDispose]: giveBack }
  } catch (error) {
    await giveBack()
    throw error
  }
}

/** `Array.isArray` loses the element type of a readonly array. */
function isList(entry: PluginEntry): entry is readonly PluginEntry[] {
  return Array.isArray(entry)
}
