/**
 * The life of a bot. It checks everything before it opens anything, closes everything in reverse order, and leaves nothing
 * open after a failed start.
 */
import type { BotConfig } from '../api/config.ts'
import { inBackground } from '../base/background.ts'
import { KikimimiError } from '../base/errors.ts'
import { checkTools } from '../features/access/rules.ts'
import { createSender } from '../features/delivery/send.ts'
import { withSettings } from '../features/options/overrides.ts'
import { adaptiveDebounce } from '../features/pacing/adaptive-debounce.ts'
import { createReloads, type Plan, type Reloads } from '../features/reload/reload.ts'
import { createPluginHost, type PluginHost } from '../kernel/host/plugin-host.ts'
import { connect, type RunningPlugin } from '../kernel/host/set-up.ts'
import { drained } from '../storage/jobs/jobs.ts'
import { type Closed, whenClosed } from './all-closed.ts'
import type { Bot } from './bot-type.ts'
import { checkHooks } from './check-hooks.ts'
import { type Configure, configuring } from './configured.ts'
import { composeFeatures, type Features, toolsOf } from './features.ts'
import { createFoundation } from './foundation.ts'
import type { Parts } from './parts.ts'
import { planOf } from './plan.ts'
import { type Service, serve } from './serve.ts'
import type { StartOptions } from './start-options.ts'
import { openStorage } from './storage.ts'
import { createTalk } from './talk.ts'

/** Milliseconds that turns may still run when the bot stops. */
const STOP_GRACE = 20_000

/** Milliseconds: the bot waits for a turn that is due within this time when no more messages will come. */
const DRAIN_HORIZON = 30_000

/** Starts a bot. On an error it closes everything again and throws a KikimimiError that says what to do. */
export async function startBot(config: BotConfig, options: StartOptions = {}): Promise<Bot> {
  const first = await planOf(config, options.project, options.defaultModel)
  const foundation = createFoundation(first, options)
  await using opening = new AsyncDisposableStack()
  const storage = await openStorage(first, foundation, opening)
  const configure = configuring(foundation, storage, adaptiveDebounce())
  const configured = { current: configure.plan(first) }
  const talk = createTalk(foundation, storage, configured, opening)
  const host = opening.use(createHost({ foundation, storage, configured, talk }))
  const parts: Parts = { foundation, storage, configured, talk, host }
  const service = serve(parts)
  const closed = whenClosed(foundation.platforms)
  const reloads = createPlans(first, parts, { configure, service, closed })
  const features = await composeFeatures({ ...parts, service, reloads, startBot })
  const begun = await reloads.start(features.plugins)
  await begin(parts, { service, features, begun }, opening)
  closed.refresh()
  return botOf(parts, { service, features, reloads, closed }, opening.move())
}

function createHost({ foundation, storage, configured, talk }: Omit<Parts, 'host'>): PluginHost {
  const { options, clock, random, platforms, closing, stopping, failure } = foundation
  const { log, db, store, jobs, table } = storage
  const { bot, models, conversations, running, turns: queue, delivery, stop: guard } = talk
  return createPluginHost({
    shared: {
      ...{ bot, log, clock, random, db, models, store, jobs, conversations, platforms },
      send: createSender({ store, queue, delivery, guard, settings: configured, clock, random, stopping: stopping.signal }),
      services: new Map(),
      optionsFor: plugin => withSettings(plugin, table, log),
      closing: closing.signal,
      fail: failure.fail,
    },
    ...{ platforms, running, checkHooks },
    withoutPlatforms: options.platforms !== undefined,
  })
}

interface PlanParts {
  readonly configure: Configure
  readonly service: Service
  readonly closed: Closed
}

/** Uses the first plan and, at each reload, the next one. */
function createPlans(first: Plan, parts: Parts, { configure, service, closed }: PlanParts): Reloads {
  const { foundation, storage, configured, talk, host } = parts
  return createReloads({
    ...{ first, host, barrier: storage.barrier, clock: foundation.clock, fail: foundation.failure.fail },
    planOf: (config, project) => planOf(config, project, foundation.options.defaultModel),
    async prepare(next) {
      configure.plan(next)
      await storage.migratePlugins(next.order.filter(plugin => !host.has(plugin)))
    },
    async use(plan) {
      closed.hold()
      configured.current = configure.plan(plan, configured.current.turns.pipeline)
      talk.models.change(plan.models)
      // What is recalled where. Before plugins read anything.
      const { memories } = configured.current.identity.personas
      await storage.durable?.query('select kikimimi.use_personas($1::jsonb)', [JSON.stringify(memories)])
    },
    engage(plan, builtIn) {
      checkTools(
        plan.settings.access,
        toolsOf(parts).map(({ name }) => name),
      )
      const stages = host.stages([...builtIn.map(({ name }) => name), ...plan.names])
      configured.current = configure.withPlugins(configured.current, stages)
    },
    async adjust({ settings }) {
      talk.turns.setConcurrency(settings.concurrency)
      await storage.jobs.repeat()
      await service.serving.refresh()
      closed.refresh()
      service.alerts.refresh()
    },
  })
}

interface BeginParts {
  readonly service: Service
  readonly features: Features
  /** The plugins that were set up. */
  readonly begun: readonly RunningPlugin[]
}

/** Turns and jobs run from here on, and platforms bring messages. */
async function begin(parts: Parts, { service, features, begun }: BeginParts, opening: AsyncDisposableStack): Promise<void> {
  const { options, clock, closing, stopping } = parts.foundation
  const { jobs, db } = parts.storage
  const { turns, conversations } = parts.talk
  // In reverse order: the bot takes no more messages, turns end, other work is cancelled, plugins close.
  opening.defer(() => stopping.abort(new KikimimiError('STOPPED', 'The bot has stopped.')))
  opening.defer(async () => void (await Promise.all([turns.stop(STOP_GRACE), jobs.stop(STOP_GRACE)])))
  await jobs.start(options.idle)
  // From here on messages and answers are recorded, which a way back would lose.
  if (db?.kind === 'pglite') await db.endUpgrade()
  await turns.start((turn, signal) => conversations.turn(turn, signal), options.idle)
  opening.defer(() => closing.abort())
  opening.use(service.serving)
  await options.warned?.(service.warnings())
  if (options.idle) return
  // First the address, because it can be in use; then platforms. Routes of a platform need it connected.
  await service.serving.listen()
  await features.erasure.resume()
  for (const platform of options.platforms ?? []) await connect(platform, clock, closing.signal)
  for (const { hooks, leaving } of begun) if (hooks.platform) await connect(hooks.platform, clock, leaving)
  await service.serving.refresh()
  service.isComplete = true
}

interface RunningParts {
  readonly service: Service
  readonly features: Features
  readonly reloads: Reloads
  readonly closed: Closed
}

function botOf(parts: Parts, { service, features, reloads, closed }: RunningParts, scope: AsyncDisposableStack): Bot {
  const { foundation, storage, configured, talk, host } = parts
  const { options, clock, closing, stopping, failure } = foundation
  const { conversations, turns, models } = talk
  const { serving, warnings } = service
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= reloads.end().then(() => scope.disposeAsync())
    return stopped
  }
  return {
    get persona() {
      return configured.current.identity.personas.bot
    },
    ...{ jobs: storage.jobs, db: storage.db, turns, settings: features.settings, warnings, inject: serving.inject, stop },
    receive: (platform, message) => conversations.receive(platform, message),
    edit: (...given) => inBackground(() => conversations.edit(...given)),
    describe: conversation => conversations.describe(conversation),
    remove: (conversation, message) => conversations.remove(conversation, message),
    reaction: (...given) => inBackground(() => conversations.reaction(...given)),
    chatCommand: features.chatCommands.run,
    traces: (limit, conversation) => storage.store.traces(limit ?? 50, conversation),
    running: () => host.running,
    modelUsage: () => models.usage(),
    async command(name, args, out) {
      const one = host.running.find(({ plugin }) => plugin.definition.cli?.some(command => command.name === name))
      await one?.command(name, args, out)
    },
    forget: person => features.erasure.now(person, closing.signal),
    get address() {
      return serving.address
    },
    failed: failure.failed,
    closed: closed.all,
    drained: () => drained(turns, clock, DRAIN_HORIZON, stopping.signal),
    reload: (next, project = options.project) => reloads.reload(next, project),
    [Symbol.asyncDispose]: stop,
  }
}
