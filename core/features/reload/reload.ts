/**
 * A changed bot.config.ts takes the place of the one that runs. All of it is checked before anything is touched. Then what runs
 * on plugins that do not stay is waited for, what arrives is held up, only what differs is stopped and started, and all goes on.
 * Where that fails the plugins of before are set up again, so that the bot is one or the other, and never half of each.
 */
import { isDeepStrictEqual } from 'node:util'
import type { BotConfig, Settings } from '../../api/config.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { ReloadBarrier } from '../../base/reload-barrier.ts'
import type { ReadyPlugin } from '../../kernel/host/plugin-context.ts'
import type { PluginHost } from '../../kernel/host/plugin-host.ts'
import { connect } from '../../kernel/host/set-up.ts'
import { ARRIVAL } from '../../kernel/turns/conversations.ts'
import { modelName } from '../../models/langchain.ts'
import type { ModelsOptions } from '../../models/models.ts'
import { personaOf } from '../../prompt/persona.ts'

/** A bot.config.ts that has been checked, and whose plugins fit together. */
export interface Plan {
  readonly config: BotConfig
  /** The folder it stands in. */
  readonly project: URL | undefined
  readonly settings: Settings
  /** The offline model where bot.config.ts has no chat model. */
  readonly models: ModelsOptions['models']
  /** In the order in which the plugins are asked. */
  readonly names: readonly string[]
  /** In the order in which they are set up. */
  readonly order: readonly ReadyPlugin[]
}

/** What came of a reload, by name. */
export interface Reloaded {
  /** Names of plugins that are new. */
  readonly started: readonly string[]
  /** Names of plugins that were stopped and set up again. */
  readonly restarted: readonly string[]
  /** Names of plugins that are gone. */
  readonly stopped: readonly string[]
  /** Settings that hold now. */
  readonly applied: readonly string[]
  /** Settings that need a new start of the process. */
  readonly later: readonly string[]
}

export interface ReloadOptions {
  readonly first: Plan
  readonly host: PluginHost
  /** The built-in plugins, which go on. */
  readonly features: readonly ReadyPlugin[]
  readonly barrier: ReloadBarrier
  readonly clock: Clock
  /** Reads and checks a bot.config.ts. */
  planOf(config: BotConfig, project: URL | undefined): Promise<Plan>
  /** The bot cannot go on. */
  fail(error: Error): void
  /** Makes ready for a plan. Throws when it cannot be, with nothing touched. */
  prepare(next: Plan): Promise<void>
  /** Lets the settings of a plan hold. */
  apply(plan: Plan): void
  /** Lets its plugins be asked, once they are set up. */
  engage(plan: Plan): Promise<void>
}

export interface Reloads {
  /** See `Bot.reload`. One after the other. */
  reload(config: BotConfig, project: URL | undefined): Promise<Reloaded>
  /** Begins no other, and gives up the one that is under way. Resolves when there is none. */
  end(): Promise<void>
}

/** How long turns and jobs of plugins that do not stay may go on. What is called off then is taken again. */
const GRACE = 20_000

export function createReloads(options: ReloadOptions): Reloads {
  const { first, host, features, barrier, clock, planOf, prepare, apply, engage } = options
  let now = first
  let last: Promise<unknown> = Promise.resolve()
  const ending = new AbortController()
  const { signal } = ending

  async function hold({ order }: Plan): Promise<() => void> {
    const stays = (kind: string) => [...features, ...order].some(plugin => host.has(plugin) && kind.startsWith(`${plugin.name}.`))
    const jobs = await barrier.hold(kind => kind !== ARRIVAL && !stays(kind), GRACE, signal)
    // After the jobs: one of them may hand a message in and wait for that.
    const arrivals = await barrier.hold(kind => kind === ARRIVAL, GRACE, signal)
    const release = () => {
      arrivals()
      jobs()
    }
    if (signal.aborted) release()
    signal.throwIfAborted()
    return release
  }

  async function swap(before: Plan, next: Plan): Promise<void> {
    let release: (() => void) | undefined
    async function take(plan: Plan): Promise<void> {
      release ??= await hold(plan)
      apply(plan)
      const begun = await host.become([...features, ...plan.order], signal)
      await engage(plan)
      // A platform that connects hands in what it missed.
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
      // Nothing begins on plugins that are half set up: what is held up when the bot ends is there at its next start.
      if (!signal.aborted) release?.()
    }
  }

  async function reload(config: BotConfig, project: URL | undefined): Promise<Reloaded> {
    signal.throwIfAborted()
    const plan = await planOf(config, project)
    const restart = !isDeepStrictEqual(readAtSetup(now), readAtSetup(plan))
    const next = { ...plan, order: host.merged(plan.order, restart) }
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
    reload(config, project) {
      const next = last.then(() => reload(config, project))
      last = next.catch(() => {})
      return next
    },

    async end() {
      ending.abort(new KikimimiError('STOPPED', 'The bot has stopped: it takes no other bot.config.ts.'))
      await last
    },
  }
}

/** What is opened once for the life of the process. */
const LATER: readonly string[] = ['database', 'http']

function changedSettings({ settings: before }: Plan, { settings: next }: Plan): string[] {
  const keys = new Set([...keysOf(before), ...keysOf(next)])
  return [...keys].filter(key => !isDeepStrictEqual(before[key], next[key]))
}

function keysOf(settings: Settings): (keyof Settings)[] {
  return Object.keys(settings) as (keyof Settings)[]
}

/** What plugins may have read when they were set up. */
function readAtSetup({ settings }: Plan) {
  const { embeddings } = settings.models ?? {}
  return { persona: personaOf(settings), locale: settings.locale, embeddings: embeddings && modelName(embeddings) }
}

function lost(error: unknown): KikimimiError {
  return new KikimimiError(
    'RELOAD_FAILED',
    `bot.config.ts could not be applied, nor could the plugins of before be set up again: ${reason(error)}. Mend it, and start the bot again.`,
    { cause: error },
  )
}
