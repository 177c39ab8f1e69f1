/**
 * The life of a bot: everything is checked before anything opens, everything that opens is undone in reverse,
 * and a start that fails half-way leaves nothing behind.
 */
import { drained, type Kernel } from './app.ts'
import { loadPlugins, needsDatabase, setupOrder } from './assemble.ts'
import { createBudget } from './budget.ts'
import { type Clock, systemClock } from './clock.ts'
import { type BotConfig, checkConfig, type Settings } from './config.ts'
import { createPacing } from './conversations/pacing.ts'
import { type Conversations, createConversations } from './conversations.ts'
import { openDatabase } from './database.ts'
import { within } from './deadline.ts'
import { createDeliverer } from './deliver.ts'
import { KikimimiError, reason } from './errors.ts'
import { createForget, type Forgotten } from './forget.ts'
import { parseAddress, serveHttp } from './http.ts'
import { createMemoryJobs } from './jobs/memory.ts'
import { createPgBossJobs, type PgBossOptions } from './jobs/pg-boss.ts'
import type { Jobs } from './jobs.ts'
import { createLogger, type Logger, secretsOf } from './log.ts'
import { createMetrics } from './metrics.ts'
import { migrate } from './migrate.ts'
import type { ModelUsage } from './models/meter.ts'
import { createModels, namesOf } from './models.ts'
import { offline } from './offline.ts'
import { apologyOf, overspentNotice, personaOf } from './persona.ts'
import { createPipeline, DEADLINES, type Member } from './pipeline.ts'
import type { CliOutput, Persona, PersonKey, Platform, Trace } from './plugin.ts'
import { connect, setUp, withPrompts } from './set-up.ts'
import { createMemoryStore } from './store/memory.ts'
import { createSqlStore } from './store/sql.ts'
import { currentTrace } from './trace.ts'

type OpenDatabase = PgBossOptions['db']

/** What tests and replays put in the place of the real thing. */
export interface Parts {
  readonly clock?: Clock
  /** The clock of the job queue, where it must not be the same. */
  readonly jobClock?: Clock
  readonly random?: () => number
  readonly log?: Logger
  /** Opened and closed by the caller. */
  readonly db?: OpenDatabase
  /** Messages and jobs in memory alone; a database, if there is one, is for the plugins. */
  readonly inMemory?: boolean
  /** In the place of the platforms of the config: their plugins are set up and left out. */
  readonly platforms?: readonly Platform[]
  /** Whether the job queue looks after jobs of dead processes. Default: yes. */
  readonly supervise?: boolean
  /** The folder of bot.config.ts: its `prompts/` win. */
  readonly project?: URL
  /** Set up for a command, and nothing more: it hears nobody and works on no job. */
  readonly idle?: boolean
  /** Where the address of the HTTP server comes from when the config has none. */
  readonly env?: NodeJS.ProcessEnv
}

export interface Bot extends AsyncDisposable {
  readonly persona: Persona
  readonly jobs: Jobs
  /** Hands in a message from a platform that the bot was given in its parts. */
  receive: Conversations['receive']
  edit: Conversations['edit']
  remove: Conversations['remove']
  reaction: Conversations['reaction']
  /** The latest traces, newest first. */
  traces(limit?: number, conversation?: string): Promise<readonly Trace[]>
  modelUsage(): readonly ModelUsage[]
  /** Runs a command of a plugin: see `PluginDefinition.cli`. */
  command(name: string, args: readonly string[], out: CliOutput): Promise<void>
  /** Forgets a person here and now: see `App.forget`. Throws FORGET_FAILED with every plugin that could not. */
  forget(person: PersonKey): Promise<Forgotten>
  /** Resolves when every platform has closed: no more messages will come. */
  readonly closed: Promise<void>
  /** Rejects when the bot cannot go on, and must be stopped and started again: its database is lost, or a platform is. */
  readonly failed: Promise<never>
  /** Resolves when no turn runs or falls due within half a minute. What is later stays for the next start. */
  drained(): Promise<void>
  /** Takes nothing more in, lets turns end, undoes everything in reverse. */
  stop(): Promise<void>
}

/** How long turns may still run when the bot stops. */
const STOP_GRACE = 20_000

/** A judgement that is due within this time is waited for when no more messages will come. */
const DRAIN_HORIZON = 30_000

/** Where the HTTP server listens when a plugin has routes and nobody says where. */
const DEFAULT_HTTP = '127.0.0.1:8787'

/** Whoever asks whether the bot is ready does not wait for long. */
const DATABASE_DEADLINE = 3_000

const MAINTENANCE = 5 * 60_000
const DAY = 24 * 60 * 60_000

/** Starts a bot. Throws a KikimimiError that says what to do, with everything undone again. */
export async function startBot(config: BotConfig, parts: Parts = {}): Promise<Bot> {
  const settings = checkConfig(config)
  const { clock = systemClock, random = Math.random, env = process.env } = parts
  const log =
    parts.log ??
    createLogger({ level: 'info', format: 'json', write: line => process.stderr.write(line), clock, secrets: secretsOf(env) })
  const address = settings.http ?? env.KIKIMIMI_HTTP
  const http = parseAddress(address || DEFAULT_HTTP)
  const plugins = await loadPlugins(config.plugins)
  const order = await Promise.all(setupOrder(plugins).map(plugin => withPrompts(plugin, parts.project)))

  const { promise: failed, reject } = Promise.withResolvers<never>()
  let broken: Error | undefined
  failed.catch(error => log.error(reason(error)))
  const fail = (error: Error) => {
    broken ??= error
    reject(error)
  }

  await using opening = new AsyncDisposableStack()
  // Who keeps messages in memory opens a database for the plugins that cannot do without their tables, or none.
  const wanted = !parts.inMemory || plugins.some(needsDatabase)
  const db = parts.db ?? (wanted ? await openOwn(settings, { clock, log, opening, fail }) : undefined)
  if (db) {
    await migrate(db, 'kikimimi', new URL('./migrations/', import.meta.url), clock)
    for (const { name, definition } of order) if (definition.migrations) await migrate(db, name, definition.migrations, clock)
  }

  const closing = new AbortController()
  const stopping = new AbortController()
  const durable = parts.inMemory ? undefined : db
  const shared = durable?.kind === 'postgres'
  const store = durable ? createSqlStore(durable, log) : createMemoryStore()
  const lanes = { turn: settings.concurrency, work: 2 }
  const jobs = durable
    ? createPgBossJobs({
        db: durable,
        clock: parts.jobClock ?? clock,
        log,
        concurrency: lanes,
        supervise: parts.supervise ?? !parts.idle,
      })
    : createMemoryJobs({ clock, log, concurrency: lanes })
  const metrics = createMetrics()
  const seats = { ...settings.models, chat: settings.models?.chat ?? offline() }
  const budget = settings.budget && createBudget({ config: settings.budget, models: namesOf(seats), db: durable, clock })
  const models = createModels({
    models: seats,
    budget,
    clock,
    random,
    log,
    onCall: call => {
      metrics.modelCall(call)
      currentTrace.getStore()?.models.push(call)
    },
  })
  const kernel: Kernel = {
    persona: personaOf(settings),
    locale: settings.locale,
    log,
    clock,
    random,
    db,
    models,
    store,
    jobs,
    services: new Map(),
    tools: [],
    routes: [],
    forgetters: [],
    commands: new Map(),
    platforms: new Map(parts.platforms?.map(platform => [platform.name, platform])),
    http,
    closing: closing.signal,
    fail,
  }

  const members = new Map<string, Member>()
  for (const plugin of order) members.set(plugin.name, await setUp(plugin, kernel, { opening, platforms: !parts.platforms }))
  if (kernel.platforms.size === 0) {
    throw new KikimimiError(
      'PLATFORM_MISSING',
      'No plugin lets the bot hear anything. Add console() or another platform to bot.config.ts.',
    )
  }
  const conversations = createConversations({
    ...kernel,
    deliverer: createDeliverer({ store, clock, log, shared }),
    stopping: stopping.signal,
    pipeline: createPipeline(
      plugins.flatMap(({ name }) => members.get(name) ?? []),
      { clock, log, contextTokens: settings.contextTokens, deadlines: DEADLINES },
    ),
    listen: settings.listen,
    onMessage: metrics.message,
    onTurn: metrics.turn,
    shared,
    pacing: createPacing(settings.pacing, random),
    memory: { size: settings.memory.size, ttlMs: settings.memory.ttl },
    ...apologyOf(settings),
    overspent: async trace => {
      const spent = await budget?.overspent(trace)
      return spent && (spent.tell ? overspentNotice(settings, spent.tell) : {})
    },
  })
  kernel.conversations = conversations
  const forget = createForget({ store: store.forgetting, jobs, clock, log, forgetters: kernel.forgetters, shared })
  kernel.forget = forget

  const { messages, traces } = settings.retention
  jobs.every('kikimimi.retention', DAY, {
    lane: 'work',
    retries: 2,
    run: async () => {
      await store.sweep(new Date(clock.now() - messages), new Date(clock.now() - traces))
      await budget?.sweep()
    },
  })
  // Undone in reverse: nothing more is taken in, turns end, what still runs is called off, plugins close.
  opening.defer(() => stopping.abort(new KikimimiError('STOPPED', 'The bot has stopped.')))
  opening.defer(() => jobs.stop(STOP_GRACE))
  await jobs.start(parts.idle)
  opening.defer(() => closing.abort())
  if (!parts.idle) {
    await forget.resume()
    for (const platform of kernel.platforms.values()) await connect(platform, kernel)
  }
  const served = address ?? (kernel.routes.length > 0 ? DEFAULT_HTTP : undefined)
  if (served && !parts.idle) {
    metrics.watch({ jobs, platforms: kernel.platforms })
    const away = () => [...kernel.platforms.values()].map(platform => platform.unready?.()).find(why => why !== undefined)
    const why = async () => (broken ? reason(broken) : (away() ?? unready(db, clock, closing.signal)))
    opening.use(await serveHttp(served, { unready: why, metrics, routes: kernel.routes }))
  }

  const scope = opening.move()
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= scope.disposeAsync()
    return stopped
  }
  return {
    persona: kernel.persona,
    jobs,
    ...conversations,
    traces: (limit, conversation) => store.traces(limit ?? 50, conversation),
    modelUsage: () => models.usage(),
    command: async (name, args, out) => kernel.commands.get(name)?.(args, out),
    forget: person => forget.now(person, closing.signal),
    failed,
    closed: closedAll([...kernel.platforms.values()]),
    drained: () => drained(jobs, clock, DRAIN_HORIZON, stopping.signal),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

async function openOwn(
  settings: Settings,
  { clock, log, opening, fail }: { clock: Clock; log: Logger; opening: AsyncDisposableStack; fail: (error: Error) => void },
): Promise<OpenDatabase | undefined> {
  if (settings.database === false) return undefined
  const db = opening.adopt(await openDatabase(settings.database, { clock, log }), opened => opened.close())
  const maintain = async () => {
    try {
      await db.maintain()
    } catch (error) {
      if (error instanceof KikimimiError && error.code === 'DATABASE_BROKEN') fail(error)
      else log.warn(`database maintenance failed: ${reason(error)}`)
    }
  }
  opening.adopt(
    clock.setInterval(() => void maintain(), MAINTENANCE),
    timer => clock.clearInterval(timer),
  )
  return db
}

async function unready(db: OpenDatabase | undefined, clock: Clock, closing: AbortSignal): Promise<string | undefined> {
  if (closing.aborted) return 'stopping'
  const late = () => new Error(`no answer within ${DATABASE_DEADLINE / 1_000} s`)
  try {
    await within({ clock, ms: DATABASE_DEADLINE, late }, async () => db?.query('select 1'))
    return undefined
  } catch (error) {
    return `database: ${reason(error)}`
  }
}

async function closedAll(platforms: readonly Platform[]): Promise<void> {
  const never = new Promise<void>(() => {})
  await Promise.all(platforms.map(platform => platform.closed ?? never))
}
