/** Helpers for tests: a bot with the plugin, and a model with scripted results. */

import facts, { type Fact, type FactStore, Facts } from '@kikimimi/facts'
import { type Conversation, conversationId, definePlugin, type PluginEntry } from 'kikimimi'
import { readTranscript, type TranscriptLine } from 'kikimimi/model'
import {
  promptOf,
  type Said,
  type Script,
  type ScriptedModel,
  scriptedModel,
  type TestBot,
  type TestBotOptions,
  testBot,
} from 'kikimimi/testing'
import type { FoundFact } from './extractor.ts'
import reflection from './index.ts'

export function found(content: string, more: Partial<FoundFact> = {}): FoundFact {
  return {
    ...{ content, quote: content, kind: 'durable', people: [], keywords: [], replaces: [] },
    ...{ subject: '', relation: '', value: '', single: false, validFrom: '', validTo: '' },
    ...{ confidence: 0.9, shareable: false, message: '1' },
    ...more,
  }
}

/** The input of the model: the messages with their labels, and the whole prompt. */
export interface Shown {
  readonly prompt: string
  readonly lines: readonly TranscriptLine[]
  /** Number of calls, with this one. */
  readonly count: number
}

type Thinker = (shown: Shown) => Script | Promise<Script>

export function answer(facts: readonly FoundFact[], profiles: readonly unknown[] = []): Script {
  return { value: { facts, profiles } }
}

/** Makes a fact of each message with the word `note`, with its author as the speaker. */
export const taker: Thinker = ({ lines }) =>
  answer(
    lines
      .filter(({ text }) => /\bnote\b/.test(text))
      .map(({ name, text, id = '' }) => found(text, { message: id, people: [name] })),
  )

export interface Reflecting extends AsyncDisposable {
  readonly bot: TestBot
  readonly model: ScriptedModel
  readonly chat: ScriptedModel
  readonly store: FactStore
  /** All facts that may be read in a place, oldest first, with history. */
  facts(where?: Partial<Conversation>): Promise<readonly Fact[]>
  /** The texts of these facts. */
  contents(where?: Partial<Conversation>): Promise<readonly string[]>
  /** Many messages, alice and bob in turn: `I note 1`, `I note 2`. */
  talk(count: number, where?: Said, text?: (at: number) => string): Promise<void>
}

export async function reflecting(
  thinker: Thinker = taker,
  options: Parameters<typeof reflection>[0] = {},
  more: Partial<TestBotOptions> & {
    readonly also?: readonly PluginEntry[]
    /** Options of the plugin for single places. */
    readonly overrides?: Parameters<typeof reflection>[1]
  } = {},
): Promise<Reflecting> {
  let lent: FactStore | undefined
  const borrower = definePlugin({
    name: 'borrower',
    needs: [Facts],
    setup: ctx => {
      lent = ctx.use(Facts)
    },
  })
  let count = 0
  const model = scriptedModel(request => {
    const prompt = promptOf(request)
    return thinker({ prompt, lines: readTranscript(prompt), count: ++count })
  })
  const chat = scriptedModel('I see.')
  const { also = [], overrides, ...config } = more
  const bot = await testBot({
    plugins: [also, facts(), reflection(options, overrides), borrower],
    models: { chat, reflection: model },
    ...config,
  })
  const store = (): FactStore => {
    if (lent) return lent
    throw new Error('the bot has not started')
  }
  const listed = async (where: Partial<Conversation> = {}) =>
    (await store().list({ conversation: place(where), history: true, limit: 1_000 })).toReversed()
  let said = 0
  return {
    bot,
    model,
    chat,
    get store() {
      return store()
    },
    facts: listed,
    contents: async where => (await listed(where)).map(({ content }) => content),

    async talk(messages, where = {}, text = at => `I note ${at}`) {
      for (let at = 0; at < messages; at++) await bot.say(at % 2 === 0 ? 'alice' : 'bob', text(++said), where)
    },

    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
}

export function place(more: Partial<Conversation> = {}): Conversation {
  const channel = more.channel ?? 'general'
  const where = { platform: 'test', workspace: 'team', channel, name: channel, visibility: 'public', ...more } as const
  return { ...where, id: conversationId(where) }
}
