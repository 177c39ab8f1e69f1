/** A whole bot in an offline Discord, for the tests. */
import { type Bot, definePlugin, type PluginEntry, type Reply, startBot, type Trace, type Turn } from 'kikimimi'
import type { DiscordEmulator } from 'kikimimi/testing/discord'
import { systemClock } from '../../core/clock.ts'
import { createLogger } from '../../core/log.ts'
import discordPlugin from './index.ts'

export interface Kiki extends AsyncDisposable {
  readonly bot: Bot
  readonly turns: readonly Turn[]
  /** Lines of the log, all levels. */
  readonly log: readonly string[]
  /** What made the bot give up. */
  failure(): Error | undefined
  traces(): Promise<readonly Trace[]>
}

export interface KikiOptions {
  /** Default: `yes, <author>`. */
  readonly answer?: (turn: Turn) => Reply | undefined | Promise<Reply | undefined>
  readonly options?: Parameters<typeof discordPlugin>[0]
  readonly plugins?: readonly PluginEntry[]
}

/** Speaks when it is addressed. */
export async function startKiki(discord: DiscordEmulator, { answer, options, plugins = [] }: KikiOptions = {}): Promise<Kiki> {
  const turns: Turn[] = []
  const log: string[] = []
  const responder = definePlugin({
    name: 'test',
    setup: () => ({
      async respond(turn) {
        turns.push(turn)
        return answer ? answer(turn) : { kind: 'text', text: `yes, ${turn.message.author.name}` }
      },
    }),
  })
  const bot = await startBot(
    {
      persona: { name: 'kiki' },
      database: false,
      pacing: { minWait: '50ms', jitter: 0 },
      plugins: [
        discordPlugin({ token: discord.token, apiUrl: discord.apiUrl, timeout: '1s', ...options }),
        responder,
        ...plugins,
      ],
    },
    { env: {}, log: createLogger({ level: 'debug', format: 'json', write: line => void log.push(line), clock: systemClock }) },
  )
  let failure: Error | undefined
  bot.failed.catch((error: Error) => {
    failure = error
  })
  return { bot, turns, log, failure: () => failure, traces: () => bot.traces(), [Symbol.asyncDispose]: () => bot.stop() }
}
