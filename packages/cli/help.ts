/** What `kikimimi --help` and `kikimimi help COMMAND` print. */
import { GROUPS, KERNEL_COMMANDS, type KernelCommand } from './kernel-commands.ts'
import { COMMON, OPTIONS, type Option } from './options.ts'
import { pluginUsage, usageOf } from './plugin-command.ts'

/** @param config the bot whose plugins' commands are told of too; where it does not load, only the kernel's are */
export async function help(config: string): Promise<string> {
  const commands = Object.values(KERNEL_COMMANDS)
  const groups = Object.entries(GROUPS).map(([group, title]) =>
    section(title, usageOf(commands.filter(one => one.group === group))),
  )
  const plugins = await pluginUsage(config)
  return `kikimimi: a bot that listens, remembers, and speaks when it has something to give.

${groups.join('\n')}${plugins === '' ? '' : `\n${section(`Of the plugins in ${config}`, plugins)}`}
  kikimimi help COMMAND          its options, with examples
  kikimimi --version

Where the data is a folder, only one at a time can use it: stop the bot before a command that reads what it remembers.

${section('Options of every command', optionsOf(Object.entries(COMMON)))}
Exit code: 0 it is done, 1 it could not be done, 2 it was called in a wrong way.
Environment: LOG_LEVEL=debug|info|warn|error|silent, LOG_FORMAT=lines|json, KIKIMIMI_HTTP=host:port, and what bot.config.ts reads.
`
}

/** Of one command. */
export function helpOn({ usage, options, examples }: KernelCommand): string {
  const own = options.map(name => [name, OPTIONS[name]] as const)
  return `${usageOf([{ usage }]).trimStart()}

${section('Options', optionsOf([...own, ...Object.entries(COMMON)]))}
${section('Examples', examples.map(example => `  ${example}`).join('\n'))}`
}

function section(title: string, lines: string): string {
  return `${title}\n${lines}\n`
}

function optionsOf(options: readonly (readonly [name: string, option: Option])[]): string {
  return options.map(([name, option]) => optionLine(name, option)).join('\n')
}

function optionLine(name: string, { takes, does, default: usual }: Option): string {
  const head = `  --${name}${takes ? ` ${takes}` : ''}`
  return `${head.padEnd(21)}${does}${typeof usual === 'string' ? ` (${usual})` : ''}`
}
