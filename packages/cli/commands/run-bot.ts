/** A bot in the process of `kikimimi start`, from its start to its end. */
import { once } from 'node:events'
import { offline, offlineGreeting } from '@kikimimi/offline'
import { type BotConfig, KikimimiError, type Logger, startBot, systemClock } from 'kikimimi'
import type { ConfigWarning } from 'kikimimi/host'
import { checkConfig, type ProjectFiles } from 'kikimimi/host'
import { type BesideOptions, serveBeside } from '../beside/server.ts'
import { dataFolder } from '../beside/socket-path.ts'
import { toldOf } from '../config-source/tell.ts'
import type { ReadBot } from '../read-bot.ts'
import { follow } from './follow.ts'

export interface BotFile extends ReadBot {
  /** The path of bot.config.ts. */
  readonly file: string
  readonly files: ProjectFiles
}

export interface Running {
  readonly log: Logger
  /** Aborts when the bot has to stop. */
  readonly stop: AbortSignal
  /** Runs a command line, for commands of other processes: see `beside/`. */
  readonly run: BesideOptions['run']
}

/** Resolves when the bot has stopped: it was told to, or none of its platforms will bring a message. @throws what ended it */
export async function runBot({ file, files, ...read }: BotFile, { log, stop, run }: Running): Promise<void> {
  let current: ReadBot = read
  const { config, project } = read
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
  const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort').then(() => {})
  const unwanted = new AbortController()
  void stopped.then(() => unwanted.abort(new KikimimiError('STOPPED', 'The start was stopped.')))
  const { signal } = unwanted
  const starting = startBot(config, { log, project, signal, warned, defaultModel: offline() })
  const bot = await Promise.race([starting, stopped])
  if (!bot) {
    // Asked to stop before the start is complete: the bot stops as soon as it has started.
    const ended = (error: unknown) => {
      if (error !== signal.reason) throw error
    }
    return starting.then(started => started.stop(), ended)
  }
  const over = new AbortController()
  const applied = (next: ReadBot) => {
    current = next
  }
  const following = follow(bot, { file, files, clock: systemClock, log, signal: over.signal, applied })
  const folder = dataFolder(checkConfig(config).database)
  await using beside =
    folder === undefined ? undefined : await serveBeside({ folder, bot, current: () => current, clock: systemClock, log, run })
  try {
    log.info('listening', { bot: bot.persona.name })
    await Promise.race([stopped, bot.failed, bot.closed.then(() => bot.drained())])
  } finally {
    log.info('stopping')
    over.abort()
    await beside?.refuse()
    await bot.stop()
    await following
  }
}

function isOffline({ models }: BotConfig): boolean {
  // The start reports a value that is not a model.
  return models?.chat === undefined || Object(models.chat).name === 'offline'
}
