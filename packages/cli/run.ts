/** Runs a command line. The code of a command is loaded when the command runs. */
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { type CommonOptions, createProgram } from './program.ts'
import type { Session } from './session.ts'

const ACTIONS: Readonly<Record<string, (words: readonly string[], command: Command, session: Session) => Promise<void>>> = {
  start: async (files, command) => (await import('./commands/start.ts')).start(files, command.optsWithGlobals(), run),
  check: async (_words, command) => (await import('./commands/check.ts')).runCheck(command.optsWithGlobals()),
  doctor: async ([subject], command, session) =>
    (await import('./commands/doctor.ts')).runDoctor(subject, command.optsWithGlobals(), session),
  upgrade: async ([version], command, session) =>
    (await import('./commands/upgrade.ts')).runUpgrade(version, command.optsWithGlobals(), session),
  invite: async (_words, command) => (await import('./commands/invite.ts')).runInvite(command.optsWithGlobals()),
  add: async (words, command) => (await import('./commands/add.ts')).runAdd(words, command.optsWithGlobals()),
  remove: async (words, command) => (await import('./commands/remove.ts')).runRemove(words, command.optsWithGlobals()),
  search: async (words, command) => (await import('./commands/search.ts')).runSearch(words, command.optsWithGlobals()),
  new: async (words, command) => (await import('./commands/new.ts')).runNew(words, command.optsWithGlobals()),
  why: async ([message], command, session) =>
    (await import('./commands/why.ts')).runWhy(message, command.optsWithGlobals(), session),
  explain: async (_words, command, session) =>
    (await import('./commands/explain.ts')).runExplain(command.optsWithGlobals(), session),
  replay: async (files, command) => (await import('./commands/replay.ts')).replayFiles(files, command.optsWithGlobals()),
  eval: async (subjects, command, session) =>
    (await import('./commands/eval.ts')).runEval(subjects, command.optsWithGlobals(), session),
  alert: async (_words, command, session) => (await import('./commands/alert.ts')).runAlert(command.optsWithGlobals(), session),
  forget: async ([user = ''], command, session) =>
    (await import('./commands/forget.ts')).runForget(user, command.optsWithGlobals(), session),
  backup: async ([file], command, session) =>
    (await import('./commands/backup.ts')).runBackup(file, command.optsWithGlobals(), session),
  restore: async ([file], command) => (await import('./commands/backup.ts')).runRestore(file, command.optsWithGlobals()),
  rescue: async ([from = ''], command, session) =>
    (await import('./data/rescue.ts')).runRescue(from, command.optsWithGlobals(), session),
  drill: async ([file], command) => (await import('./commands/drill.ts')).runDrill(file, command.optsWithGlobals()),
  move: async (_words, command, session) => (await import('./commands/backup.ts')).runMove(command.optsWithGlobals(), session),
  export: async ([folder], command, session) =>
    (await import('./commands/export.ts')).runExport(folder, command.optsWithGlobals(), session),
}

/** The commands that read or change the data of a bot. The running bot runs them, if no other process can open its data. */
const BESIDE: ReadonlySet<string> = new Set(['why', 'explain', 'alert', 'forget', 'backup', 'export'])
/** `doctor`, `eval` and `upgrade` themselves work outside of the bot; dead letters, rated turns and recorded messages are data. */
const isBeside = (command: Command) =>
  BESIDE.has(command.name()) ||
  (command.name() === 'doctor' && command.args[0] === 'dead-letters') ||
  (command.name() === 'eval' && command.args[0] === 'rated') ||
  (command.name() === 'upgrade' && command.opts().part === 'recorded')

/**
 * The commands of plugins are loaded for `kikimimi help`, and for a name that is not a command of kikimimi.
 *
 * @throws CommanderError after help, version and usage errors, which are printed already; what the command throws
 */
export async function run(args: readonly string[], given?: Session): Promise<void> {
  const program = createProgram(given)
  // Loaded when a command runs: it loads all of kikimimi.
  const sessionOf = async () => given ?? (await import('./own-process.ts')).ownProcess()
  const perform = async ({ config }: CommonOptions, local: (session: Session) => Promise<void>) => {
    const session = await sessionOf()
    const code = await session.runBeside?.(config, args)
    if (code === undefined) await local(session)
    else process.exitCode = code
  }
  for (const command of program.commands) {
    const local = async (session: Session) => ACTIONS[command.name()]?.(command.args, command, session)
    command.action(async () => (isBeside(command) ? perform(command.optsWithGlobals(), local) : local(await sessionOf())))
  }
  const { operands, unknown } = program.parseOptions([...args])
  const { config } = program.opts<CommonOptions>()
  const isHelp = operands[0] === 'help'
  const name = isHelp ? operands[1] : operands[0]
  const isKnown = () => name === undefined || name === 'help' || program.commands.some(command => command.name() === name)
  if (!isKnown() || (isHelp && name === undefined)) {
    await (await import('./plugin-commands.ts')).addPluginCommands(program, await sessionOf(), {
      required: name !== undefined,
      perform,
    })
  } else if (existsSync(config)) {
    program.addHelpText('after', `\nThe plugins in ${config} can add commands. List them with: kikimimi help`)
  }
  if (name === undefined && unknown.every(option => option === '--help')) return program.outputHelp()
  // For an unknown name with --help, commander prints the general help. The error with the nearest name is more useful.
  try {
    await program.parseAsync(isKnown() ? [...args] : operands.slice(isHelp ? 1 : 0), { from: 'user' })
  } catch (error) {
    // Loaded for mistakes in bot.config.ts alone: it loads all of kikimimi.
    if (!(error instanceof Error && 'mistakes' in error)) throw error
    throw await (await import('./config-source/tell.ts')).withPlaces(config, error)
  }
}
