/** Commands that plugins add: `kikimimi NAME …`. */
import { Command, Help } from 'commander'
import { type CliCommand, KikimimiError } from 'kikimimi'
import { planOf } from 'kikimimi/host'
import { outputOf } from './output.ts'
import type { CommonOptions } from './program.ts'
import type { Session } from './session.ts'

export interface PluginCommandOptions {
  /** Whether a file that does not load is an error, or only a note in the help. A missing file is neither. */
  readonly required: boolean
  /** Runs a command here or in the running bot. */
  perform(options: CommonOptions, local: (session: Session) => Promise<void>): Promise<void>
}

/**
 * Adds the commands of the plugins in bot.config.ts to the program.
 *
 * @throws what {@link readBot} and `planOf` throw
 */
export async function addPluginCommands(
  program: Command,
  session: Session,
  { required, perform }: PluginCommandOptions,
): Promise<void> {
  const { config: file } = program.opts<CommonOptions>()
  try {
    const { config, project } = await session.readBot(file)
    const { order, names } = await planOf(config, project)
    const all = names.flatMap(name => order.find(plugin => plugin.name === name)?.definition.cli ?? [])
    const commands = all.filter(({ usage }) => usage.length > 0)
    const own = [...program.commands]
    for (const command of commands)
      addCommand(program, command, (name, args, options) =>
        perform(options, session => runPluginCommand(name, args, options, session)),
      )
    const lines = commands.flatMap(command => linesOf(command, `Commands of the plugins in ${file}:`))
    // A line for each usage stands for the command of a plugin.
    const isListed = (command: Command) => own.includes(command) || command.name() === 'help'
    program.configureHelp({
      ...program.configureHelp(),
      visibleCommands: command => [...new Help().visibleCommands(command).filter(isListed), ...lines],
    })
  } catch (error) {
    if (error instanceof KikimimiError && error.code === 'CONFIG_NOT_FOUND') return
    if (required) throw error
    program.addHelpText('after', `\n${file} does not load, so the commands of its plugins are not listed. Run kikimimi check.`)
  }
}

type Run = (name: string, args: readonly string[], options: CommonOptions) => Promise<void>

function addCommand(program: Command, command: CliCommand, run: Run): void {
  const { name } = command
  program
    .command(name)
    .argument('[ARGUMENT...]')
    .option('--json', 'print JSON')
    .allowUnknownOption()
    .configureHelp({ ...program.configureHelp(), visibleCommands: () => linesOf(command, 'Usage in detail:') })
    .action(async (args: string[], _options, parsed: Command) => run(name, args, parsed.optsWithGlobals()))
}

/** A line of the help for each way to call the command. */
function linesOf({ name, usage }: CliCommand, heading: string): Command[] {
  return usage.map(({ call, does }) => {
    const line = new Command(call).description(does).helpGroup(heading)
    // The alias is what commander compares a mistyped name with.
    return call === name ? line : line.alias(name)
  })
}

async function runPluginCommand(
  name: string,
  args: readonly string[],
  { config, json }: CommonOptions,
  session: Session,
): Promise<void> {
  await using bot = await session.startBot(config)
  await bot.command(name, args, outputOf(json, session.stdout, session.input))
}
