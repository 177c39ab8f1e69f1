/** `kikimimi start`. */
import { resolve } from 'node:path'
import { KikimimiError } from 'kikimimi'
import { projectFiles, reason } from 'kikimimi/host'
import { withPlaces } from '../config-source/tell.ts'
import { createLog } from '../log.ts'
import type { CommonOptions } from '../program.ts'
import { readBot } from '../read-bot.ts'
import { type BotFile, type Running, runBot } from './run-bot.ts'

/**
 * Starts the bots of the files in this process. Either all run or none: if one cannot start or continue, the others stop too.
 * @param files of the bots. Empty: the file of `--config`
 * @throws CONFIG_INVALID if two bots have the same database; what a bot throws. With several bots the message names the file
 */
export async function start(files: readonly string[], { config }: CommonOptions, run: Running['run']): Promise<void> {
  const usual = process.stderr.isTTY ? 'warn' : 'info'
  const log = createLog(usual)
  // The bot continues when the reader of its log is gone.
  process.stderr.on('error', () => {})
  // Some client libraries leave promises behind that fail after they were abandoned.
  process.on('unhandledRejection', error => log.error('a promise that nothing waited for failed', { error }))
  const over = new AbortController()
  void stopRequested().then(() => over.abort())
  const given = files.length > 0 ? files : [config]
  await using scope = new AsyncDisposableStack()
  const bots: BotFile[] = []
  for (const file of given) bots.push({ file, files: scope.use(projectFiles(file)), ...(await readBot(file)) })
  checkApart(bots)
  const logOf = ({ config: { persona } }: BotFile) => (bots.length > 1 ? createLog(usual, persona?.name) : log)
  const runs = bots.map(bot => runBot(bot, { log: logOf(bot), stop: over.signal, run }))
  for (const one of runs) one.catch(() => over.abort())
  const [failed] = (await Promise.allSettled(runs)).flatMap((one, index) =>
    one.status === 'rejected' ? [{ file: given[index] ?? config, error: one.reason }] : [],
  )
  if (failed) throw bots.length > 1 ? await ofFile(failed.file, failed.error) : failed.error
}

/** The error, with the file of the bot before its message. */
async function ofFile(file: string, error: unknown): Promise<unknown> {
  const placed = await withPlaces(file, error)
  // Mistakes have the file in each line.
  if (placed !== error || !(error instanceof KikimimiError)) return placed
  return new KikimimiError(error.code, `${file}: ${reason(error)}`, { cause: error })
}

/** Memories never mix: the tables of a database belong to one bot. */
function checkApart(bots: readonly BotFile[]): void {
  for (const group of Map.groupBy(bots, databaseOf).values()) {
    const [one, other] = group
    if (!one || !other || databaseOf(one) === undefined) continue
    const what = one.file === other.file ? `${one.file} is given twice` : `${one.file} and ${other.file} have the same database`
    throw new KikimimiError(
      'CONFIG_INVALID',
      `${what}. Give each bot a database of its own: database: 'data/NAME', or another database of the same Postgres server.`,
    )
  }
}

/** What tells one database from another. Undefined: the bot has none, one in memory, or a mistake, which its start tells. */
function databaseOf({ config: { database = './data' } }: BotFile): string | undefined {
  if (typeof database !== 'string' || database === 'memory') return undefined
  if (!/^postgres(ql)?:/.test(database)) return resolve(database)
  const { hostname, port, pathname } = URL.canParse(database) ? new URL(database) : { hostname: database, port: '', pathname: '' }
  return [hostname, port || '5432', pathname].join('/')
}

/** Milliseconds. A supervisor signals a group of processes, and parents pass the signal on: one request may arrive several times. */
const REPEATED_MS = 2_000

/** Resolves at the first request to stop. A second request ends the process at once. */
function stopRequested(): Promise<void> {
  const { promise, resolve: stop } = Promise.withResolvers<void>()
  let asked: number | undefined
  const ask = () => {
    if (asked !== undefined && performance.now() - asked > REPEATED_MS) process.exit(130)
    asked ??= performance.now()
    stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask)
  return promise
}
