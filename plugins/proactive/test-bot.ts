/** Helpers for tests: a channel with a fact that falls silent and becomes active. */
import reply from '@kikimimi/reply'
import { type Conversation, conversationId, type Plugin } from 'kikimimi'
import { promptOf, type ScriptedModel, scriptedModel, type TestBot, type TestBotOptions, testBot } from 'kikimimi/testing'
import addressing from '../addressing/index.ts'
import type { NewFact } from '../facts/api/facts.ts'
import { borrowedFacts } from '../facts/test-memory.ts'
import judgeRules from '../judge-rules/index.ts'
import proactive from './index.ts'

export interface Told
  extends Pick<NewFact, 'people' | 'keywords' | 'shareable' | 'at' | 'confidence' | 'subject' | 'relation' | 'value' | 'single'> {
  readonly channel?: string
  readonly thread?: string
  readonly visibility?: Conversation['visibility']
  /** Authors of the fact. Default: dave. */
  readonly by?: readonly string[]
  /** The source message. */
  readonly message?: string
  /** Ids of the facts that it replaces. Default: none. */
  readonly replaces?: readonly number[]
}

export interface Woken extends AsyncDisposable {
  readonly bot: TestBot
  readonly model: ScriptedModel
  /** Stores a fact that may be brought up. Returns its id. */
  know(content: string, told?: Told): Promise<number>
  forget(fact: number): Promise<unknown>
  /** A person writes a message; then a minute passes. */
  say(author: string, text: string, said?: Parameters<TestBot['say']>[2]): Promise<string>
  /** The remarks of the bot, as the model of the test phrases them. */
  readonly broughtUp: readonly string[]
}

type Remark = string | null | Error | ((memory: string) => string | null | Promise<string | null>)

/** @param remark the answer of the model. Default: it repeats the fact. */
export async function woken(
  options: Parameters<typeof proactive>[0] = {},
  {
    remark = memory => `By the way: ${memory}`,
    before = [],
    ...config
  }: Omit<TestBotOptions, 'plugins' | 'model'> & { remark?: Remark; before?: readonly Plugin[] } = {},
): Promise<Woken> {
  const { plugins, store } = borrowedFacts({ tool: false })
  const model = scriptedModel(async request => {
    if (!request.schema) return 'an answer'
    if (remark instanceof Error) return remark
    const memory = /^- .*“(.+)”$/m.exec(promptOf(request))?.[1] ?? ''
    return { value: { remark: typeof remark === 'function' ? await remark(memory) : remark } }
  })
  const bot = await testBot({
    plugins: [plugins, before, proactive(options), addressing(), judgeRules(), reply()],
    model,
    ...config,
  })
  const woken: Woken = {
    bot,
    model,
    async know(
      content,
      { channel = 'random', thread, visibility = 'public', by = ['dave'], message = 'x1', replaces = [], ...more } = {},
    ) {
      const { id } = await store().supersede(replaces, {
        conversation: place(channel, visibility, thread),
        content,
        shareable: true,
        people: [],
        sources: by.map((author, at) => ({ message: `${message}-${at}`, author })),
        ...more,
      })
      return id
    },
    forget: fact => store().forget([fact]),
    async say(author, text, said) {
      const id = await bot.say(author, text, said)
      await bot.pass('1m')
      return id
    },
    get broughtUp() {
      return bot.sent.filter(text => text.startsWith('By the way: ')).map(text => text.slice('By the way: '.length))
    },
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
  // An earlier message on another day.
  await woken.say('dave', 'hi')
  return woken
}

function place(channel: string, visibility: Conversation['visibility'], thread?: string): Conversation {
  const where = {
    platform: 'test',
    workspace: 'team',
    channel,
    ...(thread !== undefined && { thread }),
    name: channel,
    visibility,
  }
  return { ...where, id: conversationId(where) }
}

export const CAMPING = {
  en: { fact: 'erin bought a tent for camping in the mountains', opener: 'we should go camping next month' },
  ja: { fact: '林さんはキャンプに夢中で、焚き火台を買った', opener: '来月みんなでキャンプに行こうよ' },
} as const
