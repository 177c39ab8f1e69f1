/** The plugins that are set up. A reload replaces only those that differ; the rest goes on. */
import { isDeepStrictEqual } from 'node:util'
import type { Platform, PlatformHooks } from '../../api/index.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { PluginStages } from '../pipeline/pipeline.ts'
import type { ReadyPlugin, Shared } from './plugin-context.ts'
import { type RunningPlugin, setUp } from './set-up.ts'

export interface PluginHost extends AsyncDisposable {
  /**
   * The same order, with running plugins in their places where these can go on: the same definition with equal options and
   * prompts, and every service that they need from a plugin that goes on too.
   *
   * @param restart plugins without a platform do not go on
   */
  merged(order: readonly ReadyPlugin[], restart: boolean): readonly ReadyPlugin[]
  has(plugin: ReadyPlugin): boolean
  /** In the order of set-up. */
  readonly running: readonly RunningPlugin[]
  /** The hooks of one name, of all running plugins, in the order of set-up. */
  hooks<K extends keyof PlatformHooks>(name: K): readonly { plugin: string; hook: NonNullable<PlatformHooks[K]> }[]
  /**
   * Stops plugins that are not in the order, and sets up those that are new in it; returns these. When it throws, some have
   * stopped and others were not set up: call it again with an order that has run before.
   *
   * @param signal gives up setting up
   */
  become(order: readonly ReadyPlugin[], signal?: AbortSignal): Promise<readonly RunningPlugin[]>
  /** The stages of these plugins, in this order. */
  stages(names: readonly string[]): readonly PluginStages[]
}

export interface HostOptions {
  readonly shared: Shared
  /** The platforms of the bot, by name. The host adds and removes those of plugins. */
  readonly platforms: Map<string, Platform>
  /** Throws when the hooks of a plugin do not go together with those of the plugins that run. */
  checkHooks(plugin: string, hooks: PlatformHooks, others: PluginHost['hooks']): void
  /** Platforms of plugins, and all other hooks of these plugins, are left out. */
  readonly withoutPlatforms: boolean
}

/** Milliseconds a plugin has to close what it opened. With the 20 s that turns have, less than the 30 s until a container is killed. */
const DEADLINE = 8_000

export function createPluginHost({ shared, platforms, withoutPlatforms, checkHooks }: HostOptions): PluginHost {
  const { clock, log } = shared
  /** In the order of set-up. */
  const running = new Map<string, RunningPlugin>()
  const has = (plugin: ReadyPlugin) => running.get(plugin.name)?.plugin === plugin

  async function stop(one: RunningPlugin): Promise<void> {
    const { name } = one.plugin
    running.delete(name)
    if (one.hooks.platform) platforms.delete(one.hooks.platform.name)
    const late = () => new Error(`it took more than ${DEADLINE / 1_000} s`)
    try {
      await withTimeout({ clock, ms: DEADLINE, late }, async () => one[Symbol.asyncDispose]())
    } catch (error) {
      log.child(name).warn(`could not close all that it had opened: ${reason(error)}`)
    }
  }

  async function begin(plugin: ReadyPlugin, signal: AbortSignal | undefined): Promise<RunningPlugin> {
    const one = await setUp(plugin, shared, signal)
    try {
      if (one.hooks.platform && withoutPlatforms) return { ...one, hooks: {} }
      checkHooks(plugin.name, one.hooks, hooks)
      if (one.hooks.platform) platforms.set(one.hooks.platform.name, one.hooks.platform)
      return one
    } catch (error) {
      await one[Symbol.asyncDispose]()
      throw error
    }
  }

  function hooks<K extends keyof PlatformHooks>(name: K) {
    return [...running.values()].flatMap(({ plugin, hooks }) => {
      const hook = hooks[name]
      return hook === undefined ? [] : [{ plugin: plugin.name, hook: hook as NonNullable<PlatformHooks[K]> }]
    })
  }

  return {
    has,
    hooks,

    get running() {
      return [...running.values()]
    },

    merged(order, restart) {
      const staying = new Set<string>()
      const providers = new Map(order.flatMap(({ name, definition }) => definition.provides?.map(one => [one.name, name]) ?? []))
      // Providers come before the plugins that need them. A service without a provider here is one of the bot itself.
      return order.map(plugin => {
        const now = running.get(plugin.name)
        if (!now || !isSame(now.plugin, plugin) || (restart && !now.hooks.platform)) return plugin
        const provided = plugin.definition.needs?.flatMap(one => providers.get(one.name) ?? []) ?? []
        if (provided.some(name => !staying.has(name))) return plugin
        staying.add(plugin.name)
        return now.plugin
      })
    },

    async become(order, signal) {
      for (const one of [...running.values()].toReversed()) if (!order.includes(one.plugin)) await stop(one)
      const begun: RunningPlugin[] = []
      for (const plugin of order) {
        const now = running.get(plugin.name) ?? (await begin(plugin, signal))
        if (!running.delete(plugin.name)) begun.push(now)
        running.set(plugin.name, now)
      }
      if (platforms.size > 0) return begun
      throw new KikimimiError(
        'PLATFORM_MISSING',
        'The bot is connected to no platform. Add terminal() or another platform to the plugins of bot.config.ts.',
      )
    },

    stages: names =>
      names.flatMap(name => {
        const one = running.get(name)
        return one ? [{ name, stages: one.hooks }] : []
      }),

    async [Symbol.asyncDispose]() {
      for (const one of [...running.values()].toReversed()) await stop(one)
    },
  }
}

function isSame({ definition, given, prompts }: ReadyPlugin, other: ReadyPlugin): boolean {
  return (
    definition === other.definition && isDeepStrictEqual(given, other.given) && isDeepStrictEqual(prompts.all, other.prompts.all)
  )
}
