/**
 * `kikimimi upgrade` of a bot from a registry on this machine, with two days of messages, to releases that are made for it: one with a
 * renamed option and a changed default, one that also decides differently without saying so, and one that is not whole.
 *
 *   npm run bench:releases
 */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, succeeds } from '../../../scripts/command.ts'
import { pack } from '../../../scripts/pack.ts'
import { startRegistry } from '../../../scripts/release/registry.ts'
import { repacked } from '../../../scripts/release/repack.ts'
import { bumped, presentVersion } from '../../../scripts/release/versions.ts'
import { machine, progress } from '../../base/measure.ts'
import { writeWeek } from './week.ts'

await using scope = new AsyncDisposableStack()
const folder = scope.adopt(await mkdtemp(join(tmpdir(), 'kikimimi-upgrade-bench-')), path =>
  rm(path, { recursive: true, maxRetries: 3 }),
)
progress('messages')
const messages = await writeWeek(join(folder, 'week.backup'))

progress('pack')
const present = await presentVersion()
const version = bumped(present, 'minor')
const [unannounced, partial] = [bumped(version, 'patch'), bumped(version, 'minor')]
const tarballs = (await pack(join(folder, present))).map(({ file }) => file)

async function edited(file: string, changes: readonly (readonly [string | RegExp, string])[]): Promise<void> {
  const before = await readFile(file, 'utf8')
  const after = changes.reduce((text, [from, to]) => {
    const changed = text.replaceAll(from, to)
    if (changed === text) throw new Error(`${file} does not have ${from}.`)
    return changed
  }, before)
  await writeFile(file, after)
}

/** `knownTopics` becomes `topics`, and the default of `threshold` 20. */
async function announced(package_: string, name: string): Promise<void> {
  if (name === 'kikimimi') {
    const section = `## ${version} (2027-01-31)\n\n### judge-rules\n\n- knownTopics is called topics\n- the default of threshold is 20\n`
    await writeFile(
      join(package_, 'CHANGELOG.md'),
      `# Changelog\n\n${section}\n## ${present} (2027-01-01)\n\nThe first release.\n`,
    )
  }
  if (name !== '@kikimimi/judge-rules') return
  await edited(join(package_, 'index.js'), [["'knownTopics'", "'topics'"]])
  await edited(join(package_, 'table.js'), [['options.knownTopics', 'options.topics']])
  await edited(join(package_, 'options.js'), [
    [/knownTopics: (z\.array\(z\.string\(\)\)\.default\(\[\]\))/g, "topics: $1.meta({ renamedFrom: 'knownTopics' })"],
    ['.default(60)', '.default(20)'],
  ])
}

/** Also: a talk in which the bot takes part has more points. */
async function alsoUnannounced(package_: string, name: string): Promise<void> {
  await announced(package_, name)
  if (name === '@kikimimi/judge-rules')
    await edited(join(package_, 'rules/attentive.js'), [["name: 'present', points: 30", "name: 'present', points: 90"]])
}

const registry = scope.use(await startRegistry())
progress(`publish ${present}`)
for (const file of tarballs) await registry.publish(file)
progress('a bot')
const { env } = registry
const bot = join(folder, 'my-bot')
await mkdir(bot)
const PLUGINS = [
  'addressing',
  'eavesdrop',
  'facts',
  'judge-rules',
  'memory-summary',
  'profiles',
  'quiet',
  'remember',
  'reply',
  'terminal',
]
const names = ['kikimimi', '@kikimimi/cli', ...PLUGINS.map(name => `@kikimimi/${name}`)]
const dependencies = Object.fromEntries(names.map(name => [name, `^${present}`]))
await writeFile(
  join(bot, 'package.json'),
  JSON.stringify({ name: 'my-bot', private: true, type: 'module', dependencies }, undefined, 2),
)
await writeFile(join(bot, 'bot.config.ts'), configOf(PLUGINS))
await writeFile(
  join(bot, 'bot.settings.json'),
  '{ "plugins": { "judge-rules": { "channels": { "board": { "knownTopics": ["harbour"] } } } } }\n',
)
await succeeds(bot, 'npm', ['install', '--loglevel=error'], { env })
const kikimimi = (args: readonly string[], input = '') =>
  run(bot, process.execPath, ['node_modules/@kikimimi/cli/bin.js', ...args], { env, input })
await successful(['restore', '../week.backup'])

progress(`publish ${version}, ${unannounced} and a part of ${partial}`)
for (const file of await repacked(tarballs, join(folder, version), version, { change: announced })) await registry.publish(file)
for (const file of await repacked(tarballs, join(folder, unannounced), unannounced, { change: alsoUnannounced }))
  await registry.publish(file, 'unannounced')
const kernel = tarballs.filter(path => /\/kikimimi-\d[^/]*\.tgz$/.test(path))
for (const file of await repacked(kernel, join(folder, partial), partial)) await registry.publish(file, 'partial')

const FILES = ['package.json', 'package-lock.json', 'bot.config.ts', 'bot.settings.json']
/** A hash of the files of the bot, and its version. */
async function state(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of [...FILES, 'node_modules/kikimimi/package.json', 'node_modules/@kikimimi/judge-rules/options.js'])
    hash.update(await readFile(join(bot, name)))
  return hash.digest('hex')
}

interface Step {
  readonly step: string
  readonly seconds: number
  readonly code: number
  readonly touched: boolean
  readonly told: string
}
const steps: Step[] = []
async function upgrade(step: string, expected: number, ...args: string[]): Promise<void> {
  progress(step)
  const before = await state()
  const begun = performance.now()
  const { code, out, err } = await kikimimi(['upgrade', ...args])
  const seconds = Math.round((performance.now() - begun) / 100) / 10
  steps.push({ step, seconds, code, touched: (await state()) !== before, told: `${out}${err}` })
  if (code !== expected) throw new Error(`${step} ended with ${code}:\n${out}\n${err}`)
}

await upgrade('dry run, new defaults', 0, '--dry-run', '--defaults', 'new')
await upgrade('an unannounced change', 1, unannounced)
await upgrade('a release that is not whole', 1, partial)
await upgrade('upgrade', 0, version)
const talk = await successful(['start'], 'alice: @kiki hello\n')
await upgrade('again', 0)
const files = Object.fromEntries(
  await Promise.all(FILES.slice(2).map(async name => [name, await readFile(join(bot, name), 'utf8')] as const)),
)
process.stdout.write(`${JSON.stringify({ machine: machine(), messages, steps, talk, files }, null, 2)}\n`)

async function successful(args: readonly string[], input?: string): Promise<string> {
  const { code, out, err } = await kikimimi(args, input)
  if (code !== 0) throw new Error(`kikimimi ${args.join(' ')} ended with ${code}:\n${out}\n${err}`)
  return out
}

function configOf(plugins: readonly string[]): string {
  const variable = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  const options: Readonly<Record<string, string>> = {
    'judge-rules': "{ knownTopics: ['train'] }, { channels: { office: { knownTopics: ['key'] } } }",
  }
  return `${plugins.map(name => `import ${variable(name)} from '@kikimimi/${name}'`).join('\n')}
import { defineBot } from 'kikimimi'
import settings from './bot.settings.json' with { type: 'json' }

export default defineBot({
  settings,
  persona: { name: 'kiki' },
  database: './data',
  plugins: [
${plugins.map(name => `    ${variable(name)}(${options[name] ?? ''}),`).join('\n')}
  ],
})
`
}
