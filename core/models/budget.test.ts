import { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } from '@langchain/google-genai'
import { describe, expect, test } from 'vitest'
import type { BudgetConfig } from '../api/config.ts'
import type { ChatModel } from '../api/index.ts'
import { definePlugin, Operator, type PluginContext } from '../api/index.ts'
import { type TestBot, testBot } from '../testing/index.ts'

/** Takes 1,000 tokens for each request. */
const model: ChatModel = {
  name: 'meter',
  generate: async ({ role }) => ({
    text: role === 'judge' ? 'no' : 'An answer.',
    toolCalls: [],
    inputTokens: 900,
    outputTokens: 100,
  }),
}

/** Asks the model in every stage: whether to speak, and what to say. */
const talkative = definePlugin({
  name: 'talkative',
  setup: ctx => {
    const ask = (role: 'judge' | 'chat', text: string) =>
      ctx.models.text(role, { system: 'Speak.', messages: [{ role: 'user', text }], maxTokens: 50 })
    return {
      decide: async ({ addressed, message: { text } }) => {
        if (addressed) return undefined
        if (text.includes('butt in')) return { kind: 'full', why: 'wants to' }
        return { kind: 'silent', why: await ask('judge', text) }
      },
      respond: async ({ message: { text } }) => ({ kind: 'text', text: await ask('chat', text) }),
    }
  },
})

const kiki = (budget: BudgetConfig) => testBot({ storage: 'pglite', plugins: [talkative], models: { chat: model }, budget })

const calls = async (bot: TestBot, role: string) =>
  (await bot.traces()).flatMap(({ models }) => models).filter(call => call.role === role && call.error === undefined).length

const chat = async (bot: TestBot, times: number, text: string, channel = 'general') => {
  for (let at = 0; at < times; at++) {
    await bot.say('alice', `${text} ${at}`, { channel })
    await bot.pass('10s')
  }
}

const NOTICE = 'I have used up what I may spend in an hour. I will be able to answer again within the hour.'

test('a day with a budget: judge calls are refused first, then unasked replies, replies to mentions last', async () => {
  await using bot = await kiki({ hour: { tokens: 10_000 } })
  await chat(bot, 20, 'chatter')
  expect(await calls(bot, 'judge')).toBe(7)
  const { decision, models } = await bot.trace()
  expect([decision?.kind, models.map(({ error }) => error)]).toEqual(['silent', ['MODEL_BUDGET_SPENT']])

  await chat(bot, 5, 'butt in')
  expect(bot.sent).toEqual(['An answer.', 'An answer.'])

  await chat(bot, 4, '@kiki help')
  expect(bot.sent.slice(2)).toEqual(['An answer.', NOTICE])
  expect(await bot.trace()).toMatchObject({ outcome: 'failed', why: 'the budget is spent' })

  // No other channel has been told yet, and a restart changes nothing.
  await bot.restart()
  await chat(bot, 2, '@kiki help', 'random')
  await chat(bot, 2, '@kiki help')
  expect(bot.sent.slice(4)).toEqual([NOTICE])

  await bot.pass('1h')
  await chat(bot, 1, '@kiki help')
  await chat(bot, 20, 'chatter')
  expect(bot.sent.at(-1)).toBe('An answer.')
  expect(await calls(bot, 'judge')).toBe(7 + 6)
})

test('shares of a limit that come out uneven are shares', async () => {
  await using bot = await kiki({ hour: { tokens: 2_501, money: 1 }, prices: { meter: { input: 1, output: 1 } } })
  await chat(bot, 4, 'chatter')
  expect(await calls(bot, 'judge')).toBe(2)
})

test('where only money is limited, a model without a price still judges', async () => {
  await using bot = await kiki({ day: { money: 1 }, prices: { meter: { input: 1, output: 1 } } })
  await chat(bot, 2, 'chatter')
  expect(await calls(bot, 'judge')).toBe(2)
})

test('an answer that fails for another reason gets the apology, although nothing is left for judging', async () => {
  const broken: ChatModel = {
    name: 'broken',
    generate: request => (request.role === 'chat' ? Promise.reject(new Error('no')) : model.generate(request)),
  }
  const unsure = definePlugin({
    name: 'unsure',
    setup: ctx => ({
      score: async () => {
        await ctx.models.text('judge', { system: 'Speak?', messages: [], maxTokens: 500 })
      },
      respond: async () => ({
        kind: 'text',
        text: await ctx.models.text('chat', { system: 'Speak.', messages: [], maxTokens: 50 }),
      }),
    }),
  })
  await using bot = await testBot({ plugins: [unsure], models: { chat: broken }, budget: { hour: { tokens: 600 } } })
  await chat(bot, 1, '@kiki help')
  expect(bot.sent).toEqual(['Sorry, I could not come up with an answer just now.'])
  expect((await bot.trace()).models[0]?.error).toBe('MODEL_BUDGET_SPENT')
})

test('without an apology there is no notice either', async () => {
  await using bot = await testBot({
    plugins: [talkative],
    models: { chat: model },
    budget: { hour: { tokens: 1_000 } },
    apology: false,
  })
  await chat(bot, 2, '@kiki help')
  expect(bot.sent).toEqual(['An answer.'])
  expect(await bot.trace()).toMatchObject({ outcome: 'failed', why: 'the budget is spent' })
})

test('the notice is posted once when the first call costs more than the limit', async () => {
  await using bot = await kiki({ hour: { tokens: 10 } })
  await chat(bot, 2, '@kiki help')
  expect(bot.sent).toEqual([NOTICE])
})

test('a day is longer than an hour', async () => {
  await using bot = await kiki({ hour: { tokens: 2_000 }, day: { tokens: 3_000 } })
  await chat(bot, 3, '@kiki help')
  expect(bot.sent).toEqual(['An answer.', 'An answer.', NOTICE])
  await bot.pass('1h')
  await chat(bot, 3, '@kiki help')
  expect(bot.sent.slice(3)).toEqual([
    'An answer.',
    'I have used up what I may spend in a day. I will be able to answer again tomorrow.',
  ])
  await bot.pass('1d')
  await chat(bot, 1, '@kiki help')
  expect(bot.sent.at(-1)).toBe('An answer.')
})

test('a channel has its own, with its threads', async () => {
  await using bot = await kiki({ channel: { hour: { tokens: 2_000 }, share: 1 } })
  await chat(bot, 1, '@kiki help')
  await bot.say('alice', '@kiki help', { thread: 't1' })
  await chat(bot, 2, '@kiki help')
  expect(bot.sent).toEqual(['An answer.', 'An answer.', NOTICE])
  await chat(bot, 1, '@kiki help', 'random')
  expect(bot.sent.at(-1)).toBe('An answer.')
})

describe('money', () => {
  test('is counted by the prices of the models, and is in the trace', async () => {
    await using bot = await kiki({ hour: { money: 0.002 }, prices: { meter: { input: 1, output: 1 } } })
    await chat(bot, 3, '@kiki help')
    expect(bot.sent).toEqual(['An answer.', 'An answer.', NOTICE])
    const [first] = await bot.traces()
    expect(first?.models[0]?.cost).toBeCloseTo(0.001)
  })

  test('cannot be limited without them', async () => {
    await expect(kiki({ day: { money: 1 } })).rejects.toThrow(
      'bot.config.ts limits the money, and budget.prices has no price for "meter".',
    )
  })

  test('is limited by the name that LangChain has for a model', async () => {
    const gemini = new ChatGoogleGenerativeAI({ model: 'gemini-2.5-flash', apiKey: 'none' })
    const vectors = new GoogleGenerativeAIEmbeddings({ model: 'gemini-embedding-001', apiKey: 'none' })
    const models = { chat: gemini, embeddings: vectors }
    const price = { input: 1, output: 1 }
    const budget = (...names: string[]) => ({ day: { money: 1 }, prices: Object.fromEntries(names.map(name => [name, price])) })
    await expect(testBot({ models, budget: budget() })).rejects.toThrow(
      'budget.prices has no price for "gemini-2.5-flash", "gemini-embedding-001".',
    )
    await using bot = await testBot({ plugins: [talkative], models, budget: budget('gemini-2.5-flash', 'gemini-embedding-001') })
    expect(bot.sent).toEqual([])
  })

  test('does not concern the offline model', async () => {
    await using bot = await testBot({ plugins: [talkative], budget: { day: { money: 0.01 } } })
    await chat(bot, 1, '@kiki help')
    expect(bot.sent).toHaveLength(1)
  })
})

test('calls that come together are booked before they are made', async () => {
  let running = 0
  const held: PromiseWithResolvers<void>[] = []
  const slow: ChatModel = {
    name: 'slow',
    async generate() {
      running++
      const hold = Promise.withResolvers<void>()
      held.push(hold)
      await hold.promise
      return { text: 'An answer.', toolCalls: [], inputTokens: 10, outputTokens: 10 }
    },
  }
  const many = definePlugin({
    name: 'many',
    setup: ctx => ({
      async respond() {
        let refused = 0
        const ask = async () => {
          try {
            await ctx.models.text('chat', { system: '', messages: [{ role: 'user', text: 'Hello' }], maxTokens: 1_000 })
          } catch {
            // No answer before both calls above the limit have been refused.
            if (++refused === 2) for (const { resolve } of held.splice(0)) resolve()
          }
        }
        await Promise.all([ask(), ask(), ask(), ask()])
        return { kind: 'text', text: `${refused} refused` }
      },
    }),
  })
  await using bot = await testBot({ plugins: [many], models: { chat: slow }, budget: { hour: { tokens: 2_500 } } })
  await bot.say('alice', '@kiki go')
  // The unused part of a booking is returned.
  await bot.say('alice', '@kiki go')
  expect(bot.sent).toEqual(['2 refused', '2 refused'])
  expect(running).toBe(4)
})

test('a failed call costs nothing', async () => {
  const broken: ChatModel = { name: 'broken', generate: () => Promise.reject(new Error('no')) }
  await using bot = await testBot({ plugins: [talkative], models: { chat: broken }, budget: { hour: { tokens: 100 } } })
  await chat(bot, 3, '@kiki help')
  expect(bot.sent).toEqual(Array(3).fill('Sorry, I could not come up with an answer just now.'))
})

test('lists limit and spending of the bot and of the channels that cost most', async () => {
  let ctx: PluginContext | undefined
  const looks = definePlugin({
    name: 'looks',
    setup(lent) {
      ctx = lent
    },
  })
  await using bot = await testBot({
    plugins: [talkative, looks],
    models: { chat: model },
    budget: {
      hour: { tokens: 10_000 },
      day: { tokens: 50_000, money: 2 },
      channel: { hour: { tokens: 4_000 }, share: 1 },
      prices: { meter: { input: 100, output: 1_000 } },
    },
  })
  await chat(bot, 2, '@kiki help')
  await chat(bot, 1, '@kiki help', 'random')
  const spent = (tokens: number) => ({ tokens, money: expect.closeTo((tokens / 1_000) * 0.19) })
  const nextHour = new Date('2026-01-05T11:00:00Z')
  const hour = { period: 'hour', until: nextHour, limits: { tokens: 4_000 } }
  expect(await ctx?.use(Operator, 'optional')?.spending()).toEqual([
    { period: 'hour', until: nextHour, limits: { tokens: 10_000 }, spent: spent(3_000) },
    { ...hour, channel: 'test/team/general', spent: spent(2_000) },
    { ...hour, channel: 'test/team/random', spent: spent(1_000) },
    { period: 'day', until: new Date('2026-01-06T00:00:00Z'), limits: { tokens: 50_000, money: 2 }, spent: spent(3_000) },
  ])
  await bot.pass('1h')
  expect((await ctx?.use(Operator, 'optional')?.spending())?.map(({ spent: { tokens } }) => tokens)).toEqual([0, 3_000])
  await bot.reload({ budget: {} })
  expect(await ctx?.use(Operator, 'optional')?.spending()).toEqual([])
})

test.each([
  ['in money', { money: 2 }, ['test/team/dear', 'test/team/cheap']],
  ['in tokens', { tokens: 50_000 }, ['test/team/cheap', 'test/team/dear']],
])('channels that used most of their limit come first %s', async (_limit, day, first) => {
  let ctx: PluginContext | undefined
  const answer = (name: string, inputTokens: number): ChatModel => ({
    name,
    generate: async () => ({ text: 'An answer.', toolCalls: [], inputTokens, outputTokens: 0 }),
  })
  const asks = definePlugin({
    name: 'asks',
    setup(lent) {
      ctx = lent
      const ask = (role: 'judge' | 'chat', text: string) =>
        lent.models.text(role, { system: 'Speak.', messages: [{ role: 'user', text }], maxTokens: 50 })
      return {
        respond: async ({ message: { text } }) => ({
          kind: 'text',
          text: await ask(text.includes('dear') ? 'chat' : 'judge', text),
        }),
      }
    },
  })
  await using bot = await testBot({
    plugins: [asks],
    models: { chat: answer('dear', 100), judge: answer('cheap', 5_000) },
    budget: { channel: { day }, prices: { dear: { input: 1_000, output: 1_000 }, cheap: { input: 1, output: 1 } } },
  })
  await chat(bot, 1, '@kiki cheap', 'cheap')
  await chat(bot, 1, '@kiki dear', 'dear')
  expect((await ctx?.use(Operator, 'optional')?.spending())?.map(({ channel }) => channel)).toEqual(first)
})
