import { type BotConfig, KikimimiError, systemClock } from 'kikimimi'
import { checkConfig, loadConfig, migrate, openDatabase } from 'kikimimi/host'
import { createLog } from './log.ts'

export interface Opened extends AsyncDisposable {
  readonly config: BotConfig
  readonly project: URL
  readonly db: Awaited<ReturnType<typeof openDatabase>>
}

/**
 * The database of a bot, without the bot. Throws DATABASE_NONE for one without, DATABASE_LOCKED where the bot runs and its
 * data is a folder.
 */
export async function openFor(file: string): Promise<Opened> {
  const { config, project } = await loadConfig(file)
  const { database } = checkConfig(config)
  if (database === false) {
    throw new KikimimiError('DATABASE_NONE', `This bot has no database: it keeps nothing. Set "database" in ${file}.`)
  }
  const db = await openDatabase(database, { clock: systemClock, log: createLog('warn') })
  try {
    await migrate(db, 'kikimimi', new URL('../../core/storage/migrations/', import.meta.url), systemClock)
  } catch (error) {
    await db.close()
    throw error
  }
  return { config, project, db, [Symbol.asyncDispose]: () => db.close() }
}
