/** Runs a command line. The code of a command is loaded when the command runs. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { type CommonOptions, createProgram } from './program.ts'

const ACTIONS: Readonly<Record<string, (words: readonly string[], command: Command) => Promise<void>>> = {
  start: async (_words, command) => (await import('./commands/start.ts')).start(command.optsWithGlobals()),
  check: async (_words, command) => (await import('./commands/check.ts')).runCheck(command.optsWithGlobals()),
  doctor: async ([subject], command) => (await import('./commands/doctor.ts')).runDoctor(subject, command.optsWithGlobals()),
  invite: async (_words, command) => (await import('./commands/invite.ts')).runInvite(command.optsWithGlobals()),
  new: async (words, command) => (await import('./commands/new.ts')).runNew(words, command.optsWithGlobals()),
  why: async ([message], command) => (await import('./commands/why.ts')).runWhy(message, command.optsWithGlobals()),
  explain: async (_words, command) => (await import('./commands/explain.ts')).runExplain(command.optsWithGlobals()),
  replay: async (files, command) => (await import('./commands/replay.ts')).replayFiles(files, command.optsWithGlobals()),
  eval: async ([subject = ''], command) => (await import('./commands/eval.ts')).runEval(subject, command.optsWithGlobals()),
  forget: async ([user = ''], command) => (await import('./commands/forget.ts')).runForget(user, command.optsWithGlobals()),
  backup: async ([file = ''], command) => (await import('./commands/backup.ts')).runBackup(file, command.optsWithGlobals()),
  restore: async ([file = ''], command) => (await import('./commands/backup.ts')).runRestore(file, command.optsWithGlobals()),
  move: async (_words, command) => (await import('./commands/backup.ts')).runMove(command.optsWithGlobals()),
  export: async ([folder], command) => (await import('./commands/export.ts')).runExport(folder, command.optsWithGlobals()),
}

/**
 * The commands of plugins are loaded for `kikimimi help`, and for a name that is no command of kikimimi.
 *
 * @throws CommanderError after help, version and usage errors, which are printed already; what the command throws
 */
export async function run(args: readonly string[]): Promise<void> {
  const program = createProgram()
  for (const command of program.commands) {
    command.action(() => ACTIONS[command.name()]?.(command.args, command))
  }
  const { operands, unknown } = program.parseOptions([...args])
  const { config } = program.opts<CommonOptions>()
  const isHelp = operands[0] === 'help'
  const name = isHelp ? operands[1] : operands[0]
  const isKnown = () => name === undefined || name === 'help' || program.commands.some(command => command.name() === name)
  if (!isKnown() || (isHelp && name === undefined)) {
    await (await import('./plugin-commands.ts')).addPluginCommands(program, { required: name !== undefined })
  } else if (existsSync(config)) {
    program.addHelpText('after', `\nThe plugins in ${config} can add commands. List them with: kikimimi help`)
  }
  if (name === undefined && unknown.every(option => option === '--help')) return program.outputHelp()
  // For an unknown name with --help, commander prints the general help. The error with the nearest name is more useful.
  await program.parseAsync(isKnown() ? [...args] : operands.slice(isHelp ? 1 : 0), { from: 'user' })
}
