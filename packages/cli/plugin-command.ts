/** Commands that plugins bring along: `kikimimi NAME …`. */
import { type CliCommand, type CliOutput, KikimimiError, startBot } from 'kikimimi'
import { COMMANDS, type LoadedPlugin, loadConfig, loadPlugins } from 'kikimimi/host'
import { splitArgs } from './args.ts'
import { createLog } from './log.ts'
import { nearest } from './nearest.ts'

/** Throws USAGE when no plugin has such a command. */
export async function runPluginCommand(name: string, typed: readonly string[]): Promise<void> {
  const { config: file, json, help, args } = splitArgs(typed, name)
  const { config, project } = await loadConfig(file).catch((error: unknown) => {
    // Nobody is there who could know it.
    if (error instanceof KikimimiError && error.code === 'CONFIG_NOT_FOUND') throw unknown(name, [])
    throw error
  })
  const commands = commandsOf(await loadPlugins(config.plugins))
  const command = commands.find(one => one.name === name)
  if (!command) throw unknown(name, commands)
  const out = outputOf(json)
  if (help) return out.print(usageOf([command]))
  const bot = await startBot(config, { log: createLog('warn'), project, idle: true })
  try {
    await bot.command(name, args, out)
  } finally {
    await bot.stop()
  }
}

/** The commands of the plugins in a bot.config.ts, for `--help`; none when it does not load. */
export async function pluginUsage(file: string): Promise<string> {
  try {
    const { config } = await loadConfig(file)
    return usageOf(commandsOf(await loadPlugins(config.plugins)))
  } catch {
    return ''
  }
}

function commandsOf(plugins: readonly LoadedPlugin[]): CliCommand[] {
  return plugins.flatMap(({ definition }) => definition.cli ?? [])
}

/** Where what a call does begins, as in the kernel's own help. */
const COLUMN = 33

export function usageOf(commands: readonly Pick<CliCommand, 'usage'>[]): string {
  const lines = commands.flatMap(({ usage }) => usage)
  return lines.map(({ call, does }) => `${(call && `  kikimimi ${call} `).padEnd(COLUMN)}${does}`).join('\n')
}

export function outputOf(json: boolean): CliOutput {
  // Whoever reads it may have had enough.
  process.stdout.on('error', () => process.exit())
  return { json, print: line => void process.stdout.write(`${line}\n`) }
}

function unknown(name: string, commands: readonly CliCommand[]): KikimimiError {
  const meant = nearest(name, [...COMMANDS, ...commands.map(one => one.name)])
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return new KikimimiError('USAGE', `There is no command "${name}".${hint} Try kikimimi --help.`)
}
