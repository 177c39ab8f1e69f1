/**
 * How long the bot of bot.config.ts takes from the start to its first answer, like `npm start`: with a data folder, and on
 * the server of DATABASE_URL if that is set.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { inFolder, onServer } from '../base/databases.ts'
import { machine, progress, round, spread } from '../base/measure.ts'

const ROUNDS = 5
const root = fileURLToPath(new URL('../..', import.meta.url))
const ARGS = [join(root, 'scripts/run.mjs'), 'packages/cli/cli.ts', 'start', '--config', join(root, 'bot.config.ts')]

const { DATABASE_URL, PATH, HOME } = process.env
if (!DATABASE_URL) progress('DATABASE_URL is not set: no figures of a Postgres server')

/** Seconds until a mention has an answer. The data is in the folder, unless the environment names another place. */
async function seconds(folder: string, env: NodeJS.ProcessEnv = {}): Promise<number> {
  const begun = performance.now()
  const bot = spawn(process.execPath, ARGS, { cwd: folder, env: { PATH, HOME, ...env } })
  const [ended, errors] = [once(bot, 'exit'), text(bot.stderr)]
  bot.stdin.write('alice: @kiki hello\n')
  await Promise.race([once(createInterface(bot.stdout), 'line'), ended])
  const took = (performance.now() - begun) / 1_000
  if (bot.exitCode !== null) throw new Error(`the bot ended before it had answered:\n${await errors}`)
  bot.stdin.end()
  await ended
  return round(took)
}

async function rounds(what: string, round: () => Promise<number>) {
  const took: number[] = []
  for (let count = 1; count <= ROUNDS; count++) {
    progress(`${what}: ${count} of ${ROUNDS}`)
    took.push(await round())
  }
  return spread(took)
}

/** A separate folder for each `npm start`. */
const inPlace = <T>(run: (folder: string) => Promise<T>) => inFolder(target => run(dirname(target)))

async function withPglite() {
  return {
    // Without the prepared empty database: the very first start on a machine.
    first: await rounds('PGlite, first', () => inPlace(folder => seconds(folder, { KIKIMIMI_CACHE: join(folder, 'cache') }))),
    fresh: await rounds('PGlite, fresh', () => inPlace(folder => seconds(folder))),
    existing: await inPlace(async folder => {
      await seconds(folder)
      return rounds('PGlite, existing', () => seconds(folder))
    }),
  }
}

async function withPostgres(server: string) {
  const on = (url: string) => inPlace(folder => seconds(folder, { DATABASE_URL: url }))
  return {
    fresh: await rounds('Postgres, fresh', () => onServer(server, on)),
    existing: await onServer(server, async url => {
      await on(url)
      return rounds('Postgres, existing', () => on(url))
    }),
  }
}

const results = {
  machine: machine(),
  seconds: { pglite: await withPglite(), ...(DATABASE_URL && { postgres: await withPostgres(DATABASE_URL) }) },
  // Other load on the machine is visible here.
  loadAtEnd: machine().load,
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
