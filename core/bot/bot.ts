/**
 * The life of a bot: everything is checked before anything opens, everything that opens is undone in reverse,
 * and a start that fails half-way leaves nothing behind.
 */

import { createReplays } from '../../packages/replay/replays.ts'
import { offline } from '../../plugins/offline/index.ts'
import type { BotConfig } from '../api/config.ts'
import type { CliOutput, Persona, PersonKey, PluginContext, StoredSettings, Trace } from '../api/index.ts'
import { overspentNotice, personaOf } from '../api/persona.ts'
import { systemClock } from '../base/clock.ts'
import { KikimimiError, reason } from '../base/errors.ts'
import { createLogger, secretsOf } from '../base/log.ts'
import { createReloadBarrier } from '../base/reload-barrier.ts'
import { giveCommand } from '../features/commands/commands.ts'
import { kernelCommands } from '../features/commands/kernel-commands.ts'
import { createForget, type Forgotten } from '../features/erasure/erasure.ts'
import { parseAddress } from '../features/http/http.ts'
import { createMetrics } from '../features/http/metrics.ts'
import { createServing, DEFAULT_ADDRESS } from '../features/http/serving.ts'
import { createSettings } from '../features/options/settings.ts'
import { createSettingTable } from '../features/options/table.ts'
import { createReloads, type Plan, planOf, type Reloaded } from '../features/reload/reload.ts'
import { sweepDaily } from '../features/retention/retention.ts'
import { createEmergencyStop } from '../features/stop/emergency-stop.ts'
import { createUpcoming } from '../features/upcoming/upcoming.ts'
import { whenClosed } from '../kernel/host/all-closed.ts'
import { needsDatabase } from '../kernel/host/load-plugins.ts'
import { drained, type Kernel } from '../kernel/host/plugin-context.ts'
import { createPluginHost } from '../kernel/host/plugin-host.ts'
import { connect } from '../kernel/host/set-up.ts'
import { createPipeline, DEADLINES } from '../kernel/pipeline/pipeline.ts'
import { currentTrace } from '../kernel/pipeline/trace.ts'
import { adaptiveDebounce } from '../kernel/turns/adaptive-debounce.ts'
import { type Conversations, createConversations } from '../kernel/turns/conversations.ts'
import { createDeliverer } from '../kernel/turns/deliver.ts'
import { turnSettingsOf } from '../kernel/turns/turn-settings.ts'
import { createBudget } from '../models/budget.ts'
import { memoryLedger, sqlLedger } from '../models/ledger.ts'
import type { ModelUsage } from '../models/meter.ts'
import { createModels, namesOf } from '../models/models.ts'
import { migrate } from '../storage/database/migrate.ts'
import { openConfiguredDatabase } from '../storage/database/open-database.ts'
import { createRetryWhileUnavailable } from '../storage/database/retry-while-unavailable.ts'
import type { Jobs } from '../storage/jobs/jobs.ts'
import { createMemoryJobs } from '../storage/jobs/memory.ts'
import { createPgBossJobs } from '../storage/jobs/pg-boss.ts'
import { createMemoryStore } from '../storage/store/memory.ts'
import { patient } from '../storage/store/retrying-store.ts'
import { createSqlStore } from '../storage/store/sql.ts'
import type { StartOptions } from './start-options.ts'

/** A running bot. */
export interface Bot extends AsyncDisposable {
  /** The name and the character of the bot. */
  readonly persona: Persona
  /** The job queue of the bot. */
  readonly jobs: Jobs
  /** Hands in a message from a platform that the bot was given in its parts. */
  receive: Conversations['receive']
  /** Hands in the edit of a message. */
  edit: Conversations['edit']
  /** Hands in the deletion of a message. */
  remove: Conversations['remove']
  /** Hands in a reaction that was added or removed. */
  reaction: Conversations['reaction']
  /** See `PluginContext.command`. */
  chatCommand: PluginContext['command']
  /** See `PluginContext.settings`. */
  readonly settings: StoredSettings
  /** The latest traces, newest first. */
  traces(limit?: number, conversation?: string): Promise<readonly Trace[]>
  /** Calls and tokens of each model since the start. */
  modelUsage(): readonly ModelUsage[]
  /** Runs a command of a plugin: see `PluginDefinition.cli`. */
  command(name: string, args: readonly string[], out: CliOutput): Promise<void>
  /** Forgets a person here and now: see `PluginContext.forget`. Throws FORGET_FAILED with every plugin that could not. */
  forget(person: PersonKey): Promise<Forgotten>
  /** Resolves when every platform has closed: no more messages will come. */
  readonly closed: Promise<void>
  /** Rejects when the bot cannot go on, and must be stopped and started again: its database is lost, or a platform is. */
  readonly failed: Promise<never>
  /** Resolves when no turn runs or falls due within half a minute. What is later stays for the next start. */
  drained(): Promise<void>
  /**
   * Puts another bot.config.ts in the place of the one that runs: what is the same goes on, connections of platforms too. Throws
   * with all that is wrong, and the bot goes on as it was. What cannot change while it runs is in `later`.
   *
   * @param project the folder of bot.config.ts. Default: the one at the start
   */
  reload(config: BotConfig, project?: URL): Promise<Reloaded>
  /** Takes nothing more in, lets turns end, undoes everything in reverse. */
  stop(): Promise<void>
}

/** How long turns may still run when the bot stops. */
const STOP_GRACE = 20_000

/** A judgement that is due within this time is waited for when no more messages will come. */
const DRAIN_HORIZON = 30_000

/** Starts a bot. Throws a KikimimiError that says what to do, with everything undone again. */
export async function startBot(config: BotConfig, parts: StartOptions = {}): Promise<Bot> {
  const first = await planOf(config, parts.project)
  const { clock = systemClock, random = Math.random, env = process.env } = parts
  const secrets = secretsOf(env)
  const log =
    parts.log ?? createLogger({ level: 'info', format: 'json', write: line => process.stderr.write(line), clock, secrets })
  const address = first.settings.http ?? env.KIKIMIMI_HTTP
  const http = parseAddress(address || DEFAULT_ADDRESS)

  const { promise: failed, reject } = Promise.withResolvers<never>()
  let broken: Error | undefined
  failed.catch(error => log.error(reason(error)))
  const fail = (error: Error) => {
    broken ??= error
    reject(error)
  }

  await using opening = new AsyncDisposableStack()
  // Who keeps messages in memory opens a database for the plugins that cannot do without their tables, or none.
  const wanted = !parts.inMemory || first.order.some(needsDatabase)
  const db =
    parts.db ?? (wanted ? await openConfiguredDatabase(first.settings.database, { clock, log, scope: opening, fail }) : undefined)
  if (db) await migrate(db, 'kikimimi', new URL('../storage/migrations/', import.meta.url), clock)
  const migrateAll = async (plugins: Plan['order']) => {
    for (const { name, definition } of plugins)
      if (db && definition.migrations) await migrate(db, name, definition.migrations, clock)
  }
  await migrateAll(first.order)

  const closing = new AbortController()
  const stopping = new AbortController()
  const durable = parts.inMemory ? undefined : db
  const shared = durable?.kind === 'postgres'
  const retryWhileUnavailable = createRetryWhileUnavailable({ clock, log, stopping: stopping.signal })
  const store = durable ? patient(createSqlStore(durable, log), retryWhileUnavailable) : createMemoryStore()
  const gate = createReloadBarrier(clock)
  const lanes = { turn: first.settings.concurrency, work: 2 }
  const jobs = durable
    ? createPgBossJobs({
        db: durable,
        clock: parts.jobClock ?? clock,
        log,
        concurrency: lanes,
        supervise: parts.supervise ?? !parts.idle,
        gate,
      })
    : createMemoryJobs({ clock, log, concurrency: lanes, gate })
  const metrics = createMetrics()
  const seatsOf = ({ settings }: Plan) => ({ ...settings.models, chat: settings.models?.chat ?? offline() })
  const ledger = durable ? sqlLedger(durable) : memoryLedger()
  const budgetOf = (plan: Plan) => {
    const { budget: limits } = plan.settings
    return limits && createBudget({ config: limits, models: namesOf(seatsOf(plan)), ledger, clock })
  }
  let now = first
  let budget = budgetOf(now)
  const models = createModels({
    models: seatsOf(now),
    budget: () => budget,
    clock,
    random,
    log,
    onCall: call => {
      metrics.modelCall(call)
      currentTrace.getStore()?.models.push(call)
    },
  })
  const table = await createSettingTable({ db: durable, clock, log, scope: opening })
  const halt = createEmergencyStop({ table, clock, names: () => kernel.persona.names })
  const optionsFor: Kernel['optionsFor'] = new Map()
  const kernel: Kernel = {
    persona: personaOf(now.settings),
    locale: now.settings.locale,
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
    chatCommands: [],
    statuses: [],
    optionsFor,
    table,
    secrets,
    upcoming: createUpcoming({ jobs, store, clock, conversations: () => kernel.conversations }),
    settings: createSettings({ table, clock, optionsOf: plugin => optionsFor.get(plugin) }),
    platforms: new Map(parts.platforms?.map(platform => [platform.name, platform])),
    http,
    plugins: () => now.order.map(({ definition }) => definition),
    breakers: () => [...manner.pipeline.breakers, ...models.breakers],
    spending: async () => (await budget?.spending()) ?? [],
    closing: closing.signal,
    fail,
  }
  const crew = opening.use(createPluginHost(kernel, { platforms: !parts.platforms }))
  const rhythm = adaptiveDebounce()
  const pipelineOf = ({ names, settings: { contextTokens } }: Plan) =>
    createPipeline(crew.members(names), { clock, log, contextTokens, deadlines: DEADLINES, retryWhileUnavailable })
  const manner = turnSettingsOf(first.settings, pipelineOf(first), random, rhythm)
  const own = { halt, listen: () => manner.listen, budget: () => budget, models: () => namesOf(seatsOf(now)) }
  kernel.chatCommands.push(...kernelCommands(kernel, own))
  kernel.forgetters.push({ plugin: 'kikimimi', forget: table.forget })

  const begun = await crew.become(first.order)
  manner.pipeline = pipelineOf(first)
  const conversations = createConversations({
    ...kernel,
    halt,
    deliverer: createDeliverer({ store, halt, clock, log, shared }),
    stopping: stopping.signal,
    manner,
    gate,
    onMessage: metrics.message,
    onDrop: metrics.dropped,
    onTurn: metrics.turn,
    shared,
    overspent: async trace => {
      const spent = await budget?.overspent(trace)
      return spent && (spent.tell ? overspentNotice(now.settings, spent.tell) : {})
    },
  })
  kernel.conversations = conversations
  const forget = createForget({ store: store.forgetting, jobs, clock, log, forgetters: kernel.forgetters, shared })
  kernel.forget = forget
  kernel.replays = createReplays({ kernel, crew, plan: () => now, start: startBot })

  sweepDaily({ jobs, store, clock, kept: () => now.settings.retention, budget: () => budget })
  // Undone in reverse: nothing more is taken in, turns end, what still runs is called off, plugins close.
  opening.defer(() => stopping.abort(new KikimimiError('STOPPED', 'The bot has stopped.')))
  opening.defer(() => jobs.stop(STOP_GRACE))
  await jobs.start(parts.idle)
  opening.defer(() => closing.abort())
  let isConnected = false
  const unready = () => (broken ? reason(broken) : isConnected ? undefined : 'starting')
  const serving = opening.use(createServing({ kernel, db, metrics, address, serves: parts.serves ?? true, unready }))
  if (!parts.idle) {
    // Before anybody could notice the bot, for the address may be taken; routes of a platform need it connected.
    await serving.listen()
    await forget.resume()
    for (const platform of parts.platforms ?? []) await connect(platform, kernel, closing.signal)
    for (const { platform, leaving } of begun) if (platform) await connect(platform, kernel, leaving)
    isConnected = true
    await serving.look()
  }
  const closed = whenClosed(kernel.platforms)
  closed.look()

  const reloads = createReloads({
    first,
    crew,
    kernel,
    gate,
    async prepare(next) {
      budgetOf(next)
      await migrateAll(next.order.filter(plugin => !crew.has(plugin)))
    },
    apply(plan) {
      closed.hold()
      now = plan
      budget = budgetOf(plan)
      models.change(seatsOf(plan))
      Object.assign(kernel, { persona: personaOf(plan.settings), locale: plan.settings.locale })
      Object.assign(manner, turnSettingsOf(plan.settings, manner.pipeline, random, rhythm))
    },
    async engage(plan) {
      manner.pipeline = pipelineOf(plan)
      await jobs.setConcurrency('turn', plan.settings.concurrency)
      await jobs.repeat()
      await serving.look()
      closed.look()
    },
  })

  const scope = opening.move()
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= reloads.end().then(() => scope.disposeAsync())
    return stopped
  }
  return {
    get persona() {
      return kernel.persona
    },
    jobs,
    ...conversations,
    chatCommand: given => giveCommand(kernel, given),
    settings: kernel.settings,
    traces: (limit, conversation) => store.traces(limit ?? 50, conversation),
    modelUsage: () => models.usage(),
    command: async (name, args, out) => kernel.commands.get(name)?.(args, out),
    forget: person => forget.now(person, closing.signal),
    failed,
    closed: closed.all,
    drained: () => drained(jobs, clock, DRAIN_HORIZON, stopping.signal),
    reload: (config, project = parts.project) => reloads.reload(config, project),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
