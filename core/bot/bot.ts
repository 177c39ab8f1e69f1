/**
 * The life of a bot. It checks everything before it opens anything, closes everything in reverse order, and leaves nothing
 * open after a failed start.
 */
import type { LightMyRequestResponse as InjectedResponse, InjectOptions } from 'fastify'
import type { BotConfig } from '../api/config.ts'
import type {
  ChatCommands,
  CliOutput,
  ConfigWarning,
  Conversation,
  FailedJobs,
  Persona,
  PersonaPlace,
  PersonKey,
  Platform,
  QueueState,
  StoredSettings,
  Trace,
} from '../api/index.ts'
import { inBackground } from '../base/background.ts'
import { systemClock } from '../base/clock.ts'
import { milliseconds } from '../base/duration.ts'
import { KikimimiError, reason } from '../base/errors.ts'
import { createLogger, secretsOf } from '../base/log.ts'
import { createReloadBarrier } from '../base/reload-barrier.ts'
import { languageOf } from '../base/text/language.ts'
import { createAccess } from '../features/access/access.ts'
import { accessFeature, OVER_QUOTA } from '../features/access/index.ts'
import { checkTools, rulesIn, withRules } from '../features/access/rules.ts'
import { alertsFeature } from '../features/alerts/index.ts'
import { handlesOf } from '../features/answers/answers.ts'
import { answersFeature } from '../features/answers/index.ts'
import { captured, capturesIn } from '../features/capture/capture.ts'
import { createCatchUp } from '../features/catch-up/catch-up.ts'
import { catchUpFeature } from '../features/catch-up/index.ts'
import { channelsFeature } from '../features/channels/index.ts'
import { createChatCommands } from '../features/commands/commands.ts'
import { commandsFeature } from '../features/commands/index.ts'
import { createDeliverer } from '../features/delivery/delivery.ts'
import { createErasure, type Forgotten } from '../features/erasure/erasure.ts'
import { erasureFeature } from '../features/erasure/index.ts'
import { tombstoneFile, tombstonesFeature } from '../features/erasure/tombstones.ts'
import { readFiles } from '../features/files/files.ts'
import { filesFeature } from '../features/files/index.ts'
import { parseAddress } from '../features/http/http.ts'
import { createMetrics } from '../features/http/metrics.ts'
import { createServing, DEFAULT_ADDRESSES } from '../features/http/serving.ts'
import { keepLatest } from '../features/latest-log/latest-log.ts'
import { LISTEN, listenFeature, listensWith } from '../features/listen/index.ts'
import { hearsIn, ignored } from '../features/listen/listen.ts'
import { optionsFeature } from '../features/options/index.ts'
import { renameSettings } from '../features/options/renamed.ts'
import { createSettings } from '../features/options/settings.ts'
import { createSettingTable } from '../features/options/table.ts'
import { createShedding } from '../features/overload/overload.ts'
import { adaptiveDebounce } from '../features/pacing/adaptive-debounce.ts'
import { createPacing } from '../features/pacing/pacing.ts'
import { createReloads, type Plan, type Reloaded } from '../features/reload/reload.ts'
import { retentionFeature } from '../features/retention/retention.ts'
import { createBotSettings, settingsFileFeature } from '../features/settings-file/bot-settings.ts'
import { createEmergencyStop } from '../features/stop/emergency-stop.ts'
import { stopFeature } from '../features/stop/index.ts'
import { surroundingsFeature } from '../features/surroundings/index.ts'
import { createSurroundings } from '../features/surroundings/surroundings.ts'
import { toolsFeature } from '../features/tools/tools.ts'
import { createUpcoming } from '../features/upcoming/upcoming.ts'
import { needsDatabase } from '../kernel/host/load-plugins.ts'
import { createPluginHost, type PluginHost } from '../kernel/host/plugin-host.ts'
import { connect } from '../kernel/host/set-up.ts'
import { createPipeline, type PluginStages } from '../kernel/pipeline/pipeline.ts'
import { currentTurn, endPart, FAILURE } from '../kernel/pipeline/trace.ts'
import { createAdmission } from '../kernel/turns/admission.ts'
import { type Conversations, createConversations } from '../kernel/turns/conversations.ts'
import type { TurnSettings } from '../kernel/turns/turn-settings.ts'
import { type Caller, createBudget } from '../models/budget.ts'
import { memoryLedger, sqlLedger } from '../models/ledger.ts'
import type { ModelUsage } from '../models/meter.ts'
import { createModels, namesOf } from '../models/models.ts'
import { createModelUse } from '../models/use.ts'
import { formatFiles } from '../prompt/file-contents.ts'
import { apologyOf, overspentNotice, type Personas, personasOf } from '../prompt/persona.ts'
import { transcript } from '../prompt/transcript.ts'
import { createAvailability } from '../storage/database/availability.ts'
import { migrate } from '../storage/database/migrate.ts'
import { databaseMissing } from '../storage/database/no-database.ts'
import { type OpenDatabase, openConfiguredDatabase } from '../storage/database/open-database.ts'
import { createOutageLog } from '../storage/database/outage-log.ts'
import { createRetryWhileUnavailable } from '../storage/database/retry-while-unavailable.ts'
import { deadLettersIn, putBack } from '../storage/jobs/dead-letters.ts'
import { drained, type Jobs } from '../storage/jobs/jobs.ts'
import { createMemoryJobs } from '../storage/jobs/memory.ts'
import { createPgBossJobs } from '../storage/jobs/pg-boss.ts'
import { KERNEL_MIGRATIONS } from '../storage/kernel-migrations.ts'
import { createMemoryStore } from '../storage/store/memory.ts'
import { retryingStore } from '../storage/store/retrying-store.ts'
import { createSqlStore } from '../storage/store/sql.ts'
import { addMonths } from '../storage/store/sweep.ts'
import { createTurnQueue, type TurnQueue } from '../storage/turns/turn-queue.ts'
import { whenClosed } from './all-closed.ts'
import { checkHooks } from './check-hooks.ts'
import { connectionsOf } from './connections-of.ts'
import { createOperator, operatorFeature } from './create-operator.ts'
import { inviteReport, inviteWith } from './invite-report.ts'
import { featuresOf, planOf } from './plan.ts'
import type { StartOptions } from './start-options.ts'
import { beginUpgrade } from './upgrade.ts'
import { warningsOf } from './warnings/warnings.ts'

/** A running bot. */
export interface Bot extends AsyncDisposable {
  /** The name and the character of the bot itself: see {@link PluginContext.personaIn}. */
  readonly persona: Persona
  /** The queue of background jobs. */
  readonly jobs: Jobs
  /** The database of the bot. Undefined: it has none. */
  readonly db: OpenDatabase | undefined
  /** The queue of turns. */
  readonly turns: TurnQueue
  /** Passes a message from a platform of `StartOptions.platforms` to the bot. */
  receive: Conversations['receive']
  /** Reports the edit of a message. */
  edit: Conversations['edit']
  /** Hands in the new name, visibility and details of a conversation. */
  describe: Conversations['describe']
  /** Hands in the deletion of a message. */
  remove: Conversations['remove']
  /** Reports a reaction that was added or removed. */
  reaction: Conversations['reaction']
  /** See `ChatCommands.run`. */
  chatCommand: ChatCommands['run']
  /** See {@link StoredSettings}. */
  readonly settings: StoredSettings
  /** The latest traces, newest first. */
  traces(limit?: number, conversation?: string): Promise<readonly Trace[]>
  /** What in the running bot.config.ts is valid and cannot work as it says. */
  warnings(): readonly ConfigWarning[]
  /** The plugins that are set up, those of the bot itself too, with their hooks. */
  running(): PluginHost['running']
  /** Calls and tokens of each model since the start. */
  modelUsage(): readonly ModelUsage[]
  /** Runs a command of a plugin: see `PluginDefinition.cli`. */
  command(name: string, args: readonly string[], out: CliOutput): Promise<void>
  /** Erases a person at once: see `Erasure.forget`. Throws FORGET_FAILED with every plugin that could not. */
  forget(person: PersonKey): Promise<Forgotten>
  /**
   * Sends a request to the routes of the bot and its plugins without a connection, also when the HTTP server does not listen:
   * `await bot.inject('/healthz')`, `await bot.inject({ method: 'POST', url: '/hook', payload: { ok: true } })`.
   */
  inject(request: InjectOptions | string): Promise<InjectedResponse>
  /** Where the HTTP server listens. Undefined: it does not. */
  readonly address: { readonly host: string; readonly port: number } | undefined
  /** Resolves when every platform has closed: no more messages will come. */
  readonly closed: Promise<void>
  /** Rejects when the bot cannot continue and needs a restart: it has lost its database or a platform. */
  readonly failed: Promise<never>
  /** Resolves when no turn runs or is due within half a minute. Later turns wait for the next start. */
  drained(): Promise<void>
  /**
   * Replaces the running bot.config.ts. Parts that are equal keep running, connections of platforms too. On a mistake it
   * throws with all mistakes, and the bot keeps its settings. `later` lists settings that need a restart.
   * @param project the folder of bot.config.ts. Default: the folder at the start
   */
  reload(config: BotConfig, project?: URL): Promise<Reloaded>
  /** Takes no more messages, lets turns end, and closes everything in reverse order. */
  stop(): Promise<void>
}

/** Milliseconds that turns may still run when the bot stops. */
const STOP_GRACE = 20_000

/** The number of background jobs that run at the same time in one process. */
const WORK_CONCURRENCY = 2

/** Milliseconds: the bot waits for a turn that is due within this time when no more messages will come. */
const DRAIN_HORIZON = 30_000

/** Dead letters in a list. */
const DEAD_LETTERS = 200

/** Starts a bot. On an error it closes everything again and throws a KikimimiError that says what to do. */
export async function startBot(config: BotConfig, options: StartOptions = {}): Promise<Bot> {
  const planFor = (next: BotConfig, project: URL | undefined) => planOf(next, project, options.defaultModel)
  const first = await planFor(config, options.project)
  const { clock = systemClock, random = Math.random, env = process.env } = options
  const secrets = secretsOf(env)
  const latestLog = keepLatest(
    options.log ?? createLogger({ level: 'info', format: 'json', write: line => process.stderr.write(line), clock, secrets }),
    clock,
    secrets,
  )
  const given = latestLog.logger
  const address = first.settings.http ?? env.KIKIMIMI_HTTP
  /** The first address that is tried. */
  const http = parseAddress(address || DEFAULT_ADDRESSES[0])
  const postgres = connectionsOf(first.settings, env)
  const wait = options.idle ? undefined : { clock, log: given, signal: options.signal }

  const { promise: failed, reject } = Promise.withResolvers<never>()
  let broken: Error | undefined
  failed.catch(error => given.error(reason(error)))
  const fail = (error: Error) => {
    broken ??= error
    reject(error)
  }

  await using opening = new AsyncDisposableStack()
  // A bot that keeps messages in memory opens a database only for plugins that need their tables.
  const wantsDatabase = !options.inMemory || first.order.some(needsDatabase)
  const db =
    options.db ??
    (wantsDatabase
      ? await openConfiguredDatabase(first.settings.database, {
          clock,
          log: given,
          scope: opening,
          postgres: { ...postgres, wait },
        })
      : undefined)
  if (db) await beginUpgrade(db, first.order, given)
  if (db) await migrate(db, 'kikimimi', KERNEL_MIGRATIONS, clock)
  const availability = createAvailability({ db, clock, log: given, scope: opening, fail })
  const log = createOutageLog(given, availability)
  if (db) await addMonths(db, new Date(clock.now()))
  const migrateAll = async (plugins: Plan['order']) => {
    for (const plugin of plugins) {
      const { name, definition } = plugin
      if (!db && needsDatabase(plugin)) throw databaseMissing(name)
      if (db && definition.migrations) await migrate(db, name, definition.migrations, clock)
      if (db) await renameSettings(db, definition)
    }
  }
  await migrateAll(first.order)

  const closing = new AbortController()
  const stopping = new AbortController()
  const durable = options.inMemory ? undefined : db
  const shared = durable?.kind === 'postgres'
  const retryWhileUnavailable = createRetryWhileUnavailable({ clock, isAway: availability.isAway, stopping: stopping.signal })
  const store = durable
    ? retryingStore(createSqlStore(durable, log, clock), retryWhileUnavailable, availability)
    : createMemoryStore()
  const barrier = createReloadBarrier(clock)
  const jobs = durable
    ? createPgBossJobs({
        db: durable,
        clock: options.jobClock ?? clock,
        log,
        concurrency: WORK_CONCURRENCY,
        supervise: options.supervise ?? !options.idle,
        barrier,
      })
    : createMemoryJobs({ clock, log, concurrency: WORK_CONCURRENCY, barrier })
  const turns = createTurnQueue({
    store,
    clock,
    pollClock: options.jobClock ?? clock,
    log,
    concurrency: first.settings.concurrency,
    barrier,
    shared: shared ? durable : undefined,
    memory: () => turnSettings.current.memory,
  })

  /** What is recalled where. Before plugins read anything. */
  const keepMemories = async ({ memories }: Personas) =>
    durable && void (await durable.query('select kikimimi.use_personas($1::jsonb)', [JSON.stringify(memories)]))

  // The parts that a reload replaces.
  let plan = first
  const identityOf = ({ settings }: Plan) => ({ personas: personasOf(settings), locale: settings.locale })
  let identity = identityOf(first)
  await keepMemories(identity.personas)
  const ledger = durable ? sqlLedger(durable) : memoryLedger()
  const budgetOf = (next: Plan) =>
    createBudget({
      config: next.settings.budget,
      models: namesOf(next.models),
      ledger,
      clock,
      currentTurn: () => currentTurn.getStore()?.trace,
      currentCaller: () => access.caller(),
    })
  let budget = budgetOf(first)
  const debounce = adaptiveDebounce()
  const turnSettingsOf = ({ settings }: Plan, plugins: readonly PluginStages[]): TurnSettings => ({
    pipeline: createPipeline(plugins, {
      ...{ clock, log, isAway: availability.isAway, retryWhileUnavailable },
      contextTokens: settings.contextTokens,
    }),
    pacing: createPacing(settings.pacing, random, debounce),
    ignores: (message, conversation) => ignored(message, conversation, settings.listen),
    missedMs: milliseconds(settings.listen.missed ?? '10m'),
    memory: { size: settings.memory.size, ttlMs: settings.memory.ttl },
  })
  const turnSettings = { current: turnSettingsOf(first, []) }

  const metrics = createMetrics()
  const modelUse = durable && createModelUse(durable, clock)
  const models = createModels({
    models: first.models,
    currentConversation: () => currentTurn.getStore()?.conversation,
    budget: () => budget,
    clock,
    random,
    log,
    keep: modelUse && ((call, conversation) => modelUse.add(call, conversation)),
    onCall: (call, said) => {
      metrics.modelCall(call)
      const { trace, conversation } = currentTurn.getStore() ?? {}
      trace?.models.push(call)
      if (trace && said && capturesIn(conversation, plan.settings.capture))
        trace.prompts = [...(trace.prompts ?? []), captured(trace.models.length - 1, said, secrets)]
      if (trace) endPart(trace, { what: 'model', name: call.role, ms: call.ms }, clock.now())
    },
    quote: async (messages, { conversation, signal }) => {
      const locale = languageOf(messages, identity.locale)
      const said = transcript(messages, { locale, asked: messages.map(({ id }) => id) })
      const platform = platforms.get(conversation.platform) ?? {}
      const attachments = messages.flatMap(message => message.attachments)
      const files = formatFiles(
        await readFiles(attachments, { platform, conversation, models, clock, log, locale, signal }),
        locale,
      )
      return { text: files.text === '' ? said : `${said}\n\n${files.text}`, ...files.media }
    },
    permitted: tools => access.permitted(tools),
    onTool: name => {
      const trace = currentTurn.getStore()?.trace
      if (trace) trace.tools = [...(trace.tools ?? []), name]
    },
    onToolEnd: (name, ms) => {
      const trace = currentTurn.getStore()?.trace
      if (trace) endPart(trace, { what: 'tool', name, ms }, clock.now())
    },
  })
  const table = await createSettingTable({ db: durable, clock, log, scope: opening })
  const personaIn = (place: PersonaPlace) => identity.personas.in(place)
  // The own name of the bot counts everywhere: STOP stops all personas.
  const namesIn = (place: PersonaPlace) => {
    const { bot } = identity.personas
    const persona = personaIn(place)
    return persona === bot ? bot.names : [...new Set([...persona.names, ...bot.names])]
  }
  const stop = createEmergencyStop({ table, clock, names: namesIn })
  const platforms = new Map<string, Platform>(options.platforms?.map(platform => [platform.name, platform]))
  const access = createAccess({
    platforms,
    clock,
    log,
    closing: closing.signal,
    rulesIn: conversation => rulesIn(plan.access, conversation, table, problem => log.warn(problem)),
  })
  const admission = createAdmission({ now: () => clock.now() })
  const shedding = opening.use(createShedding({ admission, clock, log, names: namesIn, shed: metrics.shed }))
  const conversations = createConversations({
    store,
    queue: turns,
    platforms,
    settings: turnSettings,
    delivery: createDeliverer({
      store,
      guard: stop,
      clock,
      log,
      speakerIn: place => identity.personas.speaker(place),
      shared,
      sendWithinMs: () => plan.settings.sendWithin,
      handles: text =>
        handlesOf(
          host.hooks('commands').flatMap(({ hook }) => hook),
          text,
          identity.locale,
        ),
    }),
    guard: stop,
    callers: access,
    barrier,
    clock,
    random,
    log,
    personaIn,
    stopping: stopping.signal,
    observer: metrics,
    enter: shedding.enter,
    surround: (turn, trace) => surroundings.surround(turn, trace),
    apologize: async trace => {
      const spent = await budget.overspent(trace)
      const text = spent ? spent.tell && overspentNotice(plan.settings, spent.tell) : apologyOf(plan.settings)
      if (spent) trace.why = spent.person?.why ?? FAILURE.budget
      if (spent?.person) return spent.person.tell ? OVER_QUOTA : undefined
      return text === undefined ? undefined : { kind: 'text', text }
    },
  })

  const surroundings = createSurroundings({
    store,
    platforms,
    settings: turnSettings,
    clock,
    record: (platform, message) => conversations.receive(platform, message, 'missed'),
    keepsHistory: () => plan.settings.memory.keepHistory,
  })
  const host = opening.use(
    createPluginHost({
      shared: {
        get identity() {
          return identity
        },
        log,
        clock,
        random,
        db,
        models,
        store,
        jobs,
        conversations,
        platforms,
        services: new Map(),
        optionsFor: ({ name, optionsFor }, conversation) =>
          optionsFor(conversation, table.within(conversation, name), problem => log.warn(problem)),
        closing: closing.signal,
        fail,
      },
      platforms,
      checkHooks,
      withoutPlatforms: options.platforms !== undefined,
    }),
  )
  const settings = createSettings({
    table,
    clock,
    optionsOf: plugin => host.running.find(one => one.plugin.name === plugin)?.plugin.optionsFor,
  })
  const erasure = createErasure({ store: store.forgetting, jobs, turns, clock, log, host, shared })
  const explain = (conversation: Conversation) =>
    host.running.flatMap(({ plugin }) =>
      plugin.optionsFor.explain(conversation, table.within(conversation, plugin.name), secrets),
    )
  // A bot that runs has a platform, which may come from its StartOptions.
  const warnings = () => warningsOf(plan, host.running).filter(({ rule }) => rule !== 'no-platform')
  let isServing = false
  const unready = () => (broken ? reason(broken) : isServing ? undefined : 'starting')
  const serves = options.serves ?? true
  const serving = createServing({
    ...{ host, platforms, jobs, turns, availability, clock, metrics, log, address, serves, closing: closing.signal, unready },
    waitingSince: () => admission.waitingSince,
  })
  const operator = createOperator({
    explain,
    warnings,
    platforms,
    http: () => serving.address ?? http,
    plan: () => plan,
    health: () => host.hooks('health').map(({ plugin, hook }) => ({ plugin, health: hook() })),
    breakers: () => [...turnSettings.current.pipeline.breakers, ...models.breakers],
    overload: () => shedding.now,
    spending: () => budget.spending(),
    queue: async () => bothOf(await turns.queue(), await jobs.queue()),
    deadLetters: async () => (durable ? deadLettersIn(durable, DEAD_LETTERS) : []),
    replayDeadLetter: async letter => (durable ? putBack(durable, letter) : false),
    log: latestLog,
    invite: async (name, given) => {
      const how = { bot: { plugins: plan.order, models: plan.config.models, persona: plan.config.persona }, clock, secrets }
      if (given) return inviteWith(name, given, how)
      const plugin = plan.order.find(one => one.name === name)
      return plugin && inviteReport(plugin, how)
    },
    upcoming: createUpcoming({ queue: turns, store, clock, conversations }),
  })
  const toolNames = () => host.hooks('tools').flatMap(({ hook }) => hook.map(({ name }) => name))
  const admit = (caller: Caller | undefined) => caller && budget.admit(caller)
  const commandOptions = { host, platforms, clock, log, closing: closing.signal, access, admit }
  const alerts = alertsFeature({
    ...{ operator, env, secrets },
    settings: () => plan.settings,
    platforms: { [Symbol.iterator]: () => platforms.values() },
    health: operator.health,
    waitingSince: () => admission.waitingSince,
    nextDue: async () => (await turns.waiting({ limit: 1 }))[0]?.at.getTime(),
    unready: availability.unready,
    isRunning: !options.idle,
  })
  const features = await featuresOf([
    // First: a refused call is for no other plugin.
    accessFeature({ access, admit, tools: () => host.hooks('tools').flatMap(({ hook }) => hook), forget: ledger.forget }),
    commandsFeature({
      ...commandOptions,
      store,
      stop,
      isOverloaded: () => shedding.now !== undefined,
      hears: conversation => hearsIn(conversation, plan.settings.listen) && listensWith(table.within(conversation, LISTEN)),
      budget: () => (plan.settings.budget ? budget : undefined),
      models: () => namesOf(plan.models),
    }),
    answersFeature({ store, conversations }),
    stopFeature(stop),
    listenFeature(),
    optionsFeature({
      ...{ settings, table, explain },
      scoped: () =>
        host.running.flatMap(({ plugin: { name, definition } }) =>
          (definition.scoped ?? []).map(option => ({ plugin: name, option })),
        ),
    }),
    erasureFeature(erasure, conversations),
    tombstonesFeature({
      file: tombstoneFile(first.settings.database, options.project, env.KIKIMIMI_ERASED),
      store: store.forgetting,
    }),
    surroundingsFeature({ reader: surroundings, conversations, shared: shared ? db : undefined }),
    filesFeature(platforms, models),
    channelsFeature({ platforms, store, settings: turnSettings }),
    toolsFeature(host),
    catchUpFeature(
      createCatchUp({
        ...{ store, clock, log, stopping: stopping.signal, conversations, platforms, shedding },
        wasRead: metrics.readLater,
      }),
    ),
    settingsFileFeature(createBotSettings({ plan: () => plan, secrets, reload: next => reloads.reload(next, plan.project) })),
    operatorFeature(operator, {
      ...{ host, plan: () => plan, closing: closing.signal, startBot },
      keepCall: async call =>
        modelUse?.add(call, undefined).catch((error: unknown) => log.warn(`could not count a call: ${reason(error)}`)),
    }),
    alerts.plugin,
    retentionFeature({ store, kept: () => plan.settings.retention, costs: () => [budget, ...(modelUse ? [modelUse] : [])] }),
  ]).then(all => all.map(one => withRules(one, () => plan.access, toolNames)))
  const stagesOf = ({ names }: Plan) => host.stages([...features.map(({ name }) => name), ...names])
  const begun = await host.become([...features, ...first.order])
  checkTools(first.settings.access, toolNames())
  turnSettings.current = turnSettingsOf(first, stagesOf(first))

  // In reverse order: the bot takes no more messages, turns end, other work is cancelled, plugins close.
  opening.defer(() => stopping.abort(new KikimimiError('STOPPED', 'The bot has stopped.')))
  opening.defer(async () => void (await Promise.all([turns.stop(STOP_GRACE), jobs.stop(STOP_GRACE)])))
  await jobs.start(options.idle)
  // From here on messages and answers are recorded, which a way back would lose.
  if (db?.kind === 'pglite') await db.endUpgrade()
  await turns.start(conversations.turn, options.idle)
  opening.defer(() => closing.abort())
  opening.use(serving)
  await options.warned?.(warnings())
  if (!options.idle) {
    // First the address, because it can be in use; then platforms. Routes of a platform need it connected.
    await serving.listen()
    await erasure.resume()
    for (const platform of options.platforms ?? []) await connect(platform, clock, closing.signal)
    for (const { hooks, leaving } of begun) if (hooks.platform) await connect(hooks.platform, clock, leaving)
    await serving.refresh()
    isServing = true
  }
  const closed = whenClosed(platforms)
  closed.refresh()

  const reloads = createReloads({
    first,
    host,
    features,
    barrier,
    clock,
    planOf: planFor,
    fail,
    async prepare(next) {
      budgetOf(next)
      await migrateAll(next.order.filter(plugin => !host.has(plugin)))
    },
    apply(next) {
      closed.hold()
      plan = next
      identity = identityOf(next)
      budget = budgetOf(next)
      models.change(next.models)
      turnSettings.current = { ...turnSettingsOf(next, []), pipeline: turnSettings.current.pipeline }
    },
    async engage(next) {
      await keepMemories(identity.personas)
      checkTools(next.settings.access, toolNames())
      turnSettings.current = turnSettingsOf(next, stagesOf(next))
      turns.setConcurrency(next.settings.concurrency)
      await jobs.repeat()
      await serving.refresh()
      closed.refresh()
      alerts.refresh()
    },
  })

  const scope = opening.move()
  let stopped: Promise<void> | undefined
  const stopBot = () => {
    stopped ??= reloads.end().then(() => scope.disposeAsync())
    return stopped
  }
  const chatCommands = createChatCommands({ ...commandOptions, locale: () => identity.locale })
  return {
    get persona() {
      return identity.personas.bot
    },
    jobs,
    db,
    turns,
    receive: (platform, message) => conversations.receive(platform, message),
    edit: (...given) => inBackground(() => conversations.edit(...given)),
    describe: conversations.describe,
    remove: conversations.remove,
    reaction: (...given) => inBackground(() => conversations.reaction(...given)),
    chatCommand: chatCommands.run,
    settings,
    traces: (limit, conversation) => store.traces(limit ?? 50, conversation),
    warnings,
    running: () => host.running,
    modelUsage: () => models.usage(),
    async command(name, args, out) {
      const one = host.running.find(({ plugin }) => plugin.definition.cli?.some(command => command.name === name))
      await one?.command(name, args, out)
    },
    forget: person => erasure.now(person, closing.signal),
    inject: serving.inject,
    get address() {
      return serving.address
    },
    failed,
    closed: closed.all,
    drained: () => drained(turns, clock, DRAIN_HORIZON, stopping.signal),
    reload: (next, project = options.project) => reloads.reload(next, project),
    stop: stopBot,
    [Symbol.asyncDispose]: stopBot,
  }
}

/** The state of both queues. Kinds with the most dead letters come first. */
function bothOf(turns: QueueState, jobs: QueueState): QueueState {
  const order = (a: FailedJobs, b: FailedJobs) => b.deadLetters - a.deadLetters || b.retrying - a.retrying
  return {
    due: turns.due + jobs.due,
    later: turns.later + jobs.later,
    active: turns.active + jobs.active,
    failed: [...turns.failed, ...jobs.failed].toSorted(order),
  }
}
