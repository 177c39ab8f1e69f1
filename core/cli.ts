#!/usr/bin/env node
/** The command line: the kernel's own commands, and those of the plugins in bot.config.ts. */
import { commandIn, parse, type Values } from './cli/args.ts'
import { KERNEL_COMMANDS, runKernelCommand } from './cli/kernel-commands.ts'
import { pluginUsage, runPluginCommand, usageOf } from './cli/plugin-command.ts'
import { COMMANDS } from './commands.ts'
import { KikimimiError } from './errors.ts'
import { REPLAY_HELP } from './replay/command.ts'

const HELP_OPTIONS = `
  --config FILE    the bot                              bot.config.ts
  --channel NAME   this channel and its threads, a private one too; by name or id
  --thread ID, --workspace ID
  --since TIME     export-log: nothing older: 7d, 12h
  --json           print JSON
  --seed N         replay: what is random is the same for the same seed      1
${REPLAY_HELP}  --stack          show where an error comes from
  --help, --version

Environment: LOG_LEVEL=debug|info|warn|error|silent, LOG_FORMAT=lines|json, KIKIMIMI_HTTP=host:port, and what bot.config.ts reads.
`

async function main(args: readonly string[]): Promise<void> {
  const name = commandIn(args)
  if (name !== undefined && !COMMANDS.has(name)) return runPluginCommand(name, args)
  const { values, positionals } = parse(args)
  const [command, ...words] = positionals
  if (values.help || command === 'help' || (command === undefined && !values.version)) await help(values)
  else if (values.version || command === undefined) process.stdout.write(`${await version()}\n`)
  else await runKernelCommand(command, words, values)
}

async function help({ config }: Values): Promise<void> {
  const plugins = await pluginUsage(config)
  process.stdout.write(
    `kikimimi: a bot that listens, remembers, and speaks when it has something to give.

${usageOf(Object.values(KERNEL_COMMANDS))}
${plugins === '' ? '' : `\nOf the plugins in ${config}:\n\n${plugins}\n`}
Where the data is a folder, only one at a time can use it: stop the bot before a command that reads what it remembers.
${HELP_OPTIONS}`,
  )
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
