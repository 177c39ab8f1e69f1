/** The plugins that are set up, and how others come in their place: what is the same goes on, only the rest stops and starts. */
import { isDeepStrictEqual } from 'node:util'
import { KikimimiError, reason } from '../../base/errors.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { Member } from '../pipeline/pipeline.ts'
import type { Kernel } from './plugin-context.ts'
import { type Ready, type Running, setUp } from './set-up.ts'

export interface PluginHost extends AsyncDisposable {
  /**
   * The same order, with those who can go on in their places: the same definition with equal options and prompts, and every
   * service that they need from somebody who goes on too.
   *
   * @param anew nobody can but those with a platform
   */
  merged(order: readonly Ready[], anew: boolean): readonly Ready[]
  /** Whether it is set up. */
  has(plugin: Ready): boolean
  /** What is set up under a name. */
  find(name: string): Running | undefined
  /**
   * Stops who is not in the order, and sets up who is new in it; returns these. When it throws, some have stopped and others
   * were not set up: call it again with an order that has been before.
   *
   * @param signal gives up setting up
   */
  become(order: readonly Ready[], signal?: AbortSignal): Promise<readonly Running[]>
  /** In the order of these names. */
  members(names: readonly string[]): readonly Member[]
}

/** Milliseconds a plugin has to close what it opened. With the 20 s that turns have, less than the 30 s until a container is killed. */
const DEADLINE = 8_000

/** @param platforms whether the platforms of plugins are the bot's */
export function createPluginHost(kernel: Kernel, { platforms }: { readonly platforms: boolean }): PluginHost {
  const { clock, log } = kernel
  /** In the order of set-up. */
  const running = new Map<string, Running>()
  const has = (plugin: Ready) => running.get(plugin.name)?.plugin === plugin

  async function stop(one: Running): Promise<void> {
    const { name } = one.plugin
    running.delete(name)
    const late = () => new Error(`it took more than ${DEADLINE / 1_000} s`)
    try {
      await withTimeout({ clock, ms: DEADLINE, late }, async () => one[Symbol.asyncDispose]())
    } catch (error) {
      log.child(name).warn(`could not close all that it had opened: ${reason(error)}`)
    }
  }

  return {
    has,
    find: name => running.get(name),

    merged(order, anew) {
      const staying = new Set<string>()
      const providers = new Map(order.flatMap(({ name, definition }) => definition.provides?.map(one => [one.name, name]) ?? []))
      // Providers come before those who need them.
      return order.map(plugin => {
        const now = running.get(plugin.name)
        if (!now || !isSame(now.plugin, plugin) || (anew && !now.platform)) return plugin
        if (plugin.definition.needs?.some(one => !staying.has(providers.get(one.name) ?? ''))) return plugin
        staying.add(plugin.name)
        return now.plugin
      })
    },

    async become(order, signal) {
      for (const one of [...running.values()].toReversed()) if (!order.includes(one.plugin)) await stop(one)
      const begun: Running[] = []
      for (const plugin of order) {
        const now = running.get(plugin.name) ?? (await setUp(plugin, kernel, { platforms, signal }))
        if (!running.delete(plugin.name)) begun.push(now)
        running.set(plugin.name, now)
      }
      if (kernel.platforms.size > 0) return begun
      throw new KikimimiError(
        'PLATFORM_MISSING',
        'No plugin lets the bot hear anything. Add terminal() or another platform to bot.config.ts.',
      )
    },

    members: names => names.flatMap(name => running.get(name)?.member ?? []),

    async [Symbol.asyncDispose]() {
      for (const one of [...running.values()].toReversed()) await stop(one)
    },
  }
}

function isSame({ definition, given, prompts }: Ready, other: Ready): boolean {
  return (
    definition === other.definition && isDeepStrictEqual(given, other.given) && isDeepStrictEqual(prompts.all, other.prompts.all)
  )
}
