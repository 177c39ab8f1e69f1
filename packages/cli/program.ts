/** The commands of kikimimi: arguments, options and help. `run.ts` has what they do. */
import { Argument, Command, Option } from 'commander'
import manifest from './package.json' with { type: 'json' }
import type { Session } from './session.ts'

/** Options of every command. */
export interface CommonOptions {
  readonly config: string
  readonly json?: boolean | undefined
}

/** Options of the commands that change plugins. */
export interface ChangeOptions extends CommonOptions {
  /** Do not ask. */
  readonly yes?: boolean | undefined
}

const NOTES = `
If the data is a folder, one process at a time can use it: the running bot itself runs the commands that read or change the data.
Exit code: 0 success, 1 failure, 2 wrong usage.
Environment: LOG_LEVEL=debug|info|warn|error|silent, LOG_FORMAT=lines|json, KIKIMIMI_HTTP=host:port, and the variables that bot.config.ts reads.`

/** @param streams where help and errors go. Default: those of this process */
export function createProgram(streams: Pick<Session, 'stdout' | 'stderr'> = process): Command {
  const program = new Command('kikimimi')
    .description('A bot that listens, remembers, and speaks when it has something to give.')
    .option('--config <FILE>', 'configuration file of the bot', 'bot.config.ts')
    .option('--stack', 'print the stack trace of an error')
    .version(manifest.version, '--version', 'print the version')
    .helpOption('--help', 'print the help of kikimimi or of a command')
    .helpCommand('help [COMMAND]', 'print the help of a command; without COMMAND, include the commands of plugins')
    .configureHelp({
      showGlobalOptions: true,
      subcommandTerm: call,
      commandUsage: command => (command.parent ? `kikimimi ${call(command)} [options]` : 'kikimimi COMMAND [options]'),
    })
    .configureOutput({
      writeOut: text => void streams.stdout.write(text),
      writeErr: text => void streams.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
    })
    .showHelpAfterError('Try kikimimi --help.')
    .exitOverride()
    .addHelpText('after', NOTES)
  addRunning(program)
  addPlugins(program)
  addAnalysis(program)
  addData(program)
  for (const command of program.commands) {
    command.showHelpAfterError(`Usage: kikimimi ${call(command)}. Try kikimimi help ${command.name()}.`)
  }
  return program
}

function addRunning(program: Command): void {
  program.commandsGroup('Run the bot:')
  program
    .command('start')
    .argument('[FILE...]')
    .description('start the bot of this folder; with FILES, several bots in one process')
    .addHelpText('after', examples('start', 'start bots/*/bot.config.ts', "printf 'alice: @kiki hello\\n' | kikimimi start"))
  program
    .command('check')
    .description('check configuration, database, models and tokens without starting the bot')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('check'))
  program
    .command('doctor')
    .addArgument(new Argument('[SUBJECT]').choices(['security', 'dead-letters']))
    .description(
      'examine the bot and its data, and repair them; with SUBJECT, the dangers of the configuration, or jobs that failed',
    )
    .option('--fix', 'repair what can be repaired without deleting what people said')
    .option('--replay <ID>', 'with dead-letters: run the failed job again; `all`: every one')
    .option('--json', 'print JSON')
    .hook('preAction', checkDoctor)
    .addHelpText(
      'after',
      `${examples('doctor', 'doctor --fix', 'doctor security', 'doctor dead-letters --replay all')}\n\n` +
        'Exit code: 0 nothing is wrong, 1 something is wrong, 2 something could not be examined.',
    )
  program
    .command('upgrade')
    .argument('[VERSION]')
    .description('try a new version of all packages on this bot, tell what it changes, and install it')
    .option('--dry-run', 'tell only')
    .addOption(
      new Option('--defaults <CHOICE>', 'changed defaults: keep the earlier values in bot.config.ts, or take the new ones')
        .choices(['keep', 'new'])
        .default('keep'),
    )
    .option('--accept-decisions', 'upgrade although the new version decides differently about messages of the last week')
    .option('--back', 'put the version before the last upgrade in place again, with its files')
    // What the new version and the installed one do for an upgrade.
    .addOption(new Option('--part <PART>').hideHelp())
    .addHelpText('after', examples('upgrade --dry-run', 'upgrade', 'upgrade 0.2.0', 'upgrade --back'))
  program
    .command('invite')
    .description('print the links that invite the bot to Discord and Slack')
    .addHelpText('after', examples('invite'))
  program
    .command('new')
    .argument('<bot|plugin>')
    .argument('<NAME>')
    .description('create the folder of a bot, or a plugin with a test: in the bot of this folder, or as a package')
    .option('--locale <LOCALE>', 'language of a bot and of its files, such as ja (default: the language of LANG)')
    .option('--no-install', 'do not run npm install')
    .addHelpText('after', examples('new plugin hello', 'new bot my-bot --locale ja'))
}

function addPlugins(program: Command): void {
  program.commandsGroup('Change its plugins:')
  program
    .command('add')
    .argument('<NAME>')
    .description(
      'install a plugin and write it into bot.config.ts: NAME is a plugin of kikimimi, such as telegram, or a package; secrets go to .env',
    )
    .option('--set <NAME=VALUE>', 'a setting that the plugin asks for, repeatable', collect)
    .option('--yes', 'do not ask')
    .addHelpText('after', examples('add telegram', 'add irc --yes --set host=irc.example.org --set channels=#general'))
  program
    .command('remove')
    .argument('<NAME>')
    .description('remove a plugin from bot.config.ts and uninstall its package; its data stays in the database')
    .option('--yes', 'do not ask')
    .addHelpText('after', examples('remove telegram'))
  program
    .command('search')
    .argument('[WORD...]')
    .description("find plugins in npm's registry, and show which fit this kikimimi")
    .option('--json', 'print JSON')
    .addHelpText('after', examples('search weather'))
}

function addAnalysis(program: Command): void {
  program.commandsGroup('Understand its decisions:')
  program
    .command('why')
    .argument('[MESSAGE]')
    .description('explain why the bot answered or stayed silent: for one message, or for the latest turns')
    .option('--channel <NAME>', 'only this channel, by name or id')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('why', 'why --channel dev', 'why 1234567890'))
  program
    .command('explain')
    .description('draw the pipeline, and list every option of every plugin and who may call, with the values and their sources')
    .option('--channel <NAME>', 'values in this channel, by name or id')
    .option('--thread <ID>', 'values in this thread')
    .option('--workspace <ID>', 'values in this workspace or server')
    .option('--person <ID>', 'add what this person has used of the quotas in this hour')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('explain', 'explain --channel dev', 'explain --channel dev --person U12345'))
  program
    .command('replay')
    .argument('<FILE...>')
    .description(
      'run chat logs (JSON lines, exports of Slack, exports of DiscordChatExporter) through the pipeline on a virtual clock and count what the bot does',
    )
    .option('--seat <AUTHOR>', 'replace this member with the bot and compare the two')
    .option('--seats <N>', 'replace each of the N busiest members of a file in turn')
    .option('--judge <KIND>', 'substitute for the judge model: oracle, always, never or noisy; model: ask the real one')
    .option('--band <LOW-HIGH>', 'range of scores for which the substitute judge is asked', '20-80')
    .option('--sample <N>', 'with --judge model: the most turns for which it is asked', '200')
    .option('--budget <TOKENS>', 'with --judge model: the most tokens of all calls')
    .option('--compare <LIST>', 'compare presets of judge-rules with one judgement per message')
    .option('--set <NAME=VALUE>', 'override a setting, repeatable: judge-rules.threshold=50, pacing.minWait=30s', collect)
    .option('--out <FILE>', 'write the report as an HTML page')
    .option('--seed <N>', 'seed of the random numbers', '1')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'export > chat.jsonl',
        'replay chat.jsonl',
        'replay chat.jsonl --seats 3 --out chat.html',
        'replay slack-export.zip --seats 3',
      ),
    )
  program
    .command('eval')
    .argument('[SUBJECT...]')
    .description(
      'play scenes to the bot with its real models and check what it does: speak, context, injection, memory; or take the rated turns again: rated',
    )
    .option('--against <FILE>', 'compare with the bot of another bot.config.ts')
    .option('--set <NAME=VALUE>', 'compare with the same bot and this setting changed, repeatable', collect)
    .option('--budget <TOKENS>', 'the most tokens of all calls')
    .option('--out <NAME>', 'also write the reports NAME.json and NAME.html')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'eval',
        'eval speak context --budget 200000',
        'eval --set judge-rules.threshold=40',
        'eval --against other/bot.config.ts',
      ),
    )
}

function addData(program: Command): void {
  program.commandsGroup('Manage its data:')
  program
    .command('alert')
    .description('send a test to each target of alerts: the webhook and the channels')
    .requiredOption('--test', 'send a test')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('alert --test'))
  program
    .command('forget')
    .argument('<USER>')
    .description('delete the data of a person: USER is a name, an id, or platform:id')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('forget alice', 'forget discord:80351110224678912'))
  program
    .command('backup')
    .argument('[FILE]')
    .description('write all data to a file')
    .option('--stdout', 'write it to standard output')
    .option('--new-key', 'print a new key for the encrypted backups of the plugin backup')
    .addHelpText('after', examples('backup kikimimi.backup', 'backup --stdout > kikimimi.backup'))
  program
    .command('restore')
    .argument('[FILE]')
    .description('load a backup into an empty database; an encrypted one needs BACKUP_KEY')
    .option('--newest', 'the newest backup of the plugin backup')
    .addHelpText('after', examples('restore kikimimi.backup', 'restore --newest'))
  program
    .command('rescue')
    .argument('<FROM>')
    .requiredOption('--to <FILE>', 'the backup that is written')
    .description(
      'read the data of any earlier version and write it as a backup for restore: FROM is a data folder, a postgres:// URL or a backup, and stays as it is',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', examples('rescue data --to rescued.backup', 'rescue old.backup --to rescued.backup'))
  program
    .command('drill')
    .argument('[FILE]')
    .description('test a restore in memory: of FILE, or of the newest backup of the plugin backup')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('drill', 'drill kikimimi.backup'))
  program
    .command('move')
    .requiredOption('--to <DATABASE>', 'empty target database: a postgres:// URL or a folder')
    .description('copy all data into another database')
    .addHelpText('after', examples('move --to postgres://user:password@host/database'))
  program
    .command('export')
    .argument('[FOLDER]')
    .description('print the messages of public channels as a chat log; with FOLDER, write all readable data as JSON lines')
    .option('--channel <NAME>', 'only this channel and its threads, also a private one; by name or id')
    .option('--since <TIME>', 'only messages from this time on: 7d, 12h')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('export > chat.jsonl', 'export --channel dev --since 7d > dev.jsonl', 'export my-folder'))
}

/** `replay FILE…` */
export function call(command: Command): string {
  const words = command.registeredArguments.map(argument => {
    const word = `${argument.name()}${argument.variadic ? '…' : ''}`
    return argument.required ? word : `[${word}]`
  })
  const options = command.options.filter(option => option.mandatory).map(({ flags }) => flags.replace(/[<>]/g, ''))
  return [command.name(), ...words, ...options].join(' ')
}

function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map(line => `  ${line.includes('| ') ? '' : 'kikimimi '}${line}`)].join('\n')
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/** Refuses options that do not fit together, before the configuration is loaded. */
function checkDoctor(command: Command): void {
  const [subject] = command.args
  const { fix, replay } = command.opts<{ fix?: boolean; replay?: string }>()
  if (replay !== undefined && subject !== 'dead-letters')
    command.error(`error: --replay needs the subject: kikimimi doctor dead-letters --replay ${replay}`)
  if (fix && subject === 'dead-letters')
    command.error('error: dead letters are replayed by name: kikimimi doctor dead-letters --replay ID, or all')
}
