/** Helpers for tests: a bot with the plugin, and a model that shows which summary was requested. */
import { definePlugin, type PluginEntry } from 'kikimimi'
import {
  promptOf,
  type Script,
  type ScriptedModel,
  scriptedModel,
  type TestBot,
  type TestBotOptions,
  testBot,
} from 'kikimimi/testing'
import memorySummary, { type ChannelMemory, Summaries, type SummaryStore } from './index.ts'

export type Asked = 'recent' | 'workspace' | 'history'

/** The kind of summary that a prompt asks for, by its headings. */
export function kindOf(prompt: string): Asked {
  if (/^## (?:New messages|新しいメッセージ)$/m.test(prompt)) return 'recent'
  return /^## (?:History so far|これまでの歴史)$/m.test(prompt) ? 'history' : 'workspace'
}

export function noted(summary: string, mood = 'calm', topics: readonly string[] = []): Script {
  return { value: { summary, mood, topics, memory: summary } }
}

type Memorist = (asked: { readonly kind: Asked; readonly prompt: string; readonly count: number }) => Script | Promise<Script>

export interface Remembering extends AsyncDisposable {
  readonly bot: TestBot
  readonly summary: ScriptedModel
  readonly chat: ScriptedModel
  /** Number of requests of each kind. */
  asked(kind: Asked): number
  store(): SummaryStore
  channel(name?: string): Promise<ChannelMemory>
  /** The prompt of an answer in a conversation. */
  prompt(where?: Parameters<TestBot['say']>[2]): Promise<string>
  /** Many messages, alice and bob in turn. */
  talk(count: number, text: (at: number) => string, where?: Parameters<TestBot['say']>[2]): Promise<void>
}

export async function remembering(
  memorist: Memorist = ({ count }) => noted(`note ${count}`),
  options: Parameters<typeof memorySummary>[0] = {},
  more: Partial<TestBotOptions> & { readonly also?: readonly PluginEntry[] } = {},
): Promise<Remembering> {
  let lent: SummaryStore | undefined
  const borrower = definePlugin({
    name: 'borrower',
    needs: [Summaries],
    setup: ctx => {
      lent = ctx.use(Summaries)
    },
  })
  let count = 0
  const summary = scriptedModel(request =>
    memorist({ kind: kindOf(promptOf(request)), prompt: promptOf(request), count: ++count }),
  )
  const chat = scriptedModel('I see.')
  const { also = [], ...config } = more
  const bot = await testBot({
    plugins: [memorySummary(options), borrower, also],
    models: { chat, summary },
    ...config,
  })
  const store = () => {
    if (lent) return lent
    throw new Error('the bot has not started')
  }
  return {
    bot,
    summary,
    chat,
    store,
    asked: kind => summary.asked.filter(request => kindOf(promptOf(request)) === kind).length,

    async channel(name = 'general') {
      const found = (await store().list()).channels.find(one => one.name === name)
      if (found) return found
      throw new Error(`there is no memory of #${name}`)
    },

    async prompt(where = {}) {
      await bot.say('zoe', '@kiki ?', where)
      return promptOf(chat.asked.at(-1))
    },

    async talk(messages, text, where = {}) {
      for (let at = 0; at < messages; at++) await bot.say(at % 2 === 0 ? 'alice' : 'bob', text(at), where)
    },

    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
}
