#!/usr/bin/env node
/** The command line: `kikimimi start`, `kikimimi invite`, `kikimimi export-log`, `kikimimi replay FILE…`. */
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { startBot } from './bot.ts'
import { systemClock } from './clock.ts'
import { type BotConfig, checkConfig, loadConfig } from './config.ts'
import { openDatabase } from './database.ts'
import { parseDuration } from './duration.ts'
import { KikimimiError } from './errors.ts'
import { exportLog } from './export-log.ts'
import { invitations } from './invite.ts'
import { createLogger, type Logger, type LogLevel, secretsOf } from './log.ts'
import { migrate } from './migrate.ts'
import { offlineGreeting } from './offline.ts'
import { REPLAY_HELP, REPLAY_OPTIONS, runReplay } from './replay/command.ts'

const HELP = `kikimimi: a bot that listens, remembers, and speaks when it has something to give.

  kikimimi start                 start the bot of this folder
  kikimimi invite                how to bring it to Discord and Slack: a link for each
  kikimimi export-log            what it has heard in public, as a chat log (JSON lines); stop the bot first where its data is a folder
  kikimimi replay FILE…          push chat logs through its pipeline on a virtual clock, and count
                                 (JSON lines: {"id","at","channel","author":{"id","name"},"text","replyTo","mentions","context"})

  --config FILE    the bot                              bot.config.ts
  --channel NAME   export-log: this channel and its threads, a private one too
  --since TIME     export-log: nothing older: 7d, 12h
  --json           replay: print the counts as JSON
  --seed N         replay: what is random is the same for the same seed      1
${REPLAY_HELP}  --stack          show where an error comes from
  --help, --version

Environment: LOG_LEVEL=debug|info|warn|error|silent, LOG_FORMAT=lines|json, KIKIMIMI_HTTP=host:port, and what bot.config.ts reads.
`

const OPTIONS = {
  config: { type: 'string', default: 'bot.config.ts' },
  channel: { type: 'string' },
  since: { type: 'string' },
  ...REPLAY_OPTIONS,
  stack: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof parse>['values']

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new KikimimiError('USAGE', `${error instanceof Error ? error.message : error}\nTry kikimimi --help.`)
  }
}

async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parse(args)
  const [command, ...rest] = positionals
  if (values.help || command === 'help' || (command === undefined && !values.version)) process.stdout.write(HELP)
  else if (values.version) process.stdout.write(`${await version()}\n`)
  else if (command === 'start' && rest.length === 0) await start(values)
  else if (command === 'invite' && rest.length === 0) await invite(values)
  else if (command === 'export-log' && rest.length === 0) await runExport(values)
  else if (command === 'replay' && rest.length > 0) await runReplayOf(rest, values)
  else if (command === 'replay') throw new KikimimiError('USAGE', 'Which chat log? kikimimi replay FILE…')
  else throw new KikimimiError('USAGE', `There is no command "${positionals.join(' ')}". Try kikimimi --help.`)
}

async function start(values: Values): Promise<void> {
  const log = createLog(process.stderr.isTTY ? 'warn' : 'info')
  // Nobody reads the log any more: no reason to die.
  process.stderr.on('error', () => {})
  // Some client libraries leave promises behind that fail when nobody listens any more.
  process.on('unhandledRejection', error => log.error('a promise failed and nobody had waited for it', { error }))
  const stop = stopRequested()
  const { config, project } = await loadConfig(values.config)
  if (isOffline(config)) process.stderr.write(`${offlineGreeting[config.locale ?? 'en']}\n`)
  const starting = startBot(config, { log, project })
  // Asked to stop before it is there: it is undone when it is.
  const bot = await Promise.race([starting, stop.then(() => undefined)])
  if (!bot) return void (await (await starting).stop())
  try {
    log.info('listening', { bot: bot.persona.name })
    await Promise.race([stop, bot.failed, bot.closed.then(() => bot.drained())])
  } finally {
    log.info('stopping')
    await bot.stop()
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

async function invite(values: Values): Promise<void> {
  const { config } = await loadConfig(values.config)
  for (const { text, problem } of await invitations(config)) {
    if (text !== undefined) process.stdout.write(`${text}\n`)
    if (problem === undefined) continue
    process.stderr.write(`${problem}\n`)
    process.exitCode = 1
  }
}

async function runExport({ config: file, channel, since }: Values): Promise<void> {
  const ms = since === undefined ? undefined : parseDuration(since)
  if (since !== undefined && ms === undefined)
    throw new KikimimiError('USAGE', `--since takes a time like 7d or 12h, got "${since}".`)
  const { config } = await loadConfig(file)
  const { database } = checkConfig(config)
  if (database === false) throw new KikimimiError('DATABASE_NONE', 'This bot has no database: there is nothing to export.')
  await using opened = new AsyncDisposableStack()
  const db = opened.adopt(await openDatabase(database, { clock: systemClock, log: createLog('warn') }), one => one.close())
  await migrate(db, 'kikimimi', new URL('./migrations/', import.meta.url), systemClock)
  // Whoever reads it may have had enough.
  process.stdout.on('error', () => process.exit())
  let count = 0
  const from = ms === undefined ? undefined : new Date(systemClock.now() - ms)
  for await (const line of exportLog(db, { channel, since: from })) {
    count++
    if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain')
  }
  process.stderr.write(`${count} messages\n`)
}

async function runReplayOf(files: readonly string[], values: Values): Promise<void> {
  const started = performance.now()
  const { isTTY } = process.stderr
  await runReplay(files, await loadConfig(values.config), values, {
    log: createLog('error'),
    print: text => void process.stdout.write(text),
    ...(isTTY && { progress: (text: string) => void process.stderr.write(`\r\u001b[K${text}`) }),
  })
  // Not with the counts: those are the same every time.
  process.stderr.write(`${isTTY ? '\r\u001b[K' : ''}replayed in ${((performance.now() - started) / 1_000).toFixed(1)} s\n`)
}

const LOG_LEVELS: readonly string[] = ['debug', 'info', 'warn', 'error', 'silent'] satisfies LogLevel[]

function createLog(usual: LogLevel): Logger {
  const { LOG_LEVEL = usual, LOG_FORMAT = process.stderr.isTTY ? 'lines' : 'json' } = process.env
  if (!isLevel(LOG_LEVEL))
    throw new KikimimiError('USAGE', `LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, got "${LOG_LEVEL}".`)
  if (LOG_FORMAT !== 'lines' && LOG_FORMAT !== 'json')
    throw new KikimimiError('USAGE', `LOG_FORMAT must be lines or json, got "${LOG_FORMAT}".`)
  const write = (line: string) => void process.stderr.write(line)
  return createLogger({ level: LOG_LEVEL, format: LOG_FORMAT, write, clock: systemClock, secrets: secretsOf(process.env) })
}

function isLevel(level: string): level is LogLevel {
  return LOG_LEVELS.includes(level)
}

async function version(): Promise<string> {
  const { default: manifest } = await import('./package.json', { with: { type: 'json' } })
  return manifest.version
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const stack = process.argv.includes('--stack')
  // An error of our own is for the person at the keyboard; anything else is a bug, and its stack the only clue.
  const text =
    error instanceof KikimimiError && !stack
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error)
  process.stderr.write(`${text}\n`)
  process.exitCode = error instanceof KikimimiError && error.code === 'USAGE' ? 2 : 1
} finally {
  // What a plugin forgot to close must not keep the process alive.
  setTimeout(() => process.exit(), 5_000).unref()
}
