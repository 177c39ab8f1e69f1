/**
 * Replaces the running bot.config.ts with a changed one. Everything is checked first. Then the reload waits for running
 * work of plugins that will stop, blocks new messages, stops and starts only the plugins that differ, and continues. After
 * a failure the previous plugins are set up again, so that the bot never runs a mixture.
 */
import { isDeepStrictEqual } from 'node:util'
import type { ConfigPath } from '../../api/checks/config-error.ts'
import type { BotConfig, Settings } from '../../api/config.ts'
import type { OptionsFor } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { ReloadBarrier } from '../../base/reload-barrier.ts'
import type { ReadyPlugin } from '../../kernel/host/plugin-context.ts'
import type { PluginHost } from '../../kernel/host/plugin-host.ts'
import { connect, type RunningPlugin } from '../../kernel/host/set-up.ts'
import { ARRIVAL } from '../../kernel/turns/conversations.ts'
import { fromEmbeddings } from '../../models/embeddings.ts'
import type { ModelsOptions } from '../../models/models.ts'
import { TURN } from '../../storage/turns/turn-queue.ts'

/** A checked bot.config.ts whose plugins fit together. */
export interface Plan {
  readonly config: BotConfig
  /** The folder of bot.config.ts. */
  readonly project: URL | undefined
  readonly settings: Settings
  /** The offline model when bot.config.ts has no chat model. */
  readonly models: ModelsOptions['models']
  /** The rules of `access`, as the options of the built-in plugin that has them. */
  readonly access: OptionsFor
  /** The order in which stages ask the plugins. */
  readonly names: readonly string[]
  /** The place of each plugin in bot.config.ts. */
  readonly paths: ReadonlyMap<string, ConfigPath>
  /** The order of set-up. */
  readonly order: readonly ReadyPlugin[]
}

/** The result of a reload, by name. */
export interface Reloaded {
  /** Names of new plugins. */
  readonly started: readonly string[]
  /** Names of plugins that were stopped and set up again. */
  readonly restarted: readonly string[]
  /** Names of removed plugins. */
  readonly stopped: readonly string[]
  /** Settings that are applied. */
  readonly applied: readonly string[]
  /** Settings that need a restart of the process. */
  readonly later: readonly string[]
}

export interface ReloadOptions {
  readonly first: Plan
  readonly host: PluginHost
  readonly barrier: ReloadBarrier
  readonly clock: Clock
  /** Reads and checks a bot.config.ts. */
  planOf(config: BotConfig, project: URL | undefined): Promise<Plan>
  /** Ends the bot with an error. */
  fail(error: Error): void
  /** Prepares a plan. When it throws, nothing has changed. */
  prepare(next: Plan): Promise<void>
  /** Uses the settings of a plan, before its plugins are set up. */
  use(plan: Plan): Promise<void>
  /** Uses the plugins of a plan, after their set-up. */
  engage(plan: Plan, builtIn: readonly ReadyPlugin[]): void
  /** Follows a plan in what was opened at the start, while no work runs. */
  adjust(plan: Plan): Promise<void>
}

export interface Reloads {
  /**
   * Sets the plugins of the first plan up, by the way of a reload, and returns them.
   * @param builtIn plugins of the bot itself, which come first and keep running
   */
  start(builtIn: readonly ReadyPlugin[]): Promise<readonly RunningPlugin[]>
  /** See `Bot.reload`. Reloads run one after the other. */
  reload(config: BotConfig, project: URL | undefined): Promise<Reloaded>
  /** Starts no other reload, and cancels the running one. Resolves when none runs. */
  end(): Promise<void>
}

/** Milliseconds that turns and jobs of plugins to stop may continue. Aborted work runs again. */
const GRACE = 20_000

export function createReloads(options: ReloadOptions): Reloads {
  const { first, host, barrier, clock, planOf, prepare, adjust } = options
  let features: readonly ReadyPlugin[] = []
  let now = first
  let last: Promise<unknown> = Promise.resolve()
  const ending = new AbortController()
  const { signal } = ending

  async function hold({ order }: Plan): Promise<() => void> {
    const stays = (kind: string) => [...features, ...order].some(plugin => host.has(plugin) && kind.startsWith(`${plugin.name}.`))
    // Jobs first: a long one, such as a backup, delays the reload and no answer. Arrivals last: a turn or a job may pass a message to the bot
    // and wait for it.
    const holds: (() => void)[] = []
    for (const concerns of [
      (kind: string) => kind !== ARRIVAL && kind !== TURN && !stays(kind),
      (kind: string) => kind === TURN,
      (kind: string) => kind === ARRIVAL,
    ])
      holds.push(await barrier.hold(concerns, GRACE, signal))
    const release = () => {
      for (const end of holds.toReversed()) end()
    }
    if (signal.aborted) release()
    signal.throwIfAborted()
    return release
  }

  async function become(plan: Plan): Promise<readonly RunningPlugin[]> {
    await options.use(plan)
    const begun = await host.become([...features, ...plan.order], signal)
    options.engage(plan, features)
    return begun
  }

  async function swap(before: Plan, next: Plan): Promise<void> {
    let release: (() => void) | undefined
    async function take(plan: Plan): Promise<void> {
      release ??= await hold(plan)
      const begun = await become(plan)
      await adjust(plan)
      // A platform that connects passes its missed messages.
      release()
      release = undefined
      for (const { hooks, leaving } of begun)
        if (hooks.platform) await connect(hooks.platform, clock, AbortSignal.any([leaving, signal]))
    }
    try {
      await take(next)
    } catch (error) {
      if (!signal.aborted) await take(before).catch((worse: unknown) => options.fail(lost(worse)))
      throw error
    } finally {
      // No work begins on half set-up plugins: blocked messages are received again after the next start.
      if (!signal.aborted) release?.()
    }
  }

  async function reload(config: BotConfig, project: URL | undefined): Promise<Reloaded> {
    signal.throwIfAborted()
    const plan = await planOf(config, project)
    const restart = !isDeepStrictEqual(readAtSetup(now), readAtSetup(plan))
    const next = { ...plan, order: merged(host.running, plan.order, restart) }
    await prepare(next)
    const reloaded = changes(now, next)
    const { later, ...rest } = reloaded
    if (Object.values(rest).some(names => names.length > 0)) await swap(now, next)
    now = next
    return reloaded
  }

  function changes(before: Plan, next: Plan): Reloaded {
    const had = new Map(before.order.map(plugin => [plugin.name, plugin]))
    const stay = next.names.filter(name => had.has(name))
    const isReordered = !isDeepStrictEqual(
      stay,
      before.names.filter(name => stay.includes(name)),
    )
    const changed = changedSettings(before, next).filter(key => !LATER.includes(key))
    return {
      started: next.names.filter(name => !had.has(name)),
      restarted: next.order.flatMap(plugin => (had.has(plugin.name) && had.get(plugin.name) !== plugin ? plugin.name : [])),
      stopped: before.names.filter(name => !stay.includes(name)),
      applied: isReordered ? [...changed, 'order of plugins'] : changed,
      later: changedSettings(first, next).filter(key => LATER.includes(key)),
    }
  }

  return {
    start(builtIn) {
      features = builtIn
      return become(first)
    },

    reload(config, project) {
      const next = last.then(() => reload(config, project))
      last = next.catch(() => {})
      return next
    },

    async end() {
      ending.abort(new KikimimiError('STOPPED', 'The bot has stopped and does not reload bot.config.ts.'))
      await last
    },
  }
}

/** Settings of resources that are opened once per process. */
const LATER: readonly string[] = ['database', 'postgres', 'http']

function changedSettings({ settings: before }: Plan, { settings: next }: Plan): string[] {
  const keys = new Set([...keysOf(before), ...keysOf(next)])
  return [...keys].filter(key => !isDeepStrictEqual(before[key], next[key]))
}

function keysOf(settings: Settings): (keyof Settings)[] {
  return Object.keys(settings) as (keyof Settings)[]
}

/** Settings that plugins may have read in their set-up. */
function readAtSetup({ settings }: Plan) {
  const { embeddings } = settings.models ?? {}
  const { persona, locale, timeZone } = settings
  return { persona, locale, timeZone, embeddings: embeddings && fromEmbeddings(embeddings).space }
}

function lost(error: unknown): KikimimiError {
  return new KikimimiError(
    'RELOAD_FAILED',
    `bot.config.ts could not be applied, and the previous plugins could not be set up again: ${reason(error)}. Correct it, and start the bot again.`,
    { cause: error },
  )
}

/**
 * The same order, with each running plugin that can be kept: its definition, options and prompts are equal, and every plugin that
 * provides a service to it is kept too.
 * @param restart true: keep only plugins with a platform
 */
function merged(running: readonly RunningPlugin[], order: readonly ReadyPlugin[], restart: boolean): readonly ReadyPlugin[] {
  const staying = new Set<string>()
  const providers = new Map(order.flatMap(({ name, definition }) => definition.provides?.map(one => [one.name, name]) ?? []))
  // Providers come before the plugins that need them. A service without a provider here is a service of the bot.
  return order.map(plugin => {
    const now = running.find(one => one.plugin.name === plugin.name)
    if (!now || !isSame(now.plugin, plugin) || (restart && !now.hooks.platform)) return plugin
    const provided = plugin.definition.needs?.flatMap(one => providers.get(one.name) ?? []) ?? []
    if (provided.some(name => !staying.has(name))) return plugin
    staying.add(plugin.name)
    return now.plugin
  })
}

function isSame({ definition, given, prompts }: ReadyPlugin, other: ReadyPlugin): boolean {
  return (
    definition === other.definition && isDeepStrictEqual(given, other.given) && isDeepStrictEqual(prompts.all, other.prompts.all)
  )
}
