/** Backups of a bot: the plugin that makes them, and what the command line needs to read and write them. */
import { definePlugin, runWhenDue } from 'kikimimi'
import { createBackups } from './backups.ts'
import { backupsCommand } from './command.ts'
import { options } from './options.ts'
import { Backups } from './service.ts'

export { type Content, contentOf } from './data/checksums.ts'
export { dump, type WaitingJob } from './data/dump.ts'
export { type Restored, type RestoreOptions, restore } from './data/restore.ts'
export { dumpTo, linesIn } from './data/stream.ts'
export { atOneMoment, migrationsOf, rowsOf, tablesOf } from './data/tables.ts'
export { type Drilled, drill } from './drill.ts'
export { decrypted, type Key, newKey } from './encryption.ts'
export { type BackupOptions, options } from './options.ts'
export { type Past, type PastTable, pastIn, pastOf } from './rescue/past.ts'
export { type Left, type Rescued, type RescuedKind, type RescueOptions, rescue } from './rescue/rescue.ts'
export { spooled } from './spool.ts'
export { openStore } from './stores/open-store.ts'
export type { BackupStore, StoredBackup } from './stores/store.ts'

/** Milliseconds from the start to the first look. */
const FIRST_MS = 30_000

export default definePlugin({
  name: 'backup',
  options,
  provides: [Backups],
  cli: [backupsCommand],
  async setup(ctx, given) {
    const backups = await createBackups(ctx, given)
    ctx.provide(Backups, backups)
    const { clock, log } = ctx
    const lookBy = runWhenDue(ctx, 'look', backups.look)
    // Soon after the start, so that the operator sees whether it works.
    const lookNow = () =>
      lookBy(new Date(clock.now())).catch((error: unknown) => log.warn('could not look for a backup', { error }))
    ctx.scope.adopt(
      clock.setTimeout(() => void lookNow(), FIRST_MS),
      timer => clock.clearTimeout(timer),
    )
    return { health: backups.health }
  },
})
