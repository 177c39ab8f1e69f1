import { type BotConfig, KikimimiError, systemClock } from 'kikimimi'
import { checkConfig, KERNEL_MIGRATIONS, migrate, openDatabase } from 'kikimimi/host'
import { createLog } from './log.ts'
import { readBot } from './read-bot.ts'

export interface Opened extends AsyncDisposable {
  readonly config: BotConfig
  readonly project: URL
  readonly db: Awaited<ReturnType<typeof openDatabase>>
}

/**
 * The database of a bot, without the bot.
 *
 * @throws DATABASE_NONE if the bot has no database, DATABASE_LOCKED if its data is a folder and the bot runs
 */
export async function openFor(file: string): Promise<Opened> {
  const { config, project } = await readBot(file)
  const { database } = checkConfig(config)
  if (database === false) {
    throw new KikimimiError('DATABASE_NONE', `This bot has no database and keeps nothing. Set "database" in ${file}.`)
  }
  const db = await openDatabase(database, { clock: systemClock, log: createLog('warn') })
  try {
    await migrate(db, 'kikimimi', KERNEL_MIGRATIONS, systemClock)
  } catch (error) {
    await db.close()
    throw error
  }
  return { config, project, db, [Symbol.asyncDispose]: () => db.close() }
}
