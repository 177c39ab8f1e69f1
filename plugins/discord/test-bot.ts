/** A whole bot on the Discord emulator, for tests. */

import type { DiscordEmulator } from '@kikimimi/discord/testing'
import {
  type Bot,
  type BotConfig,
  definePlatform,
  type Platform,
  type Plugin,
  type PluginEntry,
  type Reply,
  type StartOptions,
  startBot,
  type Trace,
  type Turn,
} from 'kikimimi'
import { collectLog, freePort } from 'kikimimi/testing'
import discordPlugin from './index.ts'

export interface Kiki extends AsyncDisposable {
  readonly bot: Bot
  /** The platform that the plugin has given to the bot. */
  readonly platform: Platform
  readonly turns: readonly Turn[]
  /** Lines of the log, all levels. */
  readonly log: readonly string[]
  /** The error that ended the bot. */
  failure(): Error | undefined
  /** The reason in `/readyz`; undefined while the bot is ready. */
  unready(): Promise<string | undefined>
  traces(): Promise<readonly Trace[]>
}

export interface KikiOptions {
  /** Default: `yes, <author>`. */
  readonly answer?: (turn: Turn) => Reply | undefined | Promise<Reply | undefined>
  readonly options?: Parameters<typeof discordPlugin>[0]
  readonly plugins?: readonly PluginEntry[]
  readonly config?: Partial<BotConfig>
  readonly parts?: StartOptions
}

/** Answers messages that address the bot. */
export async function startKiki(discord: DiscordEmulator, given: KikiOptions = {}): Promise<Kiki> {
  const { answer, options, plugins = [], config, parts } = given
  const turns: Turn[] = []
  const log: string[] = []
  const responder = definePlatform({
    name: 'test',
    setup: () => ({
      async respond(turn) {
        turns.push(turn)
        return answer ? answer(turn) : { kind: 'text', text: `yes, ${turn.message.author.name}` }
      },
    }),
  })
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
  const http = `127.0.0.1:${await freePort()}`
  const bot = await startBot(
    {
      persona: { name: 'kiki' },
      database: false,
      pacing: { minWait: '50ms', jitter: 0 },
      http,
      plugins: [watched, responder, ...plugins],
      ...config,
    },
    {
      env: {},
      log: collectLog(log),
      ...parts,
    },
  )
  let failure: Error | undefined
  bot.failed.catch((error: Error) => {
    failure = error
  })
  return {
    ...{ bot, turns, log },
    get platform() {
      if (!platform) throw new Error('The plugin has no platform.')
      return platform
    },
    failure: () => failure,
    async unready() {
      const answer = await fetch(`http://${http}/readyz`)
      const { ok, why } = (await answer.json()) as { ok: boolean; why?: string }
      if (ok !== (answer.status === 200)) throw new Error(`/readyz contradicts itself: ${answer.status}`)
      return why
    },
    traces: () => bot.traces(),
    [Symbol.asyncDispose]: () => bot.stop(),
  }
}

/** Waits until the condition holds. The time limit of the test ends the wait. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 5))
}
