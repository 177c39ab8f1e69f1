/** The way back of a start that changes the tables of a data folder: if it fails, the earlier version finds its tables as they were. */
import { readdir } from 'node:fs/promises'
import { reason } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import type { LoadedPlugin } from '../kernel/host/plugin-context.ts'
import { ranIn } from '../storage/database/migrate.ts'
import type { OpenDatabase } from '../storage/database/open-database.ts'
import { KERNEL_MIGRATIONS } from '../storage/kernel-migrations.ts'

/** Before the migrations of a start. A server has no copy: processes of the earlier version may write to it meanwhile. */
export async function beginUpgrade(db: OpenDatabase, plugins: readonly LoadedPlugin[], log: Logger): Promise<void> {
  if (db.kind !== 'pglite' || !(db.isUpgrading || (await changesTables(db, plugins)))) return
  try {
    await db.beginUpgrade()
  } catch (error) {
    log.warn(
      `The data folder cannot be copied before its upgrade: ${reason(error)}. If the start fails, the way back is a backup.`,
    )
  }
}

/** Whether the start changes tables that an earlier version uses. The tables of a plugin that the bot did not have are new. */
async function changesTables(db: OpenDatabase, plugins: readonly LoadedPlugin[]): Promise<boolean> {
  const ran = await ranIn(db)
  const folders = plugins.map(({ name, definition }) => [name, definition.migrations] as const)
  for (const [owner, folder] of [['kikimimi', KERNEL_MIGRATIONS] as const, ...folders]) {
    const known = ran.get(owner)
    // A folder that cannot be read is refused by its migration.
    const names = known && folder ? await readdir(folder).catch(() => []) : []
    if (names.some(name => name.endsWith('.sql') && !known?.has(name))) return true
  }
  return false
}
