/** A whole bot on the Discord emulator, for tests. */

import type { DiscordEmulator } from '@kikimimi/discord/testing'
import type { BotConfig, Plugin, PluginEntry, StartOptions, Trace } from 'kikimimi'
import type { Platform } from 'kikimimi/platform'
import { type PlatformBot, type PlatformBotOptions, platformBot } from 'kikimimi/testing'
import { onTestFinished, vi } from 'vitest'
import discordPlugin from './index.ts'

export interface Kiki extends PlatformBot {
  /** The platform that the plugin has given to the bot. */
  readonly platform: Platform
  /** The error that ended the bot. */
  failure(): Error | undefined
  traces(): Promise<readonly Trace[]>
}

export interface KikiOptions {
  /** Default: `yes, <author>`. */
  readonly answer?: PlatformBotOptions['answer']
  readonly options?: Parameters<typeof discordPlugin>[0]
  readonly plugins?: readonly PluginEntry[]
  readonly config?: Partial<BotConfig>
  readonly parts?: StartOptions
}

/** Answers messages that address the bot. */
export async function startKiki(discord: DiscordEmulator, given: KikiOptions = {}): Promise<Kiki> {
  const { answer, options, plugins = [], config, parts } = given
  let platform: Platform | undefined
  const plugin = discordPlugin({ token: discord.token, apiUrl: discord.apiUrl, timeout: '1s', ...options })
  const { setup } = plugin.definition
  const watched: Plugin = {
    ...plugin,
    definition: {
      ...plugin.definition,
      async setup(ctx, given) {
        const hooks = (await setup(ctx, given)) ?? {}
        platform = hooks.platform
        return hooks
      },
    },
  }
  const kiki = await platformBot({ plugins: [watched, ...plugins], answer, ...config }, parts)
  const { bot } = kiki
  let failure: Error | undefined
  bot.failed.catch((error: Error) => {
    failure = error
  })
  return {
    ...kiki,
    get platform() {
      if (!platform) throw new Error('The plugin has no platform.')
      return platform
    },
    failure: () => failure,
    traces: () => bot.traces(),
  }
}

/**
 * Ends the time in which discord.js sends no second identify: five seconds of `Date`, until the end of the test. Timers and the clock
 * of the bot do not change.
 */
export function endIdentifyLimit(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_000 })
  onTestFinished(() => void vi.useRealTimers())
}

/** Waits until the condition holds. The time limit of the test ends the wait. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 5))
}
