/** `kikimimi start`. */
import { type BotConfig, startBot, systemClock } from 'kikimimi'
import { loadConfig, projectFiles } from 'kikimimi/host'
import { offlineGreeting } from '../../plugins/offline/index.ts'
import type { Values } from './args.ts'
import { follow } from './follow.ts'
import { createLog } from './log.ts'

export async function start(values: Values): Promise<void> {
  const log = createLog(process.stderr.isTTY ? 'warn' : 'info')
  // Nobody reads the log any more: no reason to die.
  process.stderr.on('error', () => {})
  // Some client libraries leave promises behind that fail when nobody listens any more.
  process.on('unhandledRejection', error => log.error('a promise failed and nobody had waited for it', { error }))
  const stop = stopRequested()
  using files = projectFiles(values.config)
  const { config, project } = await loadConfig(values.config)
  if (isOffline(config)) process.stderr.write(`${offlineGreeting(config.locale ?? 'en')}\n`)
  const starting = startBot(config, { log, project })
  // Asked to stop before it is there: it is undone when it is.
  const bot = await Promise.race([starting, stop.then(() => undefined)])
  if (!bot) return void (await (await starting).stop())
  const over = new AbortController()
  const following = follow(bot, { file: values.config, files, clock: systemClock, log, signal: over.signal })
  try {
    log.info('listening', { bot: bot.persona.name })
    await Promise.race([stop, bot.failed, bot.closed.then(() => bot.drained())])
  } finally {
    log.info('stopping')
    over.abort()
    await bot.stop()
    await following
  }
}

function isOffline({ models }: BotConfig): boolean {
  return models?.chat === undefined || ('name' in models.chat && models.chat.name === 'offline')
}

/** A supervisor signals a whole group of processes, and those above us pass it on: one request may come in several copies. */
const COPIES = 2_000

/** Resolves at the first request to stop; a second one ends the process there and then. */
function stopRequested(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let asked: number | undefined
  const ask = () => {
    if (asked !== undefined && performance.now() - asked > COPIES) process.exit(130)
    asked ??= performance.now()
    resolve()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask)
  return promise
}
