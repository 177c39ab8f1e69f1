/** The plugins that are set up. A reload replaces only the plugins that differ; the others keep running. */
import type { Platform, PlatformHooks } from '../../api/index.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { PluginStages } from '../pipeline/call.ts'
import type { ReadyPlugin, Shared } from './plugin-context.ts'
import { type RunningPlugin, setUp } from './set-up.ts'

export interface PluginHost extends AsyncDisposable {
  has(plugin: ReadyPlugin): boolean
  /** The running plugins, in the order of set-up. */
  readonly running: readonly RunningPlugin[]
  /** The hooks of one name, of all running plugins, in the order of set-up. */
  hooks<K extends keyof PlatformHooks>(name: K): readonly { plugin: string; hook: NonNullable<PlatformHooks[K]> }[]
  /**
   * Stops plugins that are not in the order, sets up those that are new, and returns the new ones. After an error, some
   * plugins are stopped and others not set up: call it again with an order that ran before.
   * @param signal cancels the set-up
   */
  become(order: readonly ReadyPlugin[], signal?: AbortSignal): Promise<readonly RunningPlugin[]>
  /** The stages of these plugins, in this order. */
  stages(names: readonly string[]): readonly PluginStages[]
}

export interface HostOptions {
  readonly shared: Shared
  /** The platforms of the bot, by name. The host adds and removes those of plugins. */
  readonly platforms: Map<string, Platform>
  /** The running plugins, by name. The host adds and removes them; parts of the bot that it does not know read their hooks. */
  readonly running: Map<string, RunningPlugin>
  /** Throws when the hooks of a plugin conflict with hooks of running plugins. */
  checkHooks(plugin: string, hooks: PlatformHooks, others: PluginHost['hooks']): void
  /** True: the bot leaves out the platforms of plugins, and all other hooks of platform plugins. */
  readonly withoutPlatforms: boolean
}

/**
 * Milliseconds a plugin has to close its resources. Together with the 20 s of running turns it stays below the 30 s after
 * which a container is killed.
 */
const DEADLINE = 8_000

export function createPluginHost({ shared, platforms, running, withoutPlatforms, checkHooks }: HostOptions): PluginHost {
  const { clock, log } = shared
  const has = (plugin: ReadyPlugin) => running.get(plugin.name)?.plugin === plugin

  async function stop(one: RunningPlugin): Promise<void> {
    const { name } = one.plugin
    running.delete(name)
    listed.clear()
    if (one.hooks.platform) platforms.delete(one.hooks.platform.name)
    const late = () => new Error(`it took more than ${DEADLINE / 1_000} s`)
    try {
      await withTimeout({ clock, ms: DEADLINE, late }, async () => one[Symbol.asyncDispose]())
    } catch (error) {
      log.child(name).warn(`could not close all its resources: ${reason(error)}`)
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

  /** The hooks by name, until a plugin starts or stops. Every message asks for commands. */
  const listed = new Map<keyof PlatformHooks, readonly { plugin: string; hook: unknown }[]>()

  function hooks<K extends keyof PlatformHooks>(name: K) {
    const known = listed.get(name) ?? hooksIn(running, name)
    listed.set(name, known)
    return known as readonly { plugin: string; hook: NonNullable<PlatformHooks[K]> }[]
  }

  return {
    has,
    hooks,

    get running() {
      return [...running.values()]
    },

    async become(order, signal) {
      for (const one of [...running.values()].toReversed()) if (!order.includes(one.plugin)) await stop(one)
      const begun: RunningPlugin[] = []
      for (const plugin of order) {
        const now = running.get(plugin.name) ?? (await begin(plugin, signal))
        if (!running.delete(plugin.name)) begun.push(now)
        running.set(plugin.name, now)
        listed.clear()
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

/** The hooks of one name, of all running plugins, in the order of set-up. */
export function hooksIn<K extends keyof PlatformHooks>(running: ReadonlyMap<string, RunningPlugin>, name: K) {
  return [...running.values()].flatMap(({ plugin, hooks }) => {
    const hook = hooks[name]
    return hook === undefined ? [] : [{ plugin: plugin.name, hook: hook as NonNullable<PlatformHooks[K]> }]
  })
}
