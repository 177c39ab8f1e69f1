/** The session of a command in a process of its own. */
import { offline } from '@kikimimi/offline'
import { KikimimiError, startBot, systemClock } from 'kikimimi'
import { checkConfig, KERNEL_MIGRATIONS, migrate, openDatabase } from 'kikimimi/host'
import { runBeside } from './beside/client.ts'
import { createLog } from './log.ts'
import { readBot } from './read-bot.ts'
import type { Opened, Session } from './session.ts'
import { setUpAlone } from './set-up-alone.ts'

export function ownProcess(): Session {
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    input: () => process.stdin,
    cwd: process.cwd(),
    signal: new AbortController().signal,
    end(code) {
      process.exitCode = code
    },
    readBot,
    open,
    setUp: plan => setUpAlone(plan, { log: createLog('error'), env: process.env }),
    async startBot(file, opened) {
      const { config, project } = opened ?? (await readBot(file))
      const parts = { log: createLog('warn'), project, idle: true, defaultModel: offline() }
      return startBot(config, { ...parts, ...(opened && { db: opened.db }) })
    },
    async runBeside(file, args) {
      const { config } = await readBot(file)
      return runBeside(checkConfig(config).database, args)
    },
  }
}

async function open(file: string): Promise<Opened> {
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
