#!/usr/bin/env node
/** The command line: the kernel's own commands, and those of the plugins in bot.config.ts. */
import { commandIn, parse, type Values } from './cli/args.ts'
import { runExport } from './cli/export-log.ts'
import { runForget } from './cli/forget.ts'
import { createLog } from './cli/log.ts'
import { pluginUsage, runPluginCommand } from './cli/plugin-command.ts'
import { start } from './cli/start.ts'
import { COMMANDS } from './commands.ts'
import { loadConfig } from './config.ts'
import { KikimimiError } from './errors.ts'
import { invitations } from './invite.ts'
import { REPLAY_HELP, runReplay } from './replay/command.ts'

const HELP = `kikimimi: a bot that listens, remembers, and speaks when it has something to give.

  kikimimi start                 start the bot of this folder
  kikimimi invite                how to bring it to Discord and Slack: a link for each
  kikimimi forget USER           forget a person: USER is a name, an id, or platform:id; stop the bot first where its data is a folder
  kikimimi export-log            what it has heard in public, as a chat log (JSON lines); stop the bot first where its data is a folder
  kikimimi replay FILE…          push chat logs through its pipeline on a virtual clock, and count
                                 (JSON lines: {"id","at","channel","author":{"id","name"},"text","replyTo","mentions","context"})
`

const HELP_OPTIONS = `
  --config FILE    the bot                              bot.config.ts
  --channel NAME   export-log: this channel and its threads, a private one too
  --since TIME     export-log: nothing older: 7d, 12h
  --json           replay, forget, commands of plugins: print JSON
  --seed N         replay: what is random is the same for the same seed      1
${REPLAY_HELP}  --stack          show where an error comes from
  --help, --version

Environment: LOG_LEVEL=debug|info|warn|error|silent, LOG_FORMAT=lines|json, KIKIMIMI_HTTP=host:port, and what bot.config.ts reads.
`

async function main(args: readonly string[]): Promise<void> {
  const name = commandIn(args)
  if (name !== undefined && !COMMANDS.has(name)) return runPluginCommand(name, args)
  const { values, positionals } = parse(args)
  const [command, ...rest] = positionals
  const [first] = rest
  if (values.help || command === 'help' || (command === undefined && !values.version)) await help(values)
  else if (values.version) process.stdout.write(`${await version()}\n`)
  else if (command === 'start' && rest.length === 0) await start(values)
  else if (command === 'invite' && rest.length === 0) await invite(values)
  else if (command === 'export-log' && rest.length === 0) await runExport(values)
  else if (command === 'forget' && first !== undefined && rest.length === 1) await runForget(first, values)
  else if (command === 'forget') throw new KikimimiError('USAGE', 'Whom? kikimimi forget USER, a name in quotes.')
  else if (command === 'replay' && rest.length > 0) await runReplayOf(rest, values)
  else if (command === 'replay') throw new KikimimiError('USAGE', 'Which chat log? kikimimi replay FILE…')
  else throw new KikimimiError('USAGE', `There is no command "${positionals.join(' ')}". Try kikimimi --help.`)
}

async function help({ config }: Values): Promise<void> {
  const plugins = await pluginUsage(config)
  process.stdout.write(`${HELP}${plugins === '' ? '' : `\nOf the plugins in ${config}:\n\n${plugins}\n`}${HELP_OPTIONS}`)
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
