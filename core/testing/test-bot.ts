import type { LightMyRequestResponse as InjectedResponse, InjectOptions } from 'fastify'
import type { BotConfig } from '../api/config.ts'
import type { ChatModel, Conversation, Database, IncomingMessage, MessageEdit, Person, Platform, Trace } from '../api/index.ts'
import type { VirtualClock } from '../base/clock.ts'
import { type Duration, milliseconds } from '../base/duration.ts'
import { createLogger, type LogLevel } from '../base/log.ts'
import { seededRandom } from '../base/random.ts'
import type { Locale } from '../base/text/texts.ts'
import { startBot } from '../bot/bot.ts'
import type { Bot } from '../bot/bot-type.ts'
import { movedClock } from '../bot/clock/moved-clock.ts'
import { stepsOf } from '../bot/clock/settled.ts'
import { formatAddress } from '../features/http/http.ts'
import type { Reloaded } from '../features/reload/reload.ts'
import type { OpenDatabase } from '../storage/database/open-database.ts'
import { emptyDatabase, tablesOf } from './bot-database.ts'
import type { Owners } from './reset-database.ts'
import { type Script, scriptedModel } from './scripted-model.ts'
import { testServer } from './test-database.ts'
import { type Posted, type TestPlatform, testPlatform } from './test-platform.ts'

export interface TestBotOptions extends Omit<Partial<BotConfig>, 'database'> {
  /** The answers of the model: see {@link scriptedModel}. Default: the offline model. */
  readonly model?: ChatModel | Script | readonly Script[]
  /** When the test begins. Default: Monday, 2026-01-05, 10:00 UTC. */
  readonly at?: Date
  /** The seed of all random numbers. Default 1. */
  readonly seed?: number
  /** Properties of the platform. */
  readonly platform?: Omit<Parameters<typeof testPlatform>[0], 'me'>
  /** Further platforms, with other names. Their messages come by `bot.receive`. Default: none. */
  readonly morePlatforms?: readonly Platform[]
  /** The lowest level of log lines that `log` collects. Default: `warn`. */
  readonly logLevel?: LogLevel
  /** The environment of the bot itself, such as KIKIMIMI_HTTP. Options of plugins read `process.env`: see `secretOption`. Default: empty. */
  readonly env?: NodeJS.ProcessEnv
  /** The folder of bot.config.ts. Its `prompts/` override prompts of plugins. */
  readonly project?: URL
  /**
   * Where the bot keeps messages, jobs and the tables of plugins. `memory`: messages and jobs in this process, no database.
   * `pglite`: the embedded Postgres, or the server of TEST_DATABASE_URL instead, so that both are tested. `postgres`: that
   * server. Default: `memory`; when a plugin has `migrations`, `pglite` with the jobs in memory, which takes a fifth less time.
   */
  readonly storage?: Storage
}

export type Storage = 'memory' | 'pglite' | 'postgres'

export interface Said {
  readonly id?: string
  /** The channel. Default `general`. */
  readonly channel?: string
  /** The workspace. Default `team`. */
  readonly workspace?: string
  readonly thread?: string
  readonly visibility?: Conversation['visibility']
  readonly readers?: Conversation['readers']
  readonly replyTo?: IncomingMessage['replyTo']
  readonly mentions?: readonly Person[]
  readonly attachments?: IncomingMessage['attachments']
  readonly parts?: IncomingMessage['parts']
  readonly details?: Conversation['details']
  readonly at?: Date
  /** The name of the author. Default: the id. */
  readonly name?: string
  /** True: the author is another bot. Default: false. */
  readonly bot?: boolean
  /** True: the author is an admin. Default: false. */
  readonly admin?: boolean
}

export interface Given extends Pick<Said, 'channel' | 'workspace' | 'thread' | 'visibility' | 'name'> {
  /** The message that the command is for. */
  readonly message?: string
  /** True: the author is a moderator. Default: false. */
  readonly moderator?: boolean
  /** True: the author is an admin of the workspace, and so a moderator. Default: false. */
  readonly admin?: boolean
  /** The language of the author's client. */
  readonly locale?: Locale
}

/** A whole bot on a clock that the test moves. `await using bot = await testBot({ … })` */
export interface TestBot extends AsyncDisposable {
  /**
   * A person writes a message. Resolves when all immediate work is done. `@kiki` in the text mentions the bot, `@bob`
   * mentions bob. Returns the id of the message.
   */
  say(author: string, text: string, said?: Said): Promise<string>
  /** Somebody edits a message. A text alone mentions whom it names: see {@link say}. */
  edit(message: string, edit: string | MessageEdit, where?: Pick<Said, 'channel' | 'thread'>): Promise<void>
  remove(message: string, where?: Pick<Said, 'channel' | 'thread'>): Promise<void>
  /** A person adds or removes a reaction. */
  react(
    author: string,
    message: string,
    emoji: string,
    how?: Pick<Said, 'channel' | 'thread'> & { removed?: boolean },
  ): Promise<void>
  /**
   * A person gives a command: `status`, as after `/kiki`. Resolves with the answer when all immediate work is done; with
   * nothing when there is no such command.
   */
  command(author: string, text: string, given?: Given): Promise<string | undefined>
  /** Advances time. Timers and jobs that become due run. */
  pass(time: Duration): Promise<void>
  /** The texts the bot has posted, oldest first. */
  readonly sent: readonly string[]
  /** All posts of the bot, reactions included. */
  readonly posted: readonly Posted[]
  /**
   * Sends a request to the routes of the bot and its plugins, without a port: `await bot.inject('/karma.json')`, or `{ method, url,
   * headers, payload }`. Resolves when all immediate work is done, with `statusCode`, `headers`, `body` and `json()`.
   */
  inject(request: InjectOptions | string): Promise<InjectedResponse>
  /**
   * The address of the HTTP server, such as `http://127.0.0.1:40123`. It listens only with `http` in the options: `'0'` is a free port.
   * @throws Error when it does not listen
   */
  readonly url: string
  /** Every trace, oldest first. */
  traces(): Promise<readonly Trace[]>
  /** Why the bot spoke or was silent in its last turn. */
  trace(): Promise<Trace>
  readonly platform: TestPlatform
  readonly clock: VirtualClock
  /** @throws Error when the bot runs in memory: see `storage` */
  readonly db: Database
  readonly log: readonly string[]
  readonly bot: Bot
  /**
   * Stops the bot and starts it again on the same data.
   * @param off for how long it is stopped. Default: not at all
   * @throws Error without the option `storage`, because jobs are in memory then
   */
  restart(off?: Duration): Promise<void>
  /** Reloads the bot with these options changed, like a saved bot.config.ts. */
  reload(changes: Omit<Partial<BotConfig>, 'database'> & Pick<TestBotOptions, 'model'>): Promise<Reloaded>
}

export async function testBot(options: TestBotOptions = {}): Promise<TestBot> {
  const {
    model,
    storage,
    at = new Date('2026-01-05T10:00:00Z'),
    seed = 1,
    platform: limits,
    morePlatforms = [],
    logLevel = 'warn',
    project,
    env = {},
    ...config
  } = options
  const persona = config.persona ?? { name: 'kiki' }
  const time = movedClock(at)
  const platform = testPlatform({ me: { id: 'bot', name: persona.name }, ...limits })
  const log: string[] = []
  const logger = createLogger({ level: logLevel, format: 'lines', write: line => void log.push(line), clock: time.clock })
  let current: BotConfig = { plugins: [], ...config, persona, ...modelsOf(model, config.models) }
  const random = seededRandom(seed)
  const { offline } = await import('@kikimimi/offline')
  const defaultModel = offline()
  const tables = tablesOf(current.plugins)
  const jobsInMemory = storage === undefined && !testServer()
  const db = await databaseFor(storage ?? (tables.length > 0 ? 'pglite' : 'memory'), tables)
  const stored = () => {
    if (db) return db
    throw new Error("This bot runs in memory. Give testBot the option storage: 'pglite'.")
  }

  const start = () =>
    startBot(current, {
      defaultModel,
      clock: time.clock,
      jobClock: time.jobClock,
      random,
      log: logger,
      ...(db ? { db, inMemory: jobsInMemory && 'jobs' } : { inMemory: true }),
      supervise: false,
      // A port is taken only on demand: tests run beside each other.
      serves: config.http !== undefined || env.KIKIMIMI_HTTP !== undefined,
      platforms: [platform, ...morePlatforms],
      env,
      ...(project && { project }),
    })
  let bot = await start()
  const steps = stepsOf(time, db, () => bot.jobs)
  const { settle } = steps
  let count = 0

  const conversation = ({ workspace = 'team', channel = 'general', thread, visibility = 'public', readers, details }: Said) => ({
    platform: 'test',
    workspace,
    channel,
    ...(thread !== undefined && { thread }),
    name: channel,
    visibility,
    ...(readers && { readers }),
    ...(details && { details }),
  })

  return {
    async say(author, text, said = {}) {
      const id = said.id ?? `m${++count}`
      const mentions = said.mentions ?? mentionsIn(text, platform.me)
      const message: IncomingMessage = {
        id,
        conversation: conversation(said),
        author: { id: author, name: said.name ?? author, ...(said.bot && { bot: true }) },
        text,
        at: said.at ?? new Date(time.clock.now()),
        mentions,
        ...(said.replyTo && { replyTo: said.replyTo }),
        ...(said.attachments && { attachments: said.attachments }),
        ...(said.parts && { parts: said.parts }),
        ...(said.admin && { admin: true }),
      }
      await bot.receive(platform, message)
      await settle()
      return id
    },

    async edit(message, edit, where = {}) {
      const change = typeof edit === 'string' ? { text: edit, mentions: mentionsIn(edit, platform.me) } : edit
      await bot.edit(conversation(where), message, change)
      await settle()
    },

    async remove(message, where = {}) {
      await bot.remove(conversation(where), message)
      await settle()
    },

    async react(by, message, emoji, { removed = false, ...where } = {}) {
      await bot.reaction(conversation(where), message, { emoji, by, removed })
      await settle()
    },

    async command(author, text, given = {}) {
      const { admin = false, moderator = admin, locale, message, name = author } = given
      const answer = await bot.chatCommand({
        conversation: conversation(given),
        person: { id: author, name },
        text,
        ...(message !== undefined && { message }),
        moderator: () => moderator,
        admin: () => admin,
        ...(locale && { locale }),
      })
      await settle()
      return answer
    },

    pass: duration => time.clock.advance(time.clock.now() + milliseconds(duration), steps),

    get sent() {
      return platform.posted.flatMap(one => (one.kind === 'text' ? [one.text] : []))
    },
    posted: platform.posted,

    async inject(request) {
      const response = await bot.inject(request)
      await settle()
      return response
    },

    get url() {
      if (!bot.address) throw new Error("This bot does not listen. Use bot.inject, or give testBot the option http: '0'.")
      return `http://${formatAddress(bot.address)}`
    },

    traces: async () => [...(await bot.traces(1_000))].reverse(),

    async trace() {
      const [latest] = await bot.traces(1)
      if (!latest) throw new Error('The bot has not taken a turn yet.')
      return latest
    },

    platform,
    clock: time.clock,
    get db() {
      return stored()
    },
    log,
    get bot() {
      return bot
    },

    async restart(off = 0) {
      stored()
      if (jobsInMemory) throw new Error("The jobs of this bot are in memory. Give testBot the option storage: 'pglite'.")
      await bot.stop()
      time.clock.set(time.clock.now() + milliseconds(off))
      await time.moved(time.clock.now())
      bot = await start()
      await settle()
    },

    async reload({ model, ...changes }) {
      const next = { ...current, ...changes, ...modelsOf(model, changes.models) }
      const reloaded = await bot.reload(next)
      current = next
      await settle()
      return reloaded
    },

    [Symbol.asyncDispose]: () => bot.stop(),
  }
}

async function databaseFor(storage: Storage, tables: Owners): Promise<OpenDatabase | undefined> {
  if (storage === 'memory') return undefined
  if (storage === 'postgres' && !testServer()) throw new Error("storage: 'postgres' needs a server. Set TEST_DATABASE_URL.")
  return emptyDatabase(tables)
}

function mentionsIn(text: string, me: Person): Person[] {
  return [...text.matchAll(/@([\p{L}\p{N}_-]+)/gu)].flatMap(([, name = '']) => {
    if (['everyone', 'here', 'channel'].includes(name)) return []
    return name.toLowerCase() === me.name.toLowerCase() ? [me] : [{ id: name, name }]
  })
}

function modelsOf(model: TestBotOptions['model'], models: BotConfig['models']): Pick<BotConfig, 'models'> {
  if (model === undefined) return models ? { models } : {}
  return { models: { ...models, chat: isModel(model) ? model : scriptedModel(model) } }
}

function isModel(model: ChatModel | Script | readonly Script[]): model is ChatModel {
  return typeof model === 'object' && 'generate' in model
}
