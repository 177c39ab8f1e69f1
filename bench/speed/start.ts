/**
 * How long the bot of bot.config.ts takes from the start to its first answer, like `npm start`, and its memory then: with a data folder,
 * and on the server of DATABASE_URL if that is set. With `--old FOLDER`, a checkout with its packages: with a data folder, beside that
 * version in turns.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { inFolder, onServer } from '../base/databases.ts'
import { machine, progress, round, spread } from '../base/measure.ts'

const ROUNDS = 5
const root = fileURLToPath(new URL('../..', import.meta.url))
/** Writes the memory of a process to MEMORY_FILE when it gets SIGUSR2. */
const MEMORY = pathToFileURL(join(root, 'bench/speed/start/memory.mjs'))

const { old } = parseArgs({ options: { old: { type: 'string' } } }).values
const { DATABASE_URL, PATH, HOME } = process.env
if (!old && !DATABASE_URL) progress('DATABASE_URL is not set: no figures of a Postgres server')

interface Start {
  readonly seconds: number
  readonly heapMb: number
  readonly rssMb: number
}

/** Until a mention has an answer. The data is in the folder, unless the environment names another place. */
async function start(checkout: string, folder: string, env: NodeJS.ProcessEnv = {}): Promise<Start> {
  const args = [join(checkout, 'scripts/run.mjs'), 'packages/cli/cli.ts', 'start', '--config', join(checkout, 'bot.config.ts')]
  const file = join(folder, 'memory.json')
  const measured = { MEMORY_FILE: file, NODE_OPTIONS: `--import=${MEMORY}` }
  const begun = performance.now()
  const bot = spawn(process.execPath, args, { cwd: folder, env: { PATH, HOME, ...measured, ...env } })
  const [ended, errors] = [once(bot, 'exit'), text(bot.stderr)]
  bot.stdin.write('alice: @kiki hello\n')
  await Promise.race([once(createInterface(bot.stdout), 'line'), ended])
  const took = (performance.now() - begun) / 1_000
  if (bot.exitCode !== null) throw new Error(`the bot ended before it had answered:\n${await errors}`)
  process.kill(await lastOf(bot.pid ?? 0), 'SIGUSR2')
  const { heapUsed, rss } = await untilWritten(file)
  bot.stdin.end()
  await ended
  return { seconds: round(took), heapMb: round(heapUsed / 2 ** 20), rssMb: round(rss / 2 ** 20) }
}

/** The process that the others have started: `scripts/run.mjs` starts another Node. */
async function lastOf(pid: number): Promise<number> {
  const [child] = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
  return child ? lastOf(Number(child)) : pid
}

async function untilWritten(file: string): Promise<NodeJS.MemoryUsage> {
  for (;;) {
    const written = await readFile(file, 'utf8').catch(() => '')
    if (written.endsWith('\n')) return JSON.parse(written)
    await new Promise(next => setTimeout(next, 10))
  }
}

const spreadOf = (all: readonly Start[]) => ({
  seconds: spread(all.map(one => one.seconds)),
  heapMb: spread(all.map(one => one.heapMb)),
  rssMb: spread(all.map(one => one.rssMb)),
})

async function rounds(what: string, round: () => Promise<Start>) {
  const all: Start[] = []
  for (let count = 1; count <= ROUNDS; count++) {
    progress(`${what}: ${count} of ${ROUNDS}`)
    all.push(await round())
  }
  return spreadOf(all)
}

/** A separate folder for each `npm start`. */
const inPlace = <T>(run: (folder: string) => Promise<T>) => inFolder(target => run(dirname(target)))

/** Without the prepared empty database: the very first start on a machine. */
const first = (checkout: string) => inPlace(folder => start(checkout, folder, { KIKIMIMI_CACHE: join(folder, 'cache') }))
const fresh = (checkout: string) => inPlace(folder => start(checkout, folder))

async function withPglite() {
  return {
    first: await rounds('PGlite, first', () => first(root)),
    fresh: await rounds('PGlite, fresh', () => fresh(root)),
    existing: await inPlace(async folder => {
      await start(root, folder)
      return rounds('PGlite, existing', () => start(root, folder))
    }),
  }
}

/** Both versions in turns. */
async function beside(folder: string) {
  const measured = async (what: string, run: (checkout: string) => Promise<Start>) => {
    const all: { old: Start; now: Start }[] = []
    // Before the first round, the code is compiled and the empty database prepared.
    for (let count = 0; count <= ROUNDS; count++) {
      progress(`${what}, beside ${folder}: ${count} of ${ROUNDS}`)
      const pair = { old: await run(folder), now: await run(root) }
      if (count > 0) all.push(pair)
    }
    const ratio = (of: keyof Start) => spread(all.map(({ old, now }) => round(now[of] / old[of])))
    return {
      old: spreadOf(all.map(({ old }) => old)),
      now: spreadOf(all.map(({ now }) => now)),
      ratio: { seconds: ratio('seconds'), heapMb: ratio('heapMb'), rssMb: ratio('rssMb') },
    }
  }
  return { first: await measured('first', first), fresh: await measured('fresh', fresh) }
}

async function withPostgres(server: string) {
  const on = (url: string) => inPlace(folder => start(root, folder, { DATABASE_URL: url }))
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
  ...(old
    ? { pglite: await beside(resolve(old)) }
    : { pglite: await withPglite(), ...(DATABASE_URL && { postgres: await withPostgres(DATABASE_URL) }) }),
  // Other load on the machine is visible here.
  loadAtEnd: machine().load,
}
process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
