/**
 * One installation of the bot in three Slack workspaces whose channels, people and times of messages have the same ids: is each message
 * recorded under its workspace, and each mention answered once, there, with the token of the workspace?
 */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { freePort } from '../../core/testing/free-port.ts'
import manifest from '../../package.json' with { type: 'json' }
import { type SlackEmulator, startSlack } from '../../plugins/slack/testing/index.ts'
import { onServer } from '../base/databases.ts'
import { machine, progress } from '../base/measure.ts'
import type { Settings } from './workspaces/settings.ts'

const { values } = parseArgs({
  options: { messages: { type: 'string', default: '3000' }, processes: { type: 'string', default: '2' } },
})
const { DATABASE_URL } = process.env
if (!DATABASE_URL) {
  progress('Set DATABASE_URL to a Postgres server: a folder has one process.')
  process.exit(2)
}

const TEAMS = ['TNORTH', 'TSOUTH', 'TWEST']
const CHANNELS = 20
const PERSONS = 40
/** A prime, so that each channel has its share of mentions. */
const MENTIONS = 11
/** Messages that are said at once. */
const ABREAST = 12
const PATIENCE_MS = 120_000

const CLI = fileURLToPath(new URL('../../packages/cli/cli.ts', import.meta.url))
const CONFIG = fileURLToPath(new URL('./workspaces/bot.config.ts', import.meta.url))

async function startProcess(settings: Settings): Promise<AsyncDisposable & { readonly address: string }> {
  const env = { ...process.env, LOG_LEVEL: 'warn', BENCH_SETTINGS: JSON.stringify(settings) }
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const
  const child = fork(CLI, ['start', '--config', CONFIG], { env, execArgv: manifest.kikimimi.flags, stdio: [...stdio] })
  const address = `http://${settings.http}`
  while (!(await fetch(`${address}/readyz`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`the bot ended with code ${child.exitCode}`)
    await wait(100)
  }
  return {
    address,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** The whole way of an installation, in a browser. */
async function install(slack: SlackEmulator, team: string, address: string): Promise<void> {
  slack.team(team, { installed: false })
  const begun = await fetch(`${address}/slack/install`, { redirect: 'manual' })
  const cookie = begun.headers.get('set-cookie')?.replace(/;.*/, '') ?? ''
  const back = slack.allow(begun.headers.get('location') ?? '', team, `${address}/slack/oauth_redirect`)
  const { status } = await fetch(back, { headers: { cookie } })
  if (status !== 200) throw new Error(`the installation in ${team} failed: ${status}`)
}

/** The team that a text names. */
const teamIn = (text: string) => /T[A-Z]+/.exec(text)?.[0] ?? ''

async function measured(database: string) {
  await using slack = await startSlack({ burst: 1_000 })
  const { signingSecret, clientId, clientSecret, apiUrl } = slack
  const oauth = { signingSecret, clientId, clientSecret, apiUrl, tokenKey: randomBytes(32).toString('base64') }
  await using scope = new AsyncDisposableStack()
  const bots: { readonly address: string }[] = []
  for (let index = 0; index < Number(values.processes); index++) {
    const http = `127.0.0.1:${await freePort()}`
    bots.push(scope.use(await startProcess({ database, http, slack: oauth })))
  }
  // The other processes learn of an installation when they need it.
  for (const team of TEAMS) await install(slack, team, bots[0]?.address ?? '')
  slack.deliverTo(...bots.map(({ address }) => `${address}/slack/events`))

  const teams = TEAMS.map(id => slack.team(id))
  const perTeam = Math.floor(Number(values.messages) / teams.length)
  const begun = Date.now()
  let next = 0
  let mentions = 0
  async function speak(): Promise<void> {
    while (next < perTeam * teams.length) {
      const count = next++
      const team = teams[count % teams.length]
      const index = Math.floor(count / teams.length)
      const mention = index % MENTIONS === 0
      if (mention) mentions++
      // The same id of the message in each workspace. The half millisecond is never that of a post of the bot.
      const ts = (begun / 1_000 + index / 1_000 + 0.000_5).toFixed(6)
      const said = { author: `person-${(index * 7) % PERSONS}`, channel: `channel-${index % CHANNELS}` }
      await team?.say({ ...said, text: `${team.id} ${index}`, ts, mention })
    }
  }
  await Promise.all(Array.from({ length: ABREAST }, speak))
  const saidMs = Date.now() - begun

  const answers = () =>
    teams.flatMap(({ id, posted }) => posted.flatMap(({ text }) => text.split('\n').map(line => ({ id, line }))))
  const db = new pg.Client({ connectionString: database })
  await db.connect()
  scope.defer(() => db.end())
  const recorded = async () => (await db.query<Row>(ROWS)).rows
  const until = Date.now() + PATIENCE_MS
  while (Date.now() < until && (answers().length < mentions || (await recorded()).length < perTeam * teams.length + mentions)) {
    await wait(250)
  }
  await wait(1_000)

  const rows = await recorded()
  const people = rows.filter(({ own }) => !own)
  // One workspace has Slack's own ids of people, and the others have their team in them.
  const idsOf = Map.groupBy(people, ({ author_id }) => author_id)
  const posts = slack.calls.filter(({ method }) => method === 'chat.postMessage')
  return {
    processes: bots.length,
    messages: { said: perTeam * teams.length, recorded: people.length, seconds: saidMs / 1_000 },
    rowsUnderWrongTeam: rows.filter(({ workspace, text }) => workspace !== teamIn(text)).length,
    idsOfPeopleInTwoTeams: [...idsOf.values()].filter(said => new Set(said.map(({ workspace }) => workspace)).size > 1).length,
    mentions: {
      asked: mentions,
      answeredOnce: new Set(answers().map(({ line }) => line)).size,
      answers: answers().length,
      ownRows: rows.length - people.length,
    },
    answersInWrongTeam: answers().filter(({ id, line }) => id !== teamIn(line)).length,
    postsWithWrongToken: posts.filter(({ team, args }) => team !== teamIn(args.text ?? '')).length,
    posts: posts.length,
  }
}

interface Row {
  readonly workspace: string
  readonly author_id: string
  readonly own: boolean
  readonly text: string
}
const ROWS =
  'select c.workspace, m.author_id, m.own, m.text from kikimimi.message m join kikimimi.conversation c on c.id = m.conversation'

const start = machine()
const result = await onServer(DATABASE_URL, measured)
process.stdout.write(`${JSON.stringify({ machine: start, ...result, loadAtEnd: machine().load }, null, 2)}\n`)
const { messages, mentions } = result
const isRight =
  messages.recorded === messages.said &&
  mentions.answeredOnce === mentions.asked &&
  mentions.answers === mentions.asked &&
  result.rowsUnderWrongTeam + result.idsOfPeopleInTwoTeams + result.answersInWrongTeam + result.postsWithWrongToken === 0
if (!isRight) progress('NOT all was recorded and answered once in its workspace')
process.exitCode = isRight ? 0 : 1
