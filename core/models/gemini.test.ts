/** What people and operators see when Gemini answers and when it fails: a whole bot, Google's client, real sockets. */
import reply from '@kikimimi/reply'
import { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } from '@langchain/google-genai'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { PluginEntry } from '../api/config.ts'
import { definePlugin } from '../api/index.ts'
import { type Gemini, type GeminiError, type GeminiFault, type GeminiScript, startGemini } from '../testing/gemini/index.ts'
import { type TestBot, testBot } from '../testing/test-bot.ts'

const APOLOGY = 'Sorry!'

const unhandled: unknown[] = []
const watch = (error: unknown) => void unhandled.push(error)
process.on('unhandledRejection', watch)
afterAll(() => void process.off('unhandledRejection', watch))
afterEach(() => expect(unhandled.splice(0)).toEqual([]))

/** The platform shows answers while they are written. */
let streams = false

describe.each([false, true])('shown while it is written: %s:', isShown => {
  beforeEach(() => {
    streams = isShown
  })

  describe('what Gemini says', () => {
    test('is posted, without the thoughts before it', async () => {
      await using gemini = await startGemini({
        answer: {
          parts: [{ text: 'Alice wants to know…', thought: true }, { text: 'At 10:04.' }],
          usage: { thoughts: 7, output: 4 },
        },
      })
      await using bot = await listening(gemini)
      await say(bot, gemini, '@kiki when is the next train?')
      expect(bot.sent).toEqual(['At 10:04.'])
      expect(await bot.trace()).toMatchObject({ outcome: 'replied', models: [{ outputTokens: 4 + 7 }] })
    })

    test('comes after the tools that it calls, several at once', async () => {
      const trains = (from: string) => ({ functionCall: { name: 'trains', args: { from } } })
      await using gemini = await startGemini({ answer: [{ parts: [trains('Ueno'), trains('Akabane')] }, 'At 10:04 and 10:11.'] })
      const toolbox = definePlugin({
        name: 'toolbox',
        setup: () => ({
          tools: [
            {
              name: 'trains',
              description: 'The next train from a station.',
              schema: z.object({ from: z.string() }),
              invoke: async input => (JSON.stringify(input).includes('Ueno') ? '10:04' : '10:11'),
            },
          ],
        }),
      })
      await using bot = await listening(gemini, [toolbox, reply()])
      await say(bot, gemini, '@kiki when are the next trains?')
      expect(bot.sent).toEqual(['At 10:04 and 10:11.'])
      expect(gemini.calls[1]?.body.contents?.at(-1)?.parts).toMatchObject([
        { functionResponse: { name: 'trains', response: { result: '10:04' } } },
        { functionResponse: { name: 'trains', response: { result: '10:11' } } },
      ])
    })

    test('can be slow, and typing is shown meanwhile', async () => {
      await using gemini = await startGemini({ answer: 'Good morning.' })
      gemini.faults.push('slow')
      await using bot = await listening(gemini)
      await say(bot, gemini, '@kiki hello')
      await gemini.called(1)
      await pass(bot, gemini, 40)
      expect([bot.sent, bot.platform.typingNow]).toEqual([[], 1])
      gemini.release()
      await gemini.settled(bot)
      expect([bot.sent, bot.platform.typingNow]).toEqual([['Good morning.'], 0])
    })
  })

  describe('a passing fault is invisible:', () => {
    test.each<[string, GeminiFault, number]>([
      ['a 429 without a hint', 429, 2],
      ['a 429 with a hint', { status: 429, retryDelay: '7s' }, 8],
      ['a 500', 500, 2],
      ['a 503', 503, 2],
      ['an HTML 502', 'html', 2],
      ['a cut connection', 'cut', 2],
      ['half an answer', 'broken', 2],
    ])('%s', async (_name, fault, seconds) => {
      await using gemini = await startGemini({ answer: 'Good morning.' })
      gemini.faults.push(fault)
      await using bot = await listening(gemini)
      await say(bot, gemini, '@kiki hello')
      expect(bot.sent).toEqual([])
      await pass(bot, gemini, seconds)
      expect(bot.sent).toEqual(['Good morning.'])
      expect(bot.log).toEqual([])
      expect(await bot.trace()).toMatchObject({ outcome: 'replied', models: [{ attempts: 2 }], problems: [] })
    })
  })

  describe('a lasting fault gives an apology in the channel, and the remedy in the log:', () => {
    test.each<[string, GeminiScript, number, RegExp]>([
      ['a bad key', fault(400, { reason: 'API_KEY_INVALID' }), 1, /did not accept the API key .*Check the key in \.env/],
      ['a key that is not allowed', fault(401), 1, /did not accept the API key .*Check the key in \.env/],
      ['a 429 without a hint', fault(429), 3, /quota .*Raise the quota/],
      ['a 429 with a hint', fault(429, { retryDelay: '7s' }), 3, /quota .*Raise the quota/],
      ['a 429 for the rest of the day', fault(429, { retryDelay: '40000s' }), 1, /quota .*Raise the quota/],
      ['a 500', fault(500), 3, /not available at the moment \(500\)/],
      ['a 503', fault(503), 3, /not available at the moment \(503\)/],
      ['an HTML 502', { fault: 'html' }, 3, /not available at the moment \(502\)/],
      ['HTML instead of an answer', { fault: 'html 200' }, 1, /not the JSON|could not be reached/],
      ['a cut connection', { fault: 'cut' }, 3, /could not be reached .*check the network/],
      ['half an answer', { fault: 'broken' }, 3, /could not be reached .*check the network/],
      ['no answer at all', { fault: 'hang' }, 1, /no answer within 60 s/],
      ['a model that does not exist', fault(404), 1, /Check the name of the model in bot\.config\.ts/],
      ['a blocked prompt', { blocked: 'PROHIBITED_CONTENT' }, 1, /PROHIBITED_CONTENT.*loosen its safety settings/],
      ['an answer kept back', { finishReason: 'SAFETY' }, 1, /SAFETY.*loosen its safety settings/],
      ['an empty candidate', {}, 1, /answered with nothing/],
      ['no candidate', { body: {} }, 1, /answered with nothing/],
      // Called once with the limit of the reply plugin, and once without.
      ['a limit that the thoughts used up', { finishReason: 'MAX_TOKENS' }, 2, /answered with nothing \(MAX_TOKENS\)/],
    ])('%s', async (_name, answer, asked, told) => {
      await using gemini = await startGemini({ answer })
      await using bot = await listening(gemini)
      await say(bot, gemini, '@kiki SECRET-TEXT')
      await gemini.called(1)
      await pass(bot, gemini, 61)
      expect(bot.sent).toEqual([APOLOGY])
      expect(bot.platform.typingNow).toBe(0)
      // An empty stream does not say why, so the model is asked again without one.
      if (!streams) expect(gemini.calls).toHaveLength(asked)
      expect(gemini.calls.length).toBeLessThanOrEqual(2 * asked + 1)
      expect(bot.log).toEqual([expect.stringMatching(/warn \[reply\] respond failed: \[models\] gemini-test /)])
      expect(bot.log).toEqual([expect.stringMatching(told)])
      const trace = await bot.trace()
      expect(trace).toMatchObject({
        outcome: 'failed',
        problems: [{ plugin: 'reply', stage: 'respond', message: expect.stringMatching(told) }],
      })
      for (const text of [...bot.log, JSON.stringify(trace)]) {
        expect(text).not.toMatch(/SECRET|127\.0\.0\.1/)
        expect(text).not.toContain(gemini.apiKey)
      }
      await bot.pass('5m')
      expect(bot.sent).toEqual([APOLOGY])
    })

    test('no server at the address of Gemini', async () => {
      const gemini = await startGemini()
      await using bot = await listening(gemini)
      await gemini[Symbol.asyncDispose]()
      const told = /could not be reached .*check the network and the model's address/
      await bot.say('alice', '@kiki hello')
      // The pauses between the attempts pass on the test's clock; the refusals come in real time.
      while (bot.sent.length === 0) await bot.pass('1s')
      expect(bot.sent).toEqual([APOLOGY])
      expect(bot.log).toEqual([expect.stringMatching(told)])
      expect(await bot.trace()).toMatchObject({
        outcome: 'failed',
        models: [{ attempts: 3, error: 'MODEL_UNAVAILABLE' }],
        problems: [{ message: expect.stringMatching(told) }],
      })
    })

    test('a broken stream, which leaves no rejection that would end the process', async () => {
      await using gemini = await startGemini({ answer: { fault: 'broken' } })
      await using bot = await listening(gemini, [reply()], { streaming: true })
      await say(bot, gemini, '@kiki hello')
      await pass(bot, gemini, 10)
      expect(bot.sent).toEqual([APOLOGY])
      expect(bot.log).toEqual([expect.stringMatching(/could not be reached .*check the network/)])
      expect(gemini.calls.map(({ route }) => route)).toEqual(Array(3).fill(streams ? 'streamGenerateContent' : 'generateContent'))
    })

    test('except for an unasked answer: then nothing is posted', async () => {
      await using gemini = await startGemini({ answer: { fault: 500 } })
      const eager = definePlugin({ name: 'eager', setup: () => ({ decide: () => ({ kind: 'full', why: 'test' }) }) })
      await using bot = await listening(gemini, [eager, reply()])
      await say(bot, gemini, 'good morning')
      await pass(bot, gemini, 30)
      expect(bot.posted).toEqual([])
      expect(gemini.calls).toHaveLength(3)
      expect(await bot.trace()).toMatchObject({ outcome: 'failed' })
    })
  })

  test('refused prompts do not stop it from answering the next', async () => {
    await using gemini = await startGemini({
      answer: ({ text }) => (toAnswer(text).includes('forbidden') ? { blocked: 'PROHIBITED_CONTENT' } : 'Good morning.'),
    })
    await using bot = await listening(gemini)
    for (let time = 0; time < 5; time++) await say(bot, gemini, '@kiki something forbidden')
    await say(bot, gemini, '@kiki good morning')
    expect(bot.sent).toEqual([...Array(5).fill(APOLOGY), 'Good morning.'])
  })

  test('an unavailable Gemini is paused after a while, and used again later', async () => {
    let down = true
    await using gemini = await startGemini({ answer: () => (down ? { fault: 503 } : 'Good morning.') })
    await using bot = await listening(gemini)
    for (const text of ['one', 'two', 'three', 'four']) {
      await say(bot, gemini, `@kiki ${text}`)
      await pass(bot, gemini, 5)
    }
    expect(bot.sent).toEqual([APOLOGY, APOLOGY, APOLOGY, APOLOGY])
    expect(gemini.calls).toHaveLength(3 * 3)
    expect(bot.log).toContainEqual(expect.stringContaining('warn model failed repeatedly, paused model="gemini-test"'))
    expect(bot.log.at(-1)).toContain('gemini-test failed repeatedly and is paused until 2026-01-05T10:01:')
    down = false
    await pass(bot, gemini, 60)
    await say(bot, gemini, '@kiki five')
    expect(bot.sent.slice(4)).toEqual(['Good morning.'])
  })

  test('while Gemini fails one call in five, 50 mentions are each answered once', async () => {
    const kinds: readonly Exclude<GeminiFault, 'slow'>[] = [
      500,
      429,
      'cut',
      503,
      { status: 429, retryDelay: '3s' },
      'broken',
      'html',
    ]
    await using gemini = await startGemini({
      answer: ({ number, text }) =>
        number % 5 === 0
          ? { fault: kinds[(number / 5) % kinds.length] ?? 500 }
          : `Answer ${/question (\d+)/.exec(toAnswer(text))?.[1]}`,
    })
    await using bot = await listening(gemini)
    const expected: [string, string][] = []
    for (let round = 0; round < 10; round++) {
      for (const channel of ['general', 'dev', 'random', 'food', 'music']) {
        expected.push([channel, `Answer ${expected.length}`])
        await bot.say('alice', `@kiki question ${expected.length - 1}`, { channel })
      }
      await gemini.settled(bot)
      await pass(bot, gemini, 6)
    }
    await pass(bot, gemini, 60)
    const answers = bot.posted.map(one => (one.kind === 'text' ? [one.channel, one.text] : []))
    expect(answers.toSorted(byNumber)).toEqual(expected)
    expect((await bot.traces()).map(({ outcome }) => outcome)).toEqual(expected.map(() => 'replied'))
    expect(gemini.calls).toHaveLength(62)
    expect(bot.log).toEqual([])
  })
})

describe('vectors', () => {
  test('that fail cost a section of the prompt, not the answer', async () => {
    await using gemini = await startGemini({ answer: 'Good morning.' })
    gemini.faults.push(500, 'html', 'cut')
    const facts = definePlugin({
      name: 'facts',
      setup: ctx => ({
        async context({ message, signal }) {
          const [vector] = await ctx.models.embed([message.text], signal)
          return { place: 'facts', title: 'Related', text: `length ${vector?.length}` }
        },
      }),
    })
    await using bot = await listening(gemini, [facts, reply()])
    await say(bot, gemini, '@kiki good morning')
    await pass(bot, gemini, 8)
    expect(bot.sent).toEqual(['Good morning.'])
    expect(bot.log).toEqual([expect.stringMatching(/\[facts\] context failed: \[models\] .* gave no usable vectors/)])
    await say(bot, gemini, '@kiki good morning')
    expect(gemini.calls.at(-1)?.text).toContain('length 768')
  })
})

/** The part of a prompt with the message to answer, which is marked. */
function toAnswer(prompt: string): string {
  return prompt.slice(prompt.lastIndexOf('▶ **'))
}

/** Google repeats the request in its messages. */
function fault(status: number, more: Omit<GeminiError, 'status'> = {}): GeminiScript {
  return { fault: { status, message: 'SECRET-TEXT', ...more } }
}

function byNumber([, a = '']: readonly string[], [, b = '']: readonly string[]): number {
  return Number(a.replace(/\D/g, '')) - Number(b.replace(/\D/g, ''))
}

function listening(
  gemini: Gemini,
  plugins: readonly PluginEntry[] = [reply()],
  more: { readonly streaming?: boolean } = {},
): Promise<TestBot> {
  const { apiKey, baseUrl } = gemini
  const chat = new ChatGoogleGenerativeAI({ apiKey, baseUrl, model: 'gemini-test', ...more })
  const embeddings = new GoogleGenerativeAIEmbeddings({ apiKey, baseUrl, model: 'gemini-embedding-test' })
  return testBot({ plugins, models: { chat, embeddings }, apology: APOLOGY, platform: { streams } })
}

async function say(bot: TestBot, gemini: Gemini, text: string): Promise<void> {
  await bot.say('alice', text)
  await gemini.settled(bot)
}

/** Advances time while Gemini answers. */
async function pass(bot: TestBot, gemini: Gemini, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= STEP) {
    await bot.pass(`${Math.min(STEP, left)}s`)
    await gemini.settled(bot)
  }
}

/** Seconds; a pause before another attempt is at least half as long. */
const STEP = 4
