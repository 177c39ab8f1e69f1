/**
 * `npm run reference` writes docs/reference.md from the schemas of options, the definitions of commands, the doc comments of
 * bot.config.ts, .env.example and the metrics; docs/errors.md from the table of error codes; from the doc comments
 * of bot.config.ts also core/features/settings-file/setting-docs.json; and from the plugins docs/plugins.md and
 * the field `kikimimi` of each package.json.
 *
 *   node scripts/reference.ts            writes all
 *   node scripts/reference.ts --check    exit code 1 when one is out of date
 */

import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Option } from 'commander'
import type { ChatCommand, PluginDefinition } from 'kikimimi'
import { z } from 'zod'
import { settings } from '../core/api/config.ts'
import { call, createProgram } from '../packages/cli/program.ts'
import { docComments } from './reference/doc-comments.ts'
import { declaredVariables, OF_THE_SHELL, type Variable, variablesRead } from './reference/environment.ts'
import { errorsPage } from './reference/errors.ts'
import { manifestPages } from './reference/manifests.ts'
import { type OptionRow, optionsOf } from './reference/options.ts'
import { chatCommands, metrics } from './reference/running.ts'

// Descriptions explain defaults that come from the environment.
for (const { name } of [...declaredVariables(), ...OF_THE_SHELL]) delete process.env[name]

const root = join(import.meta.dirname, '..')
const COMMAND = 'npm run reference'

interface Section {
  readonly title: string
  readonly text: string
}

async function reference(): Promise<string> {
  const plugins = await definitions()
  const sections: Section[] = [
    { title: 'bot.config.ts', text: config() },
    ...plugins.map(plugin => ({ title: plugin.name, text: pluginText(plugin) })),
    { title: 'Commands in the chat', text: chatTable(await chatCommands(plugins)) },
    { title: 'Commands of kikimimi', text: cliText(plugins) },
    { title: 'Environment', text: environment() },
    { title: 'Metrics', text: await metricsText() },
  ]
  return `<!-- Written by \`${COMMAND}\`. Change what it is written from. -->
# Reference

All options, commands, environment variables and metrics.

${sections.map(({ title }) => `- [${title}](#${anchor(title)})`).join('\n')}

A **time** is a number of seconds, or \`'90s'\`, \`'5m'\`, \`'1h'\`, \`'30d'\`, \`'500ms'\`. Options marked **scoped** can have another value in
a workspace, channel or thread, in the second argument of the plugin ([how](./operations.md#options-of-a-place)).

${sections.map(({ title, text }) => `## ${title}\n\n${text}`).join('\n\n')}
`
}

/** The anchor that GitHub makes. */
function anchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

async function definitions(): Promise<PluginDefinition[]> {
  const modules = globSync('plugins/*/index.ts', { cwd: root }).sort()
  const imported = await Promise.all(modules.map(path => import(pathToFileURL(join(root, path)).href)))
  return imported.flatMap(({ default: factory }) => factory?.definition ?? [])
}

// ---------------------------------------------------------------- options

/** The files of the schema of bot.config.ts. */
const CONFIG_SOURCES = ['core/api/config.ts', 'core/api/checks/access-rules.ts']

/** The settings, with their doc comments. */
function configRows(): OptionRow[] {
  const sources = CONFIG_SOURCES.map(path => readFileSync(join(root, path), 'utf8'))
  const comments = docComments(sources, 'settings')
  return optionsOf(settings).map(row => ({ ...row, does: withoutDefault(comments.get(row.path) ?? '', row.usual) }))
}

function config(): string {
  return `The settings of \`defineBot({ … })\`.\n\n${optionTable('bot.config.ts', configRows())}`
}

/** For the dashboard: the schema itself has no descriptions. */
function settingDocs(): string {
  const docs = Object.fromEntries(configRows().map(({ path, does }) => [path, does]))
  return `${JSON.stringify(docs, null, 2)}\n`
}

/** The default has its own column. */
function withoutDefault(does: string, usual: string): string {
  return usual === '' ? does : does.replace(/ Default:? \S+\.$/, '')
}

function pluginText({ name, options, scoped = [], cli = [] }: PluginDefinition): string {
  const about = /^\/\*\* (.*) \*\/$/m.exec(readFileSync(join(root, 'plugins', name, 'index.ts'), 'utf8'))?.[1] ?? ''
  const head = `${about} [More](../plugins/${name}/README.md)`
  const rows = options instanceof z.ZodType ? optionsOf(options) : []
  const table = rows.length === 0 ? 'No options.' : optionTable(name, rows, scoped)
  const commands = cli.filter(({ usage }) => usage.length > 0).map(command => `\`kikimimi ${command.name}\``)
  return `${head}\n\n${table}${commands.length === 0 ? '' : `\n\nCommands: ${commands.join(', ')}: [commands](#commands-of-kikimimi).`}`
}

/** Throws for an option without a description. */
function optionTable(owner: string, rows: readonly OptionRow[], scoped: readonly string[] = []): string {
  const mute = rows.filter(({ does }) => does === '').map(({ path }) => path)
  if (mute.length > 0) throw new Error(`${owner} has options without a description: ${mute.join(', ')}. Add .describe('…').`)
  const marked = ({ path, does }: OptionRow) => (scoped.includes(path) ? `${does} **Scoped.**` : does)
  return table(
    ['option', 'type', 'default', ''],
    rows.map(row => [`\`${row.path}\``, row.type, row.usual, marked(row)]),
  )
}

// ---------------------------------------------------------------- commands

const WHO = { everyone: 'everyone', moderator: 'moderators', admin: 'admins' } as const

function chatTable(commands: readonly ChatCommand[]): string {
  const rows = commands.map(({ name, usage, does, permission }) => [
    `\`/kiki ${name}${usage === undefined ? '' : ` ${usage}`}\``,
    `${does.en}<br>${does.ja}`,
    WHO[permission],
  ])
  return `[Explanations](./commands.md). The command has the name of the bot, if the platform allows it, and \`/kiki\` otherwise.

${table(['command', '', 'who'], rows)}`
}

function cliText(plugins: readonly PluginDefinition[]): string {
  const program = createProgram()
  const groups = Map.groupBy(program.commands, command => command.helpGroup().replace(/:$/, ''))
  const tables = [...groups].map(([title, commands]) => {
    const rows = commands.map(command => [`\`kikimimi ${call(command)}\``, command.description(), names(command.options)])
    return `### ${title}\n\n${table(['command', '', 'options'], rows)}`
  })
  const own = plugins.flatMap(({ cli = [] }) => cli).flatMap(({ usage }) => usage)
  const options = [program, ...program.commands].flatMap(command => command.options)
  const once = new Map(options.map(option => [`${option.flags} ${option.description}`, option]))
  return `In the folder of a bot: \`npm run kikimimi -- COMMAND\`. \`kikimimi help COMMAND\` shows examples. Exit codes: 0 success, 1 failure, 2 wrong
arguments.

${tables.join('\n\n')}

### Commands of plugins

${table(
  ['command', ''],
  own.map(({ call, does }) => [call && `\`kikimimi ${call}\``, does]),
)}

### Options

${names(program.options.filter(({ long }) => long !== '--version'))} and \`--help\` work with every command, \`--json\` also with those of plugins.

${table(
  ['option', 'default', ''],
  [...once.values()].map(({ flags, defaultValue, description }) => [
    `\`${flags}\``,
    typeof defaultValue === 'string' ? `\`${defaultValue}\`` : '',
    description,
  ]),
)}`
}

function names(options: readonly Option[]): string {
  return options.map(({ long }) => `\`${long}\``).join(', ')
}

// ---------------------------------------------------------------- environment and metrics

/** Throws for a variable that is read and not declared. */
function environment(): string {
  const declared = declaredVariables()
  const known = new Set([...declared, ...OF_THE_SHELL].map(({ name }) => name))
  const unknown = [...variablesRead()]
    .filter(([name]) => !known.has(name))
    .map(([name, files]) => `${name} (${files.join(', ')})`)
  if (unknown.length > 0) {
    throw new Error(
      `These environment variables are read and declared nowhere: ${unknown.join('; ')}. Put them into .env.example.`,
    )
  }
  return `\`npm start\`, \`npm run kikimimi\` and Docker Compose read these from \`.env\`. A variable of the environment has priority over \`.env\`.

${variableTable(declared)}

Only from the shell:

${variableTable(OF_THE_SHELL)}`
}

function variableTable(variables: readonly Variable[]): string {
  return table(
    ['variable', 'such as', ''],
    variables.map(({ name, usual, does }) => [`\`${name}\``, usual && `\`${usual}\``, does]),
  )
}

async function metricsText(): Promise<string> {
  const rows = (await metrics()).map(({ name, type, labels, help }) => [
    `\`${name}\``,
    type,
    labels.map(label => `\`${label}\``).join(', '),
    help,
  ])
  return `The HTTP server has them at \`/metrics\`, with those of Node and its process (\`nodejs_…\`, \`process_…\`). It runs if \`http\` or
\`KIKIMIMI_HTTP\` sets an address, and at 127.0.0.1:8787, or the next free port, if a plugin has routes.

${table(['metric', 'type', 'labels', ''], rows)}`
}

// ---------------------------------------------------------------- Markdown

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|')
}

const pages = {
  'docs/reference.md': await reference(),
  'docs/errors.md': errorsPage(COMMAND),
  'core/features/settings-file/setting-docs.json': settingDocs(),
  ...(await manifestPages(COMMAND)),
}
for (const [page, written] of Object.entries(pages)) {
  const file = join(root, page)
  if (existsSync(file) && readFileSync(file, 'utf8') === written) continue
  if (!process.argv.includes('--check')) {
    writeFileSync(file, written)
    process.stdout.write(`${page} is written.\n`)
  } else {
    process.stderr.write(`${page} is out of date. Run: ${COMMAND}\n`)
    process.exitCode = 1
  }
}
