/** A bot with the page, for tests: with its own port and database, and another platform beside the playground. */

import { randomUUID } from 'node:crypto'
import addressing from '@kikimimi/addressing'
import judgeRules from '@kikimimi/judge-rules'
import { offline } from '@kikimimi/offline'
import replay from '@kikimimi/replay'
import reply from '@kikimimi/reply'
import {
  type Bot,
  type BotConfig,
  type Clock,
  type Database,
  defineBot,
  type Logger,
  type PluginEntry,
  startBot,
  systemClock,
} from 'kikimimi'
import { openDatabase } from 'kikimimi/host'
import { definePlatform } from 'kikimimi/platform'
import { createSqlStore, freePort, lendTestDatabase, scriptedModel, type TestPlatform, testPlatform } from 'kikimimi/testing'
import type { FeedEvent } from '../history/views.ts'
import dashboard from '../index.ts'

export interface TestPage extends AsyncDisposable {
  readonly url: string
  readonly bot: Bot
  readonly db: Database
  /** For a second bot on the same database; absent: a database of this process. */
  readonly databaseUrl: string | undefined
  /** A platform beside the playground. */
  readonly other: TestPlatform
  /** Calls the API like the page. */
  api(path: string, how?: { method?: string; body?: unknown; headers?: Record<string, string> }): Promise<Response>
  /** A person writes a message on the other platform. */
  say(author: string, text: string): Promise<void>
  /** Reloads bot.config.ts with these plugins. */
  reload(plugins: readonly PluginEntry[]): Promise<void>
  /** Warnings and errors. */
  readonly log: readonly string[]
}

export interface TestPageOptions {
  readonly password?: string
  readonly host?: string
  readonly plugins?: readonly PluginEntry[]
  readonly clock?: Clock
  /** The answer of the model. */
  readonly model?: string
  /** Starts another process of that bot. They share its database, which must be a server. */
  readonly beside?: TestPage
  /** Further options of bot.config.ts. */
  readonly config?: Pick<BotConfig, 'budget' | 'capture' | 'models'>
  /** The folder of bot.settings.json, which bot.config.ts then uses. */
  readonly project?: URL
}

export async function openPage(options: TestPageOptions = {}): Promise<TestPage> {
  const { password, host = '127.0.0.1', plugins, model, clock, beside: first, config: given, project } = options
  const http = `${host}:${await freePort()}`
  const url = `http://127.0.0.1:${http.split(':').at(-1)}`
  const other = testPlatform({ me: { id: 'bot', name: 'kiki' } })
  const log: string[] = []
  const logger: Logger = {
    ...quietLog,
    warn: text => void log.push(text),
    error: (text, more) => void log.push(`${text} ${JSON.stringify(more?.error instanceof Error ? more.error.message : more)}`),
    child: () => logger,
  }
  await using opening = new AsyncDisposableStack()
  const page = dashboard(password === undefined ? {} : { password })
  const beside = definePlatform({ name: 'other', setup: () => ({ platform: other }) })
  const config = (more: readonly PluginEntry[]): BotConfig => ({
    persona: { name: 'kiki', names: ['キキ'] },
    http,
    pacing: { minWait: '200ms', jitter: 0 },
    ...(model !== undefined && { models: { chat: scriptedModel(model) } }),
    ...given,
    plugins: [page, beside, replay(), ...more],
  })
  const own = config(plugins ?? [addressing(), judgeRules(), reply()])
  const initial = project ? defineBot({ ...own, settings: {} }) : own
  const deps = { clock: systemClock, log: quietLog }
  const db = first
    ? opening.adopt(await openDatabase(first.databaseUrl ?? 'memory', deps), opened => opened.close())
    : opening.use(await lendTestDatabase(initial.plugins)).db
  const bot = opening.adopt(
    await startBot(initial, {
      defaultModel: offline(),
      db,
      log: logger,
      env: {},
      supervise: false,
      ...(project && { project }),
      ...(clock && { clock, jobClock: systemClock }),
    }),
    started => started.stop(),
  )
  const open = opening.move()
  return {
    url,
    bot,
    db,
    databaseUrl: 'url' in db ? db.url : undefined,
    other,
    log,
    api: (path, { method = 'GET', body, headers = {} } = {}) =>
      fetch(`${url}/api/${path}`, {
        method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    async say(author, text) {
      await bot.receive(other, {
        id: randomUUID(),
        conversation: { platform: 'test', workspace: 'team', channel: 'dev', name: 'dev', visibility: 'public' },
        author: { id: author, name: author },
        text,
        at: new Date(),
      })
    },
    reload: async plugins => void (await bot.reload(config(plugins))),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** Stores what the bot has not done itself. */
export const storeOf = ({ db }: { readonly db: Database }) => createSqlStore(db, quietLog, systemClock)

export const quietLog: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => quietLog }

/** The events of a stream, until it ends. */
export async function* eventsOf(answer: Response): AsyncGenerator<FeedEvent> {
  let rest = ''
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) if (block.startsWith('data: ')) yield JSON.parse(block.slice(6)) as FeedEvent
  }
}
