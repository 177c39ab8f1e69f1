import type { BotConfig } from '../api/config.ts'
import { definePlugin, type Reply, type Silence, type Turn } from '../api/index.ts'
import type { Awaitable } from '../base/awaitable.ts'
import { startBot } from '../bot/bot.ts'
import type { Bot } from '../bot/bot-type.ts'
import type { StartOptions } from '../bot/start-options.ts'
import { collectLog } from './test-log.ts'

export interface PlatformBotOptions extends Partial<BotConfig> {
  /** The platform, and other plugins. */
  readonly plugins: BotConfig['plugins']
  /** Answers each message that addresses the bot. Default: `yes, <author>`. */
  readonly answer?: ((turn: Turn) => Awaitable<Reply | Silence | undefined>) | undefined
}

/** A whole bot on a real platform. */
export interface PlatformBot extends AsyncDisposable {
  readonly bot: Bot
  /** The turns that the bot was to answer, oldest first. */
  readonly turns: readonly Turn[]
  /** Lines of the log, all levels, as JSON. */
  readonly log: readonly string[]
  /** Why `/readyz` says that the bot is not ready. `undefined`: it is ready. */
  unready(): Promise<string | undefined>
}

/**
 * Starts a whole bot on a platform and on the clock of the machine, for tests of what {@link platformContract} does not test. Its name is
 * `kiki`. It has no database and listens on a port only with `http`.
 * @param parts such as a database or a clock
 * @throws what {@link startBot} throws
 */
export async function platformBot(
  { plugins, answer, ...config }: PlatformBotOptions,
  parts: StartOptions = {},
): Promise<PlatformBot> {
  const turns: Turn[] = []
  const log: string[] = []
  const responder = definePlugin({
    name: 'test',
    setup: () => ({
      respond(turn) {
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
      ...config,
      plugins: [responder, ...plugins],
    },
    { env: {}, log: collectLog(log), serves: config.http !== undefined, ...parts },
  )
  return {
    bot,
    turns,
    log,
    async unready() {
      const answer = await bot.inject('/readyz')
      const { ok, why } = answer.json() as { readonly ok: boolean; readonly why?: string }
      if (ok !== (answer.statusCode === 200)) throw new Error(`/readyz contradicts itself: ${answer.statusCode}`)
      return why
    },
    [Symbol.asyncDispose]: () => bot.stop(),
  }
}
