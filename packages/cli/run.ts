/** Runs what was typed. */
import { KikimimiError } from 'kikimimi'
import { commandIn, parse } from './args.ts'
import { help, helpOn } from './help.ts'
import { KERNEL_COMMANDS, type KernelCommand } from './kernel-commands.ts'
import { COMMON } from './options.ts'
import { runPluginCommand } from './plugin-command.ts'

/** Throws USAGE for what is called in a way that there is not, and what the command throws. */
export async function run(args: readonly string[]): Promise<void> {
  const name = commandIn(args)
  if (name === undefined || name === 'help') return tell(args)
  const command = KERNEL_COMMANDS[name]
  await (command ? runKernelCommand(name, command, args) : runPluginCommand(name, args))
}

async function tell(args: readonly string[]): Promise<void> {
  const { values, positionals } = parse(args)
  const [, name] = positionals
  const command = name === undefined ? undefined : KERNEL_COMMANDS[name]
  if (command) print(helpOn(command))
  else if (name !== undefined) await runPluginCommand(name, [name, '--help', '--config', values.config])
  else if (values.version) print(`${await version()}\n`)
  else print(await help(values.config))
}

async function runKernelCommand(name: string, command: KernelCommand, args: readonly string[]): Promise<void> {
  const { values, positionals } = parse(args, name, [...Object.keys(COMMON), ...command.options])
  const words = positionals.slice(1)
  const [least, most] = command.words
  if (values.help) return print(helpOn(command))
  if (words.length < least && command.missing) throw new KikimimiError('USAGE', command.missing)
  if (words.length < least || words.length > most) {
    throw new KikimimiError('USAGE', `kikimimi ${name} takes no "${words.slice(most).join(' ')}". Try kikimimi help ${name}.`)
  }
  await command.run(words, values)
}

async function version(): Promise<string> {
  const { default: manifest } = await import('../../core/package.json', { with: { type: 'json' } })
  return manifest.version
}

function print(text: string): void {
  process.stdout.write(text)
}
