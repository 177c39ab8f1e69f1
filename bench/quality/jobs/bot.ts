/** A bot with stored turns, a settings file, backups, and a Slack emulator to connect to. Its own platform delivers no messages. */
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import addressing from '@kikimimi/addressing'
import backup, { newKey } from '@kikimimi/backup'
import dashboard from '@kikimimi/dashboard'
import facts from '@kikimimi/facts'
import judgeLlm from '@kikimimi/judge-llm'
import judgeRules from '@kikimimi/judge-rules'
import memorySummary from '@kikimimi/memory-summary'
import profiles from '@kikimimi/profiles'
import quiet from '@kikimimi/quiet'
import remember from '@kikimimi/remember'
import replay from '@kikimimi/replay'
import reply from '@kikimimi/reply'
import slack from '@kikimimi/slack'
import { startSlack } from '@kikimimi/slack/testing'
import { type Bot, type BotConfig, type Database, defineBot, startBot, systemClock } from 'kikimimi'
import type { ChatModel } from 'kikimimi/model'
import { definePlatform } from 'kikimimi/platform'
import type { SettingsFile } from '../../../core/features/settings-file/schema.ts'
import { readTranscript } from '../../../core/prompt/transcript.ts'
import { openDatabase } from '../../../core/storage/database/database.ts'
import { freePort } from '../../../core/testing/free-port.ts'
import type { StudioView } from '../../../plugins/dashboard/studio/views.ts'
import { benchLog, deafPlatform } from '../../base/talk.ts'
import { type Past, seed } from './seed.ts'
import { inDev, live, NO, SURE, type Talk, YES } from './talk.ts'

const PASSWORD = 'a long enough password'
const DAY = 86_400_000
/** Bad answers of yesterday. */
const WORST = 10

export interface SeededBot extends AsyncDisposable {
  url(): string
  readonly db: Database
  /** The session of an owner. */
  readonly session: string
  /** The content of bot.settings.json. */
  settings(): Promise<SettingsFile>
  readonly backups: string
  readonly slack: Awaited<ReturnType<typeof startSlack>>
  /** Sets the tokens of Slack in the environment, and starts the bot again. */
  connectSlack(): Promise<void>
  api<T = unknown>(path: string, how?: { readonly method: string; readonly body: unknown }): Promise<T>
}

const platform = { ...deafPlatform(), name: 'irc' }
const open = (database: string) => openDatabase(database, { clock: systemClock, log: benchLog })

interface Place {
  readonly http: string
  readonly backups: string
  readonly key: string
  readonly settings: SettingsFile
}

/** What the bot decides with. */
const MODELS = { chat: model('large'), judge: model('small'), summary: model('small') }
const COMMON = {
  ...{ persona: { name: 'kiki' }, pacing: { minWait: 0 }, models: MODELS },
  budget: { prices: { large: { input: 2, output: 8 }, small: { input: 1, output: 2 } } },
}
const decides = () => [addressing(), judgeRules(), judgeLlm()]

function configOf({ http, backups, key, settings }: Place): BotConfig {
  return defineBot({
    ...{ ...COMMON, settings, http },
    plugins: [
      ...[dashboard({ password: PASSWORD }), replay(), backup({ to: backups, key })],
      ...[definePlatform({ name: 'irc', setup: () => ({ platform }) }), process.env.SLACK_BOT_TOKEN !== undefined && slack()],
      ...[quiet(), remember(), ...decides(), memorySummary(), profiles(), facts(), reply()],
    ],
  })
}

/** The past of the bot, in an empty database. */
export async function fill(database: string, past: Past & Talk): Promise<void> {
  await using scope = new AsyncDisposableStack()
  const { path: backups } = scope.use(await mkdtempDisposable(join(tmpdir(), 'kikimimi-jobs-')))
  const { secret: key } = await newKey()
  const db = scope.adopt(await open(database), one => one.close())
  const config = configOf({ http: `127.0.0.1:${await freePort()}`, backups, key, settings: {} })
  // The first start makes the tables.
  await (await startBot(config, { db, env: {}, log: benchLog, supervise: false, serves: false })).stop()
  await live(db, past, { ...COMMON, plugins: [...decides(), reply()] }, platform.me)
  await seed(db, past)
}

/** @param database with a past: see {@link fill} */
export async function openBot(database: string): Promise<SeededBot> {
  await using opening = new AsyncDisposableStack()
  const { path: folder } = opening.use(await mkdtempDisposable(join(tmpdir(), 'kikimimi-jobs-')))
  const [file, backups] = [join(folder, 'bot.settings.json'), join(folder, 'backups')]
  await writeFile(file, '{ "plugins": { "quiet": { "enabled": false } } }\n')
  const server = opening.use(await startSlack())
  process.env.SLACK_API_URL = server.apiUrl
  const { secret: key } = await newKey()
  const http = `127.0.0.1:${await freePort()}`
  const settings = async () => JSON.parse(await readFile(file, 'utf8'))
  const db = opening.adopt(await open(database), one => one.close())
  const started = async () => {
    const config = configOf({ http, backups, key, settings: await settings() })
    return startBot(config, { db, env: {}, log: benchLog, supervise: false, project: pathToFileURL(`${folder}/`) })
  }
  let bot: Bot = await started()
  opening.defer(() => bot.stop())
  const url = () => `http://${http}`
  let session = ''
  async function ask(path: string, { method, body }: { method: string; body?: unknown } = { method: 'GET' }) {
    const headers = { cookie: session, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const answer = await fetch(`${url()}/api/${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const logIn = async (account: object) => {
    session = ''
    session = (await ask('login', { method: 'POST', body: account })).headers.get('set-cookie')?.split(';')[0] ?? ''
  }
  await logIn({ password: PASSWORD })
  async function api<T>(path: string, how?: { readonly method: string; readonly body: unknown }): Promise<T> {
    return (await (await ask(path, how)).json()) as T
  }

  // Alice tells something, in the channel.
  await bot.receive(platform, {
    id: 'alice-1',
    conversation: inDev,
    author: { id: 'alice', name: 'Alice' },
    text: 'kiki, remember that I live in Oslo',
    at: new Date(),
    mentions: [platform.me],
  })
  await bot.drained()
  // People have rated answers to their calls, those of yesterday as bad.
  const midnight = new Date().setHours(0, 0, 0, 0)
  const { rows } = await db.query<{ turn: string; at: Date }>(
    `select turn, at from kikimimi_v1.trace where outcome = 'replied' and data ? 'addressed' and data->'decision'->>'kind' = 'full' and at < $1 order by at`,
    [new Date(midnight)],
  )
  const yesterday = rows.filter(({ at }) => at.getTime() >= midnight - DAY).slice(-WORST)
  const rated = { contains: [], forbids: [], comment: '' }
  for (const { turn } of rows.slice(0, WORST))
    await api(`ratings/${encodeURIComponent(turn)}`, { method: 'PUT', body: { ...rated, good: true, speaks: true } })
  for (const { turn } of yesterday)
    await api(`ratings/${encodeURIComponent(turn)}`, { method: 'PUT', body: { ...rated, good: false, speaks: true } })
  // Another owner has changed the threshold.
  const mika = { name: 'mika', role: 'owner', password: 'a password of mika' }
  await api('access/accounts', { method: 'POST', body: mika })
  await logIn({ account: mika.name, password: mika.password })
  const { version } = await api<StudioView>('studio')
  const changes = [{ path: ['plugins', 'judge-rules', 'options', 'threshold'], value: 30 }]
  await api('studio', { method: 'POST', body: { version, changes } })
  await logIn({ password: PASSWORD })

  const opened = opening.move()
  return {
    ...{ url, db, settings, backups, slack: server, api },
    session: session.split('=')[1] ?? '',
    async connectSlack() {
      Object.assign(process.env, {
        SLACK_BOT_TOKEN: server.botToken,
        SLACK_APP_TOKEN: server.appToken,
      })
      await bot.stop()
      bot = await started()
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** Answers as its persona says, and names itself. As a judge it wants every question answered. */
function model(name: string): ChatModel {
  return {
    name,
    async generate({ role, system, messages }) {
      if (role === 'judge') {
        const asks =
          messages
            .flatMap(({ text }) => readTranscript(text))
            .at(-1)
            ?.text.includes('?') === true
        return { value: { reason: asks ? YES : NO, respond: asks, confidence: SURE }, text: '', toolCalls: [] }
      }
      if (role === 'summary')
        return { value: { summary: NOTES, memory: NOTES, mood: 'busy', topics: ['installation'] }, text: '', toolCalls: [] }
      return { text: system.includes('pirate') ? `Arr, says ${name}.` : `It depends, says ${name}.`, toolCalls: [] }
    },
  }
}

const NOTES = 'People help each other to install Ubuntu.'
