/** The bot of bot.config.ts, with scripted models. */
import eavesdrop from '@kikimimi/eavesdrop'
import { offline } from '@kikimimi/offline'
import { type BotConfig, type Locale, milliseconds, type Plugin, sleep } from 'kikimimi'
import type { Duration } from 'kikimimi/host'
import type { ChatModel } from 'kikimimi/model'
import { scriptedModel, type TestBot, type TestBotOptions, testBot } from 'kikimimi/testing'
import { vi } from 'vitest'
import { mind, type Says } from '../../plugins/eavesdrop/test-listener.ts'

// With a key, the config includes a judge. Its models are never called: a scene has its own.
vi.stubEnv('GOOGLE_API_KEY', 'none')
for (const name of ['BOT_NAME', 'BOT_LOCALE', 'DISCORD_TOKEN', 'SLACK_BOT_TOKEN']) vi.stubEnv(name, undefined)
const { default: config } = await import('../../bot.config.ts')

type Answers = Parameters<typeof scriptedModel>[0]

export const ANSWER = 'An answer.'

export interface Cast {
  /** The answer of the chat model. Default: {@link ANSWER}. */
  readonly chat?: Answers
  /** The answer of the judge. Absent: no judge, as without a key. */
  readonly judge?: Answers
  /** Response time of the models. Default: none. */
  readonly takes?: { readonly chat?: Duration; readonly judge?: Duration }
  /** Eavesdrop is active in the channel, with these answers of its model. */
  readonly eavesdrop?: Says
  /** Plugins that replace those with the same name. */
  readonly plugins?: readonly Plugin[]
  readonly listen?: BotConfig['listen']
  readonly budget?: BotConfig['budget']
}

/** `calls`: number of model calls, by role. */
export async function start(
  { chat, judge, takes = {}, eavesdrop: mood, plugins: instead = [], listen, budget }: Cast,
  locale: Locale,
  more: TestBotOptions = {},
) {
  const calls: Record<string, number> = {}
  const listener = mood && mind(mood).model
  const timed = ({ name, generate }: ChatModel, ms: number): ChatModel => ({
    name,
    async generate(request) {
      calls[request.role] = (calls[request.role] ?? 0) + 1
      if (ms > 0) await sleep(bot.clock, ms, request.signal)
      // Eavesdrop expects a word, judge-llm a structured result.
      return listener && request.role === 'judge' && !request.schema ? listener.generate(request) : generate(request)
    },
  })
  const models = {
    chat: timed(scriptedModel(chat ?? ANSWER), milliseconds(takes.chat ?? 0)),
    judge: timed(scriptedModel(judge ?? 'nobody asks'), milliseconds(takes.judge ?? 0)),
    // Background memories are made by simple rules.
    summary: offline(),
    reflection: offline(),
  }
  const plugins = config.plugins.flatMap(entry => {
    if (!entry || !('definition' in entry)) return []
    const { name } = entry.definition
    if (name === 'terminal' || (name === 'judge-llm' && judge === undefined)) return []
    if (name === 'eavesdrop' && mood) return [eavesdrop({ channels: ['general'] })]
    return [instead.find(({ definition }) => definition.name === name) ?? entry]
  })
  const { database: _, ...rest } = config
  const bot: TestBot = await testBot({
    ...rest,
    ...{ plugins, models, locale, ...(listen && { listen }), ...(budget && { budget }), ...more },
  })
  return { bot, calls }
}
