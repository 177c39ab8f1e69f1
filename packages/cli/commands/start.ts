/** `kikimimi start`. */
import { offlineGreeting } from '@kikimimi/offline'
import { type BotConfig, type ConfigWarning, KikimimiError, startBot, systemClock } from 'kikimimi'
import { checkConfig, projectFiles } from 'kikimimi/host'
import { type BesideOptions, serveBeside } from '../beside/server.ts'
import { dataFolder } from '../beside/socket-path.ts'
import { toldOf } from '../config-source/tell.ts'
import { createLog } from '../log.ts'
import type { CommonOptions } from '../program.ts'
import { type ReadBot, readBot } from '../read-bot.ts'
import { follow } from './follow.ts'

/** @param run runs a command line, for commands of other processes: see `beside/` */
export async function start({ config: file }: CommonOptions, run: BesideOptions['run']): Promise<void> {
  const log = createLog(process.stderr.isTTY ? 'warn' : 'info')
  // The bot continues when the reader of its log is gone.
  process.stderr.on('error', () => {})
  // Some client libraries leave promises behind that fail after they were abandoned.
  process.on('unhandledRejection', error => log.error('a promise that nothing waited for failed', { error }))
  const stop = stopRequested()
  using files = projectFiles(file)
  let current = await readBot(file)
  const { config, project } = current
  const greeting = isOffline(config) ? offlineGreeting(config.locale ?? 'en') : undefined
  // Who collects the log as JSON gets nothing else.
  const tell = (text: string, level: 'info' | 'warn') => {
    if (process.env.LOG_FORMAT === 'json') log[level](text)
    else process.stderr.write(`${text}\n`)
  }
  if (greeting) tell(greeting, 'info')
  const warned = async (warnings: readonly ConfigWarning[]) => {
    for (const { where, message } of await toldOf(file, warnings)) tell(`${where}  ${message}`, 'warn')
  }
  const unwanted = new AbortController()
  void stop.then(() => unwanted.abort(new KikimimiError('STOPPED', 'The start was stopped.')))
  const { signal } = unwanted
  const starting = startBot(config, { log, project, signal, warned })
  const bot = await Promise.race([starting, stop.then(() => undefined)])
  if (!bot) {
    // Asked to stop before the start is complete: the bot stops as soon as it has started.
    const ended = (error: unknown) => {
      if (error !== signal.reason) throw error
    }
    return starting.then(started => started.stop(), ended)
  }
  const over = new AbortController()
  const applied = (read: ReadBot) => {
    current = read
  }
  const following = follow(bot, { file, files, clock: systemClock, log, signal: over.signal, applied })
  const folder = dataFolder(checkConfig(config).database)
  await using beside =
    folder === undefined ? undefined : await serveBeside({ folder, bot, current: () => current, clock: systemClock, log, run })
  try {
    log.info('listening', { bot: bot.persona.name })
    await Promise.race([stop, bot.failed, bot.closed.then(() => bot.drained())])
  } finally {
    log.info('stopping')
    over.abort()
    await beside?.refuse()
    await bot.stop()
    await following
  }
}

function isOffline({ models }: BotConfig): boolean {
  // What is no model is told at the start.
  return models?.chat === undefined || Object(models.chat).name === 'offline'
}

/** Milliseconds. A supervisor signals a group of processes, and parents pass the signal on: one request may arrive several times. */
const REPEATED_MS = 2_000

/** Resolves at the first request to stop. A second request ends the process at once. */
function stopRequested(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let asked: number | undefined
  const ask = () => {
    if (asked !== undefined && performance.now() - asked > REPEATED_MS) process.exit(130)
    asked ??= performance.now()
    resolve()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask)
  return promise
}
