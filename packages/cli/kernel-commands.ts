/** The kernel's own commands. */
import type { CliCommand } from 'kikimimi'
import { loadConfig } from 'kikimimi/host'
import { runReplay } from '../replay/command.ts'
import type { Values } from './args.ts'
import { runBackup, runMove, runRestore } from './backup.ts'
import { invitations } from './check/invite.ts'
import { runCheck } from './check.ts'
import { runExplain } from './explain.ts'
import { runExport } from './export.ts'
import { runForget } from './forget.ts'
import { createLog } from './log.ts'
import { runNew } from './new.ts'
import type { OptionName } from './options.ts'
import { createProgress } from './progress.ts'
import { start } from './start.ts'
import { runWhy } from './why.ts'

export interface KernelCommand extends Pick<CliCommand, 'usage'> {
  readonly group: Group
  /** Besides those of every command. */
  readonly options: readonly OptionName[]
  readonly examples: readonly string[]
  /** How many words it takes at least and at most. */
  readonly words: readonly [least: number, most: number]
  /** Said when there are fewer. */
  readonly missing?: string
  run(words: readonly string[], values: Values): Promise<void>
}

/** The headings of the help, in order. */
export const GROUPS = { run: 'Run it', ask: 'Ask why', keep: 'Look after what it keeps' } as const

type Group = keyof typeof GROUPS

export const KERNEL_COMMANDS: Readonly<Record<string, KernelCommand>> = {
  start: {
    group: 'run',
    usage: [{ call: 'start', does: 'start the bot of this folder' }],
    options: [],
    examples: ['kikimimi start', 'kikimimi start --config night.config.ts', "printf 'alice: @kiki hello\\n' | kikimimi start"],
    words: [0, 0],
    run: (_words, values) => start(values),
  },
  check: {
    group: 'run',
    usage: [{ call: 'check', does: 'whether it could start: config, database, models, tokens; starts nothing' }],
    options: ['json'],
    examples: ['kikimimi check'],
    words: [0, 0],
    run: (_words, values) => runCheck(values),
  },
  invite: {
    group: 'run',
    usage: [{ call: 'invite', does: 'how to bring it to Discord and Slack: a link for each' }],
    options: [],
    examples: ['kikimimi invite'],
    words: [0, 0],
    run: (_words, values) => invite(values),
  },
  new: {
    group: 'run',
    usage: [
      { call: 'new bot NAME', does: 'the folder of a bot' },
      { call: 'new plugin NAME', does: 'a plugin with its test: in the bot of this folder, or a package of its own' },
    ],
    options: ['locale', 'no-install'],
    examples: ['kikimimi new plugin hello', 'kikimimi new bot my-bot --locale ja'],
    words: [2, 2],
    missing: 'What, and how is it called? kikimimi new bot NAME, or kikimimi new plugin NAME',
    run: runNew,
  },
  why: {
    group: 'ask',
    usage: [{ call: 'why [MESSAGE]', does: 'why it spoke, or was silent: of one message, or of the latest turns' }],
    options: ['channel', 'json'],
    examples: ['kikimimi why', 'kikimimi why --channel dev', 'kikimimi why 1234567890'],
    words: [0, 1],
    run: ([message], values) => runWhy(message, values),
  },
  explain: {
    group: 'ask',
    usage: [{ call: 'explain', does: 'every option of every plugin, and where its value comes from' }],
    options: ['channel', 'thread', 'workspace', 'json'],
    examples: ['kikimimi explain', 'kikimimi explain --channel dev'],
    words: [0, 0],
    run: (_words, values) => runExplain(values),
  },
  replay: {
    group: 'ask',
    usage: [{ call: 'replay FILE…', does: 'push chat logs (JSON lines) through its pipeline on a virtual clock, and count' }],
    options: ['seat', 'seats', 'judge', 'band', 'compare', 'set', 'out', 'seed', 'json'],
    examples: [
      'kikimimi export > chat.jsonl',
      'kikimimi replay chat.jsonl',
      'kikimimi replay chat.jsonl --seats 3 --out chat.html',
    ],
    words: [1, Number.POSITIVE_INFINITY],
    missing: 'Which chat log? kikimimi replay FILE…',
    run: replayFiles,
  },
  forget: {
    group: 'keep',
    usage: [{ call: 'forget USER', does: 'forget a person: USER is a name, an id, or platform:id' }],
    options: ['json'],
    examples: ['kikimimi forget alice', 'kikimimi forget discord:80351110224678912'],
    words: [1, 1],
    missing: 'Whom? kikimimi forget USER, a name in quotes.',
    run: ([user = ''], values) => runForget(user, values),
  },
  backup: {
    group: 'keep',
    usage: [{ call: 'backup FILE', does: 'all that it keeps, in a file' }],
    options: [],
    examples: ['kikimimi backup kikimimi.backup'],
    words: [1, 1],
    missing: 'Into which file? kikimimi backup kikimimi.backup',
    run: ([file = ''], values) => runBackup(file, values),
  },
  restore: {
    group: 'keep',
    usage: [{ call: 'restore FILE', does: 'that, into an empty database' }],
    options: [],
    examples: ['kikimimi restore kikimimi.backup'],
    words: [1, 1],
    missing: 'Which backup? kikimimi restore FILE',
    run: ([file = ''], values) => runRestore(file, values),
  },
  move: {
    group: 'keep',
    usage: [{ call: 'move --to DATABASE', does: 'all that it keeps, into another database' }],
    options: ['to'],
    examples: ['kikimimi move --to postgres://user:password@host/database'],
    words: [0, 0],
    run: (_words, values) => runMove(values),
  },
  export: {
    group: 'keep',
    usage: [
      { call: 'export', does: 'what it has heard in public, as a chat log (JSON lines)' },
      { call: 'export FOLDER', does: 'all that it keeps, private too, as JSON lines for people to read' },
    ],
    options: ['channel', 'since', 'json'],
    examples: ['kikimimi export > chat.jsonl', 'kikimimi export --channel dev --since 7d > dev.jsonl', 'kikimimi export kept'],
    words: [0, 1],
    run: ([folder], values) => runExport(folder, values),
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
  const report: string[] = []
  {
    using progress = createProgress()
    await runReplay(files, await loadConfig(values.config), values, {
      log: createLog('error'),
      print: text => void report.push(text),
      progress: progress.show,
    })
  }
  process.stdout.write(report.join(''))
  // Not with the counts: those are the same every time.
  process.stderr.write(`replayed in ${((performance.now() - started) / 1_000).toFixed(1)} s\n`)
}
