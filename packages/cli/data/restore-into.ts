/** Restoring a backup for a bot. */
import { type Restored, restore } from '@kikimimi/backup'
import { type Bot, type BotConfig, type Database, type Logger, type PersonKey, startBot, systemClock } from 'kikimimi'
import { openDatabase } from 'kikimimi/host'
import { createLog } from '../log.ts'
import { counted, createProgress, type Progress } from '../progress.ts'
import { intoEmpty } from './into-empty.ts'
import { migrationFolders } from './read-backup.ts'
import { scheduleJobs } from './schedule-jobs.ts'

interface Into {
  readonly bot: BotConfig
  readonly project: URL
  readonly lines: AsyncGenerator<string, void>
}

/**
 * Restores a backup into an empty database, which this version then upgrades, with its jobs and without people who were forgotten since.
 *
 * @param target a folder, `memory`, or the URL of a server
 * @throws what {@link restore} throws
 */
export async function restoreInto(target: string, { bot, project, lines }: Into): Promise<Restored> {
  const log = createLog('warn')
  const folders = await migrationFolders(bot)
  await using scope = new AsyncDisposableStack()
  scope.defer(async () => void (await lines.return()))
  await rehearse(bot, project, log)
  return await intoEmpty(target, { log, owners: folders.keys() }, async db => {
    using progress = createProgress()
    const restored = await restore(db, watched(lines, progress), { clock: systemClock, folders })
    // An idle bot updates the tables and knows the kinds of jobs.
    await using idle = await startBot(bot, { log, project, db, idle: true })
    await scheduleJobs(idle, restored.jobs)
    await forgetAgain(idle, db)
    return restored
  })
}

/** The idle bot has found the people who were forgotten since the backup. */
async function forgetAgain(idle: Bot, db: Database): Promise<void> {
  const { rows } = await db.query<PersonKey>('select platform, person as id from kikimimi.forgetting where began_at is null')
  for (const person of rows) await idle.forget(person)
}

async function* watched(lines: AsyncIterable<string>, progress: Progress): AsyncGenerator<string, void> {
  let count = 0
  for await (const line of lines) {
    progress.show(counted(++count, 'rows'))
    yield line
  }
}

/** The jobs are scheduled by a bot, after the rows. A bot that cannot start fails here, before anything is restored. */
async function rehearse(bot: BotConfig, project: URL, log: Logger): Promise<void> {
  const db = await openDatabase('memory', { clock: systemClock, log })
  try {
    await (await startBot(bot, { log, project, db, idle: true })).stop()
  } finally {
    await db.close()
  }
}
