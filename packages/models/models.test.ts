/** The models of each provider, through the whole bot, with the real clients and a server that speaks their formats. */
import { LLMock } from '@copilotkit/aimock'
import judgeLlm from '@kikimimi/judge-llm'
import reply from '@kikimimi/reply'
import { definePlugin } from 'kikimimi'
import { type TestBot, testBot } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { modelsFromEnvironment } from './index.ts'

let server: LLMock
beforeEach(async () => {
  server = new LLMock({ port: 0, logLevel: 'silent' })
  await server.start()
})
afterEach(() => server.stop())

const PROVIDERS = [
  {
    name: 'Anthropic',
    env: () => ({ ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.url }),
    chat: 'claude-sonnet-4-5',
    judge: 'claude-haiku-4-5',
  },
  {
    name: 'OpenAI',
    env: () => ({ OPENAI_API_KEY: 'key', OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_MODEL: 'gpt-5-mini' }),
    chat: 'gpt-5-mini',
    judge: 'gpt-5-mini',
  },
  {
    name: 'Ollama',
    env: () => ({ OLLAMA_MODEL: 'qwen3:4b', OLLAMA_BASE_URL: server.url, JUDGE_MODEL: 'qwen3:1b' }),
    chat: 'qwen3:4b',
    judge: 'qwen3:1b',
  },
]

const clock = definePlugin({
  name: 'clock',
  setup: () => ({
    tools: [
      {
        name: 'time',
        description: 'the time',
        schema: z.object({ zone: z.string() }),
        invoke: async ({ zone }: { zone: string }) => `ten in ${zone}`,
      },
    ],
  }),
})
const open = definePlugin({
  name: 'open',
  setup: () => ({ score: ({ addressed }) => ({ points: addressed ? 0 : 50, why: 'open' }) }),
})

describe.each(PROVIDERS)('$name', ({ name, env, chat, judge }) => {
  const kiki = async (platform: { readonly streams?: boolean } = {}) =>
    testBot({
      platform,
      models: await modelsFromEnvironment(env()),
      plugins: [clock, open, judgeLlm(), reply()],
      pacing: { minWait: '4s', jitter: 0 },
    })
  const modelsAsked = () => server.getRequests().map(({ body }) => (body as { model?: string } | null)?.model)

  test('answers', async () => {
    server.on({}, { content: 'Hello, alice.' })
    await using bot = await kiki()
    await bot.say('alice', '@kiki hello')
    await expect.poll(() => bot.posted).toMatchObject([{ text: 'Hello, alice.' }])
    expect(modelsAsked()).toEqual([chat])
    const { models } = await bot.trace()
    expect(models).toMatchObject([{ role: 'chat', model: chat, inputTokens: expect.any(Number) }])
  })

  test('is shown while it writes', async () => {
    const text = 'The deploy failed because the disk was full, and the build machine has no other one.'
    server.on({}, { content: text }, { latency: 60, chunkSize: 8 })
    await using bot = await kiki({ streams: true })
    await bot.say('alice', '@kiki why did it fail?')
    await settle(bot, () => bot.sent.length > 0)
    expect(bot.sent[0]).toMatch(/^The/)
    expect(text.startsWith(bot.sent[0] ?? '')).toBe(true)
    expect(bot.sent[0]?.length).toBeLessThan(text.length)
    await settle(bot)
    await expect.poll(async () => (await bot.traces()).length).toBe(1)
    expect(bot.sent).toEqual([text])
    const { models, shown } = await bot.trace()
    expect(models).toMatchObject([{ role: 'chat', model: chat, outputTokens: expect.any(Number) }])
    expect(models[0]?.outputTokens).toBeGreaterThan(0)
    expect(shown).toBeDefined()
  })

  test('calls a tool while it is shown', async () => {
    server.on({ hasToolResult: false }, { toolCalls: [{ name: 'time', arguments: '{"zone":"Tokyo"}' }] })
    server.on({ hasToolResult: true, toolResultContains: 'ten in Tokyo' }, { content: 'It is ten.' })
    await using bot = await kiki({ streams: true })
    await bot.say('alice', '@kiki what time is it in Tokyo?')
    await expect.poll(() => bot.posted).toMatchObject([{ text: 'It is ten.' }])
    await expect.poll(async () => (await bot.trace()).tools).toEqual(['time'])
  })

  describe.each([true, false])('an answer that its limit of tokens cut off, in a stream: %s', streams => {
    // The server writes a cut answer of Ollama as a whole one.
    const ends = { finishReason: 'length' }

    test.skipIf(name === 'Ollama')('is continued', async () => {
      server.on({ sequenceIndex: 0 }, { content: 'The train leaves at ni', ...ends })
      server.on({}, { content: 'nine, from track 3.' })
      await using bot = await kiki({ streams })
      await bot.say('alice', '@kiki when does the train leave?')
      await settle(bot)
      await expect.poll(() => bot.sent).toEqual(['The train leaves at nine, from track 3.'])
    })

    test.skipIf(name === 'Ollama')('runs no tool whose call it cut', async () => {
      server.on({ sequenceIndex: 0 }, { toolCalls: [{ name: 'time', arguments: '{"zone":"Tok' }], ...ends })
      server.on({}, { content: 'It is ten.' })
      await using bot = await kiki({ streams })
      await bot.say('alice', '@kiki what time is it in Tokyo?')
      await settle(bot)
      await expect.poll(() => bot.sent).toEqual(['It is ten.'])
      expect((await bot.trace()).tools ?? []).toEqual([])
    })
  })

  test('begins anew when its stream breaks', async () => {
    const text = 'The deploy failed because the disk was full, and the build machine has no other one.'
    let asked = 0
    const script = () => (asked++ === 0 ? { content: text } : { content: 'It was the disk.' })
    server.on({ predicate: () => asked === 0 }, script, { chunkSize: 4, truncateAfterChunks: 6 })
    server.on({}, script)
    await using bot = await kiki({ streams: true })
    await bot.say('alice', '@kiki why did it fail?')
    await settle(bot)
    await expect.poll(() => bot.sent).toEqual(['It was the disk.'])
    await expect.poll(async () => (await bot.trace()).models).toMatchObject([{ attempts: 2 }])
  })

  test('calls a tool, and reads its result', async () => {
    server.on({ hasToolResult: false }, { toolCalls: [{ name: 'time', arguments: '{"zone":"Tokyo"}' }] })
    server.on({ hasToolResult: true, toolResultContains: 'ten in Tokyo' }, { content: 'It is ten.' })
    await using bot = await kiki()
    await bot.say('alice', '@kiki what time is it in Tokyo?')
    await expect.poll(() => bot.posted).toMatchObject([{ text: 'It is ten.' }])
    await expect.poll(async () => (await bot.trace()).tools).toEqual(['time'])
  })

  test('judges, by an answer of a given shape', async () => {
    const verdict = { reason: 'a question', respond: true, confidence: 0.9, delaySeconds: null }
    // A schema arrives as a tool, as a response format, or not at all: the answer takes the form that was asked for.
    server.on({ model: judge, predicate: isJudgement }, request => {
      const tool = request.tools?.[0]?.function.name
      return tool ? { toolCalls: [{ name: tool, arguments: JSON.stringify(verdict) }] } : { content: JSON.stringify(verdict) }
    })
    server.on({}, { content: 'At noon.' })
    await using bot = await kiki()
    await bot.say('alice', 'when is lunch?')
    await bot.pass('20s')
    await expect.poll(() => bot.posted).toMatchObject([{ text: 'At noon.' }])
    expect((await bot.trace()).decision).toMatchObject({ plugin: 'judge-llm', why: expect.stringContaining('a question') })
    expect(modelsAsked()).toEqual([judge, chat])
  })

  test('asks again after an overload, and says why when the key is wrong', async () => {
    server.on({}, { content: 'Hello again.' })
    server.nextRequestError(503, { message: 'overloaded' })
    await using bot = await kiki()
    await bot.say('alice', '@kiki hello')
    await bot.pass('1m')
    await expect.poll(() => bot.posted).toMatchObject([{ text: 'Hello again.' }])
    server.nextRequestError(401, { message: 'invalid api key' })
    await bot.say('alice', '@kiki hello?')
    await expect
      .poll(async () => (await bot.trace()).problems)
      .toMatchObject([{ message: expect.stringContaining('did not accept the API key') }])
  })
})

/** Lets the bot's clock run while the server writes. */
async function settle(bot: TestBot, isDone = () => false): Promise<void> {
  for (let step = 0; step < 60 && !isDone(); step++) {
    await new Promise(resolve => setTimeout(resolve, 30))
    await bot.pass('300ms')
  }
}

function isJudgement({ messages }: { readonly messages: readonly { readonly content: unknown }[] }): boolean {
  return /confidence/.test(JSON.stringify(messages))
}

describe('the choice', () => {
  test('is the first provider that is set; empty variables count as absent', async () => {
    const named = async (env: Readonly<Record<string, string>>) => (await modelsFromEnvironment(env)).chat?.constructor.name
    const keys = { GOOGLE_API_KEY: 'a', ANTHROPIC_API_KEY: 'b', OPENAI_API_KEY: 'c', OLLAMA_MODEL: 'd' }
    expect(await named(keys)).toBe('ChatGoogleGenerativeAI')
    expect(await named({ ...keys, GOOGLE_API_KEY: ' ' })).toBe('ChatAnthropic')
    expect(await named({ ...keys, GOOGLE_API_KEY: '', ANTHROPIC_API_KEY: '' })).toBe('ChatOpenAICompletions')
    expect(await named({ OLLAMA_MODEL: 'd' })).toBe('ChatOllama')
    expect(await modelsFromEnvironment({})).toEqual({})
  })

  test('takes vectors of another provider when its own has none', async () => {
    const vectors = async (env: Readonly<Record<string, string>>) => (await modelsFromEnvironment(env)).embeddings
    expect(await vectors({ ANTHROPIC_API_KEY: 'b' })).toBeUndefined()
    expect(await vectors({ ANTHROPIC_API_KEY: 'b', OLLAMA_EMBEDDING_MODEL: 'e' })).toMatchObject({ model: 'e' })
    expect(await vectors({ ANTHROPIC_API_KEY: 'b', OPENAI_EMBEDDING_MODEL: 'f', OPENAI_API_KEY: 'c' })).toMatchObject({
      model: 'f',
    })
    expect(await vectors({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'm' })).toBeUndefined()
  })

  test('needs the name of a model of your own server', async () => {
    await expect(modelsFromEnvironment({ OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' })).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: expect.stringContaining('OPENAI_MODEL'),
    })
  })
})
