/**
 * `kikimimi upgrade` beside a bot that hears and answers in an emulated Discord, from a registry on this machine: to a release whose
 * migration fails on the data, to one that fails at its start, and to one with new migrations. Is each message recorded once, and each
 * mention answered once?
 *
 *   npm run bench:running-upgrade
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { systemClock } from 'kikimimi'
import { openDatabase } from '../../core/storage/database/database.ts'
import { startDiscord } from '../../plugins/discord/testing/index.ts'
import { run, succeeds } from '../../scripts/command.ts'
import { pack } from '../../scripts/pack.ts'
import { startRegistry } from '../../scripts/release/registry.ts'
import { repacked } from '../../scripts/release/repack.ts'
import { bumped, presentVersion } from '../../scripts/release/versions.ts'
import { machine, progress } from '../base/measure.ts'
import { benchLog } from '../base/talk.ts'

/** Milliseconds between two messages. Every eighth calls the bot, in the next of 40 channels. */
const PAUSE = 400
const CALLS = 8
const CHANNELS = Array.from({ length: 40 }, (_, index) => `room-${index}`)
const PATIENCE_MS = 3 * 60_000

await using scope = new AsyncDisposableStack()
const folder = scope.adopt(await mkdtemp(join(tmpdir(), 'kikimimi-running-upgrade-')), path =>
  rm(path, { recursive: true, maxRetries: 3 }),
)
progress('pack')
const present = await presentVersion()
const unfit = bumped(present, 'minor')
const failing = bumped(unfit, 'patch')
const good = bumped(failing, 'patch')
const tarballs = (await pack(join(folder, present))).map(({ file }) => file)

/** Adds a step to the migrations in a folder. */
async function migration(migrations: string, sql: string): Promise<void> {
  const last =
    (await readdir(migrations))
      .filter(name => name.endsWith('.sql'))
      .sort()
      .at(-1) ?? ''
  await writeFile(join(migrations, `${String(Number(last.slice(0, 3)) + 1).padStart(3, '0')}-new.sql`), sql)
}

async function migrated(package_: string, name: string): Promise<void> {
  if (name === 'kikimimi')
    await migration(
      join(package_, 'storage/migrations'),
      'alter table kikimimi.message add column mood text not null default $$calm$$;\n',
    )
  if (name === '@kikimimi/facts')
    await migration(join(package_, 'migrations'), 'alter table facts.fact add column weight integer;\n')
}

/** A rule that no row of a new database breaks, and rows of a used one do. */
async function refusing(package_: string, name: string): Promise<void> {
  if (name === 'kikimimi')
    await migration(
      join(package_, 'storage/migrations'),
      'alter table kikimimi.message add constraint brief check (length(text) < 3);\n',
    )
}

async function failingAtStart(package_: string, name: string): Promise<void> {
  await migrated(package_, name)
  if (name !== '@kikimimi/judge-rules') return
  const file = join(package_, 'index.js')
  const before = await readFile(file, 'utf8')
  const after = before.replace(
    /setup: \(([^)]*)\) => \{/,
    `$&\n    if (process.argv.includes('start')) throw new Error('a mistake of the release')`,
  )
  if (after === before) throw new Error(`${file} has no setup.`)
  await writeFile(file, after)
}

const registry = scope.use(await startRegistry())
progress('publish')
for (const file of tarballs) await registry.publish(file)

const discord = scope.use(await startDiscord({ guilds: [{ name: 'team', channels: CHANNELS }] }))
const env = {
  ...registry.env,
  DISCORD_TOKEN: discord.token,
  DISCORD_API_URL: discord.apiUrl,
  LOG_FORMAT: 'json',
  LOG_LEVEL: 'info',
}
const bot = join(folder, 'my-bot')
await mkdir(bot)
const PLUGINS = ['discord', 'addressing', 'facts', 'judge-rules', 'remember']
const names = ['kikimimi', '@kikimimi/cli', ...PLUGINS.map(name => `@kikimimi/${name}`)]
await writeFile(
  join(bot, 'package.json'),
  JSON.stringify({ private: true, type: 'module', dependencies: Object.fromEntries(names.map(name => [name, `^${present}`])) }),
)
await writeFile(join(bot, 'bot.config.ts'), configOf())
progress('a bot')
await succeeds(bot, 'npm', ['install', '--loglevel=error'], { env })
const CLI = 'node_modules/@kikimimi/cli/bin.js'
const kikimimi = (...args: readonly string[]) => run(bot, process.execPath, [CLI, ...args], { env })

/** Starts the bot. Returns it when it is connected, or what it says when it ends before. */
async function start(): Promise<ChildProcess | string> {
  const child = spawn(process.execPath, [CLI, 'start'], {
    cwd: bot,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = text(child.stderr as NonNullable<typeof child.stderr>)
  const ended = once(child, 'exit')
  const connected = async () => {
    while (discord.online === 0 && child.exitCode === null) await wait(50)
    return child.exitCode === null
  }
  if (await connected()) return child
  await ended
  return said
}

async function started(): Promise<ChildProcess> {
  const child = await start()
  if (typeof child === 'string') throw new Error(`The bot does not start:\n${child}`)
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

const said: string[] = []
/** What was under way when a message was said. */
const during: string[] = []
let now = 'talk'
const questions: string[] = []
const talk = () => {
  const number = said.length
  const isCall = number % CALLS === 0
  if (isCall) questions.push(`question-${number}-ends`)
  during.push(now)
  said.push(
    discord.say({
      author: `person-${number % 7}`,
      channel: CHANNELS[(isCall ? number / CALLS : number) % CHANNELS.length] ?? '',
      text: isCall ? `@kiki question-${number}-ends` : `the train number ${number} leaves at ten`,
    }),
  )
}

interface Step {
  readonly step: string
  readonly seconds: number
  readonly code: number
  readonly told: string
}
const steps: Step[] = []
async function step(name: string, expected: number, ...args: readonly string[]): Promise<void> {
  progress(name)
  now = name
  const begun = performance.now()
  const { code, out, err } = await kikimimi(...args)
  steps.push({ step: name, seconds: Math.round((performance.now() - begun) / 100) / 10, code, told: `${out}${err}` })
  if (code !== expected) throw new Error(`${name} ended with ${code}:\n${out}\n${err}`)
}

let child = await started()
const talking = setInterval(talk, PAUSE)
scope.defer(() => clearInterval(talking))
scope.defer(() => void child.kill('SIGKILL'))
await wait(5_000)
progress(`publish ${unfit}, ${failing}, ${good}`)
for (const [version, change] of [
  [unfit, refusing],
  [failing, failingAtStart],
  [good, migrated],
] as const)
  for (const file of await repacked(tarballs, join(folder, version), version, { change })) await registry.publish(file)

await step('a migration that fails on the data', 1, 'upgrade', unfit)
await step('a release that fails at its start', 0, 'upgrade', failing, '--accept-decisions')
now = 'the failing release starts'
await stop(child)
progress('start')
const refusal = await start()
if (typeof refusal !== 'string') throw new Error('The failing release has started.')
await step('back', 0, 'upgrade', '--back')
child = await started()
await step('new migrations', 0, 'upgrade', good, '--accept-decisions')
now = 'the new release starts'
await stop(child)
child = await started()
now = 'talk with the new release'

await wait(5_000)
clearInterval(talking)
progress('the last answers')
const answers = () => discord.posted.map(({ text }) => text)
const open = () => questions.filter(question => !answers().includes(`to ${question}`))
const until = Date.now() + PATIENCE_MS
while ((open().length > 0 || (await unread()) > 0) && Date.now() < until) await wait(500)
await stop(child)

/** Messages that the running bot has not recorded: it reads those of its absence channel by channel. */
async function unread(): Promise<number> {
  const file = join(folder, 'now.backup')
  await rm(file, { force: true })
  await kikimimi('backup', file)
  const recorded = new Set(
    gunzipSync(await readFile(file))
      .toString()
      .match(/\b\d{17,20}\b/g),
  )
  return said.filter(id => !recorded.has(id)).length
}

const db = await openDatabase(join(bot, 'data'), { clock: systemClock, log: benchLog })
const { rows } = await db.query<{ id: string }>('select id from kikimimi.message where not own')
const { rows: columns } = await db.query(
  `select 1 from information_schema.columns where (table_name, column_name) in (('message', 'mood'), ('fact', 'weight'))`,
)
await db.close()
const recorded = rows.map(({ id }) => id)
const missing = said.flatMap((id, number) => (recorded.includes(id) ? [] : [`${number}, ${during[number]}`]))
const result = {
  said: said.length,
  missing: missing.length,
  recordedTwice: recorded.length - new Set(recorded).size,
  questions: questions.length,
  unanswered: open().length,
  answeredTwice: questions.filter(question => answers().filter(text => text === `to ${question}`).length > 1).length,
  newColumns: columns.length,
}
process.stdout.write(`${JSON.stringify({ machine: machine(), ...result, lost: missing, steps, refusal }, null, 2)}\n`)
if (result.missing + result.recordedTwice + result.unanswered + result.answeredTwice > 0 || result.newColumns !== 2)
  process.exitCode = 1

function configOf(): string {
  const variable = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  return `${PLUGINS.map(name => `import ${variable(name)} from '@kikimimi/${name}'`).join('\n')}
import { defineBot, definePlugin } from 'kikimimi'

const echo = definePlugin({
  name: 'echo',
  setup: () => ({
    respond: async ({ message }) => ({ kind: 'text', text: \`to \${message.text.replace('@kiki ', '')}\` }),
  }),
})

export default defineBot({
  persona: { name: 'kiki' },
  database: './data',
  pacing: { minWait: '1s' },
  plugins: [${PLUGINS.map(name => `${variable(name)}()`).join(', ')}, echo],
})
`
}
