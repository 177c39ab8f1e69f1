/** The kernel's own commands. */
import { loadConfig } from '../config.ts'
import { KikimimiError } from '../errors.ts'
import { invitations } from '../invite.ts'
import type { CliCommand } from '../plugin.ts'
import { runReplay } from '../replay/command.ts'
import type { Values } from './args.ts'
import { runBackup, runMove, runRestore } from './backup.ts'
import { runCheck } from './check.ts'
import { runExplain } from './explain.ts'
import { runExport } from './export-log.ts'
import { runForget } from './forget.ts'
import { createLog } from './log.ts'
import { start } from './start.ts'
import { runWhy } from './why.ts'

export interface KernelCommand extends Pick<CliCommand, 'usage'> {
  /** How many words it takes at least and at most. */
  readonly words: readonly [least: number, most: number]
  /** Said when there are fewer. */
  readonly missing?: string
  run(words: readonly string[], values: Values): Promise<void>
}

export const KERNEL_COMMANDS: Readonly<Record<string, KernelCommand>> = {
  start: {
    usage: [{ call: 'start', does: 'start the bot of this folder' }],
    words: [0, 0],
    run: (_words, values) => start(values),
  },
  why: {
    usage: [{ call: 'why [MESSAGE]', does: 'why it spoke, or was silent: of one message, or of the latest turns [--channel]' }],
    words: [0, 1],
    run: ([message], values) => runWhy(message, values),
  },
  explain: {
    usage: [
      {
        call: 'explain',
        does: 'every option of every plugin, and where its value comes from [--channel, --thread, --workspace]',
      },
    ],
    words: [0, 0],
    run: (_words, values) => runExplain(values),
  },
  invite: {
    usage: [{ call: 'invite', does: 'how to bring it to Discord and Slack: a link for each' }],
    words: [0, 0],
    run: (_words, values) => invite(values),
  },
  check: {
    usage: [{ call: 'check', does: 'whether it could start: config, database, models, tokens; starts nothing' }],
    words: [0, 0],
    run: (_words, values) => runCheck(values),
  },
  forget: {
    usage: [{ call: 'forget USER', does: 'forget a person: USER is a name, an id, or platform:id' }],
    words: [1, 1],
    missing: 'Whom? kikimimi forget USER, a name in quotes.',
    run: ([user = ''], values) => runForget(user, values),
  },
  backup: {
    usage: [{ call: 'backup FILE', does: 'all that it keeps, in a file' }],
    words: [1, 1],
    missing: 'Into which file? kikimimi backup kikimimi.backup',
    run: ([file = ''], values) => runBackup(file, values),
  },
  restore: {
    usage: [{ call: 'restore FILE', does: 'that, into an empty database' }],
    words: [1, 1],
    missing: 'Which backup? kikimimi restore FILE',
    run: ([file = ''], values) => runRestore(file, values),
  },
  move: {
    usage: [{ call: 'move --to DATABASE', does: 'all that it keeps, into another database: a postgres:// URL, or a folder' }],
    words: [0, 0],
    run: (_words, values) => runMove(values),
  },
  'export-log': {
    usage: [{ call: 'export-log', does: 'what it has heard in public, as a chat log (JSON lines) [--channel, --since]' }],
    words: [0, 0],
    run: (_words, values) => runExport(values),
  },
  replay: {
    usage: [
      { call: 'replay FILE…', does: 'push chat logs through its pipeline on a virtual clock, and count' },
      {
        call: '',
        does: '(JSON lines: {"id","at","channel","author":{"id","name"},"text","replyTo","mentions","context"})',
      },
    ],
    words: [1, Number.POSITIVE_INFINITY],
    missing: 'Which chat log? kikimimi replay FILE…',
    run: replayFiles,
  },
}

async function invite({ config: file }: Values): Promise<void> {
  const { config } = await loadConfig(file)
  for (const { text, problem } of await invitations(config)) {
    if (text !== undefined) process.stdout.write(`${text}\n`)
    if (problem === undefined) continue
    process.stderr.write(`${problem}\n`)
    process.exitCode = 1
  }
}

async function replayFiles(files: readonly string[], values: Values): Promise<void> {
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

/** Throws USAGE for a command that is called with too few or too many words. */
export async function runKernelCommand(name: string, words: readonly string[], values: Values): Promise<void> {
  const command = KERNEL_COMMANDS[name]
  const [least, most] = command?.words ?? [0, 0]
  if (command && words.length < least && command.missing) throw new KikimimiError('USAGE', command.missing)
  if (!command || words.length < least || words.length > most) {
    throw new KikimimiError('USAGE', `There is no command "${[name, ...words].join(' ')}". Try kikimimi --help.`)
  }
  await command.run(words, values)
}
