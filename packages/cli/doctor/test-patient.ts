/** A bot with a database of its own, into which a test plants faults. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Database, systemClock } from 'kikimimi'
import { openDatabase } from 'kikimimi/host'
import { openTestDatabase, silentLog, testServer } from 'kikimimi/testing'
import { called, cli, type Ended } from '../testing/command.ts'

export type Kind = 'pglite' | 'postgres'

/** The server of the tests, or else the embedded database. */
export const databaseKind = (): Kind => (testServer() ? 'postgres' : 'pglite')

export interface PlantedBot extends AsyncDisposable {
  readonly folder: string
  /** Writes bot.config.ts. `head` stands before the bot. */
  configure(config?: { readonly head?: string; readonly plugins?: string; readonly rest?: string }): Promise<void>
  /** Runs a command. The environment lasts for it. */
  run(args: readonly string[], env?: NodeJS.ProcessEnv, input?: string): Promise<Ended>
  /** Starts the bot as a process. */
  spawn(env?: NodeJS.ProcessEnv): ChildProcess
  /** Opens the database while no process uses it. */
  open<T>(use: (db: Database) => Promise<T>): Promise<T>
}

const CACHE = fileURLToPath(new URL('../../../.cache/', import.meta.url))

/** A bot that has run once, so that it has its tables and a conversation. */
export async function plantedBot(kind: Kind): Promise<PlantedBot> {
  // Inside the workspace, so that the config finds the packages.
  await mkdir(CACHE, { recursive: true })
  const folder = await mkdtemp(join(CACHE, 'doctor-'))
  await using failed = new AsyncDisposableStack()
  failed.defer(() => rm(folder, { recursive: true, force: true }))
  const server = kind === 'postgres' ? failed.adopt(await openTestDatabase(), db => db.close()) : undefined
  const target = server ? await urlOf(server) : './data'

  const bot: PlantedBot = {
    folder,
    async configure({ head = '', plugins = '', rest = '' } = {}) {
      // A new name, because a process loads each file once.
      await writeFile(
        join(folder, file()),
        `import terminal from '@kikimimi/terminal'
import facts from '@kikimimi/facts'
import reply from '@kikimimi/reply'
import { defineBot, definePlugin } from 'kikimimi'
${head}
export default defineBot({ persona: { name: 'kiki' }, database: '${target}', plugins: [terminal(), facts(), reply(), ${plugins}], ${rest} })
`,
      )
    },
    run: (args, env = {}, input = '') => called([...args, '--config', file(false)], { cwd: folder, env, input }),
    spawn: (env = {}) =>
      spawn(process.execPath, [...cli, 'start', '--config', file(false)], {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    async open(use) {
      if (server) return use(server)
      const db = await openDatabase(join(folder, 'data'), { clock: systemClock, log: silentLog })
      try {
        return await use(db)
      } finally {
        await db.close()
      }
    },
    [Symbol.asyncDispose]: () => scope.disposeAsync(),
  }
  let count = 0
  const file = (isNew = true) => `bot-${isNew ? ++count : count}.config.ts`
  await bot.configure()
  await bot.run(['start'], {}, 'alice: @kiki the train leaves at ten\n')
  const scope = failed.move()
  return bot
}

/** Ends a process without a chance to clean up. */
export async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function urlOf(db: Database): Promise<string> {
  const { rows } = await db.query<{ name: string }>('select current_database() as name')
  return Object.assign(new URL(testServer() ?? ''), { pathname: rows[0]?.name }).href
}
