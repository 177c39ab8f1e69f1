import { setImmediate } from 'node:timers/promises'
import { LLMock } from '@copilotkit/aimock'
import { BaseCallbackHandler } from '@langchain/core/callbacks/base'
import { AIMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { FakeListChatModel, FakeStreamingChatModel } from '@langchain/core/utils/testing'
import { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } from '@langchain/google-genai'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ModelCall } from '../api/index.ts'
import { type Clock, VirtualClock } from '../base/clock.ts'
import { createLogger } from '../base/log.ts'
import {
  type GeminiError,
  type GeminiFault,
  type GeminiOptions,
  type GeminiScript,
  startGemini,
} from '../testing/gemini/index.ts'
import { createModels, type ModelsOptions } from './models.ts'

const verdict = z.object({ respond: z.boolean(), delaySeconds: z.number().nullable() })
const hi = { system: 'You are a bot. SECRET-PROMPT', messages: [{ role: 'user' as const, text: 'SECRET-TEXT' }] }

describe("LangChain's own fakes", () => {
  test('text is passed on', async () => {
    const { models } = bot({ chat: new FakeListChatModel({ responses: ['Good morning!'] }) })
    expect(await models.text('chat', hi)).toBe('Good morning!')
  })

  test('an object is read, also from a class that only parses bare JSON', async () => {
    const bare = '{"respond":true,"delaySeconds":null}'
    const { models } = bot({ chat: new FakeListChatModel({ responses: [bare] }) })
    expect(await models.object('judge', verdict, hi)).toEqual({ respond: true, delaySeconds: null })
    const fenced = bot({ chat: new FakeListChatModel({ responses: [`Let me think.\n\`\`\`json\n${bare}\n\`\`\``] }) })
    expect(await fenced.models.object('judge', verdict, hi)).toEqual({ respond: true, delaySeconds: null })
  })

  test('tools are bound, run and answered', async () => {
    const calls = [{ id: 'c1', name: 'add', args: { a: 2, b: 3 }, type: 'tool_call' as const }]
    const model = new FakeStreamingChatModel({ responses: [new AIMessage('The sum is 5.')] })
    const seen: unknown[] = []
    const invoke = async (input: unknown) => {
      seen.push(input)
      return new AIMessage({ content: '', tool_calls: calls })
    }
    const scripted = Object.assign(model, { bindTools: () => ({ invoke }) })
    const { models } = bot({ chat: scripted })
    expect(await models.text('chat', { ...hi, tools: [add] })).toBe('The sum is 5.')
    expect(seen).toHaveLength(4)
    expect(seen[1]).toMatchObject([
      ['system', hi.system],
      ['user', 'SECRET-TEXT'],
      { tool_calls: calls },
      { role: 'tool', tool_call_id: 'c1', content: '5', status: 'success' },
    ])
  })

  test('an error of the class becomes a KikimimiError', async () => {
    const { models } = bot({ chat: new FakeStreamingChatModel({ thrownErrorString: 'SECRET-TEXT broke me' }) })
    const error = await models.text('chat', hi).catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', message: expect.not.stringContaining('SECRET') })
  })

  test('any object with `invoke` is a model', async () => {
    const parts = [{ type: 'thinking', thinking: 'hmm' }, { type: 'text', text: 'Good ' }, 'morning', { type: 'image_url' }]
    const { models } = bot({ chat: { invoke: async () => ({ content: parts }) } })
    expect(await models.text('chat', hi)).toBe('Good morning')
    const { models: plain } = bot({ chat: { invoke: async () => ({ content: 'Sure: {"respond":false,"delaySeconds":30}' }) } })
    expect(await plain.object('judge', verdict, hi)).toEqual({ respond: false, delaySeconds: 30 })
  })
})

describe('images', () => {
  const shown = { system: '', messages: [{ role: 'user' as const, text: 'What is it?', images: ['data:image/png;base64,iVBO'] }] }

  test('go with the text of the message', async () => {
    const gemini = await serve('A cat.')
    const { models } = bot({ chat: gemini.chat() })
    expect(await models.text('chat', shown)).toBe('A cat.')
    expect(gemini.calls[0]?.body.contents).toMatchObject([
      { role: 'user', parts: [{ text: 'What is it?' }, { inlineData: { mimeType: 'image/png', data: 'iVBO' } }] },
    ])
  })

  test('are left out for a class that takes none', async () => {
    const invoke = async (input: unknown) => {
      if (JSON.stringify(input).includes('image_url')) throw new Error('This model does not support images')
      return { content: 'I cannot see it.' }
    }
    const { models, calls } = bot({ chat: { invoke } })
    expect(await models.text('chat', shown)).toBe('I cannot see it.')
    expect(calls).toMatchObject([{ attempts: 1 }])
  })
})

describe('audio', () => {
  const audio = ['data:audio/mp3;base64,SUQz']
  const shown = { system: '', messages: [{ role: 'user' as const, text: 'Listen.', audio, withoutMedia: '[a recording]' }] }

  test('goes with the text of the message', async () => {
    const gemini = await serve('I hear.')
    const { models } = bot({ chat: gemini.chat() })
    expect(models.takesAudio('chat')).toBe(true)
    expect(await models.text('chat', shown)).toBe('I hear.')
    expect(gemini.calls[0]?.body.contents).toMatchObject([
      { role: 'user', parts: [{ text: 'Listen.' }, { inlineData: { mimeType: 'audio/mp3', data: 'SUQz' } }] },
    ])
  })

  test('is left out for a class that takes none, and the text says so', async () => {
    const asked: unknown[] = []
    const invoke = async (input: unknown) => {
      asked.push(input)
      if (JSON.stringify(input).includes('SUQz')) throw new Error('Audio blocks are not supported')
      return { content: 'I cannot hear it.' }
    }
    const { models } = bot({ chat: { invoke } })
    expect(models.takesAudio('chat')).toBe(false)
    expect(await models.text('chat', shown)).toBe('I cannot hear it.')
    expect(asked.at(-1)).toEqual([['user', 'Listen.\n\n[a recording]']])
  })

  test.each([
    [{ profile: { audioInputs: true } }, true],
    [{ profile: { audioInputs: false }, model: 'gemini-image' }, false],
    [{ profile: {}, model: 'gemini-9-flash' }, true],
    [{ profile: {}, model: 'gpt-4o-audio-preview' }, true],
    [{ model: 'llama' }, false],
  ])('a model such as %j: %s', (fields, takes) => {
    const { models } = bot({ chat: { ...fields, invoke: async () => ({ content: 'ok' }) } })
    expect(models.takesAudio('chat')).toBe(takes)
  })
})

describe('an answer that the limit of output tokens cut off', () => {
  test.each([
    ['Gemini', { finishReason: 'MAX_TOKENS' }],
    ['OpenAI', { finish_reason: 'length' }],
    ['Ollama', { done_reason: 'length' }],
    ['Anthropic', { stop_reason: 'max_tokens' }],
  ])('is continued, with the words of %s', async (_name, response_metadata) => {
    const answers = [{ content: 'The train leaves at ni', response_metadata }, { content: 'nine.' }]
    const { models } = bot({ chat: { invoke: async () => answers.shift() } })
    expect(await models.text('chat', hi)).toBe('The train leaves at nine.')
  })
})

describe("LangChain's client for Gemini", () => {
  test('text, tokens with thoughts, and the limit of one call', async () => {
    const gemini = await serve({
      parts: [{ text: 'thinking…', thought: true }, { text: 'こんにちは' }],
      usage: { prompt: 10, output: 3, thoughts: 5 },
    })
    const { models, calls } = bot({ chat: gemini.chat() })
    expect(await models.text('chat', { ...hi, maxTokens: 50 })).toBe('こんにちは')
    expect(calls).toMatchObject([{ model: 'gemini-test', inputTokens: 10, outputTokens: 3 + 5, attempts: 1 }])
    expect(gemini.calls[0]?.body).toMatchObject({
      systemInstruction: { parts: [{ text: hi.system }] },
      contents: [{ role: 'user', parts: [{ text: 'SECRET-TEXT' }] }],
      generationConfig: { maxOutputTokens: 50 },
    })
    await models.text('chat', hi)
    expect(gemini.calls[1]?.body).not.toHaveProperty('generationConfig.maxOutputTokens')
    await bot({ chat: gemini.chat({ maxOutputTokens: 20 }) }).models.text('chat', { ...hi, maxTokens: 50 })
    expect(gemini.calls[2]?.body).toMatchObject({ generationConfig: { maxOutputTokens: 20 } })
  })

  test('a model that spends its small limit on thoughts is called without one from then on', async () => {
    const gemini = await serve(({ body }) =>
      body.generationConfig?.maxOutputTokens === undefined ? 'Got it.' : { finishReason: 'MAX_TOKENS' },
    )
    const { models } = bot({ chat: gemini.chat() })
    expect(await models.text('chat', { ...hi, maxTokens: 50 })).toBe('Got it.')
    expect(await models.text('chat', { ...hi, maxTokens: 50 })).toBe('Got it.')
    expect(gemini.calls).toHaveLength(3)
  })

  test('an object by schema', async () => {
    const gemini = await serve({
      parts: [{ text: '{"respond":true,"delaySeconds":60}' }],
      usage: { prompt: 10, output: 3 },
    })
    const { models, calls } = bot({ chat: gemini.chat() })
    expect(await models.object('judge', verdict, hi)).toEqual({ respond: true, delaySeconds: 60 })
    expect(gemini.calls[0]?.body).toMatchObject({
      generationConfig: { responseMimeType: 'application/json', responseSchema: { type: 'object' } },
    })
    expect(calls).toMatchObject([{ inputTokens: 10, outputTokens: 3 }])
  })

  test('a model without schema support gets the schema as text', async () => {
    const gemini = await serve(({ body }) =>
      body.generationConfig?.responseSchema
        ? { fault: { status: 400, message: 'JSON mode is not enabled' } }
        : 'OK:\n```json\n{"respond":false,"delaySeconds":null}\n```',
    )
    const { models } = bot({ chat: gemini.chat() })
    expect(await models.object('judge', verdict, hi)).toEqual({ respond: false, delaySeconds: null })
    expect(JSON.stringify(gemini.calls[1]?.body.systemInstruction)).toContain('delaySeconds')
  })

  test('a tool is called and its result sent back, with the thought signature', async () => {
    const call = { functionCall: { name: 'add', args: { a: 2, b: 3 } }, thoughtSignature: 'c2ln' }
    const gemini = await serve([{ parts: [call] }, '5'])
    const { models } = bot({ chat: gemini.chat() })
    expect(await models.text('chat', { ...hi, tools: [add] })).toBe('5')
    expect(gemini.calls[1]?.body.contents).toMatchObject([
      { role: 'user' },
      { role: 'model', parts: [call] },
      { role: 'user', parts: [{ functionResponse: { name: 'add', response: { result: '5' } } }] },
    ])
  })

  test.each<[string, GeminiScript, string, number, RegExp]>([
    ['a 429 without a hint', fault(429), 'MODEL_UNAVAILABLE', 3, /429/],
    ['a 429 with a hint', fault(429, { retryDelay: '7s' }), 'MODEL_UNAVAILABLE', 3, /429/],
    ['a 429 that outlasts the deadline', fault(429, { retryDelay: '3600s' }), 'MODEL_UNAVAILABLE', 1, /429/],
    ['a 500', fault(500), 'MODEL_UNAVAILABLE', 3, /500/],
    ['a 503', fault(503), 'MODEL_UNAVAILABLE', 3, /503/],
    ['an HTML 502', { fault: 'html' }, 'MODEL_UNAVAILABLE', 3, /502/],
    ['HTML with status 200', { fault: 'html 200' }, 'MODEL_UNREADABLE', 1, /not the JSON/],
    ['a cut connection', { fault: 'cut' }, 'MODEL_UNAVAILABLE', 3, /could not be reached/],
    ['half an answer', { fault: 'broken' }, 'MODEL_UNAVAILABLE', 3, /could not be reached/],
    ['a bad key', fault(400, { reason: 'API_KEY_INVALID' }), 'MODEL_REFUSED', 1, /API_KEY_INVALID.*\.env/],
    ['no key', fault(401), 'MODEL_REFUSED', 1, /401.*\.env/],
    ['a bad request', fault(400), 'MODEL_REFUSED', 1, /400/],
    ['a model that does not exist', fault(404), 'MODEL_REFUSED', 1, /bot\.config\.ts/],
    ['a blocked prompt', { blocked: 'PROHIBITED_CONTENT' }, 'MODEL_REFUSED', 1, /PROHIBITED_CONTENT.*safety/],
    ['an answer kept back', { finishReason: 'SAFETY' }, 'MODEL_REFUSED', 1, /SAFETY/],
    ['no candidate', { body: {} }, 'MODEL_EMPTY', 1, /nothing/],
    ['an empty candidate', {}, 'MODEL_EMPTY', 1, /nothing/],
    ['a candidate without parts', { parts: [] }, 'MODEL_EMPTY', 1, /nothing/],
    ['a limit that the thoughts used up', { finishReason: 'MAX_TOKENS' }, 'MODEL_EMPTY', 1, /nothing \(MAX_TOKENS\)/],
  ])('%s has its own error', async (_name, answer, code, attempts, message) => {
    const gemini = await serve(answer)
    const { models, calls } = bot({ chat: gemini.chat() })
    const error = await models.text('chat', hi).catch((error: unknown) => error)
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(error).toMatchObject({ message: expect.not.stringMatching(/SECRET|127\.0\.0\.1/) })
    expect(error).toMatchObject({ message: expect.not.stringContaining(gemini.apiKey) })
    expect(calls).toMatchObject([{ error: code, attempts }])
    expect(gemini.calls).toHaveLength(attempts)
  })

  test.each<GeminiFault>([429, 500, 503, 'html', 'cut', 'broken'])('one passing %s is invisible', async fault => {
    const gemini = await serve('back')
    gemini.faults.push(fault)
    const { models, calls } = bot({ chat: gemini.chat() })
    expect(await models.text('chat', hi)).toBe('back')
    expect(calls).toMatchObject([{ attempts: 2 }])
    expect(calls[0]).not.toHaveProperty('error')
  })

  test('a server that never answers is given up although the client ignores signals, and its late failure has no effect', async () => {
    const gemini = await serve({ fault: 'hang' })
    const { models, clock } = bot({ chat: gemini.chat({ streaming: true }) })
    const asked = [models.text('judge', hi), models.object('judge', verdict, hi)].map(asking =>
      asking.catch((error: unknown) => error),
    )
    await gemini.called(2)
    clock.expire()
    expect(await Promise.all(asked)).toMatchObject([{ code: 'MODEL_TIMEOUT' }, { code: 'MODEL_TIMEOUT' }])
    await gemini[Symbol.asyncDispose]()
  })

  test('the connection is closed when the answer is no longer needed', async () => {
    const gemini = await serve({ fault: 'hang' })
    const { models, clock } = bot({ chat: gemini.chat() })
    const gone = new AbortController()
    const cancelled = models.text('chat', { ...hi, signal: gone.signal }).catch((error: unknown) => error)
    const late = models.text('judge', hi).catch((error: unknown) => error)
    await gemini.called(2)
    expect(gemini.holding).toBe(2)
    gone.abort(new Error('a newer message arrived'))
    expect(await cancelled).toMatchObject({ message: 'a newer message arrived' })
    clock.expire()
    expect(await late).toMatchObject({ code: 'MODEL_TIMEOUT' })
    while (gemini.holding > 0) await setImmediate()
  })

  test('a slow answer is waited for until the deadline', async () => {
    const gemini = await serve('late, but here')
    gemini.faults.push('slow')
    const { models } = bot({ chat: gemini.chat() })
    const asked = models.text('chat', hi)
    await gemini.called(1)
    gemini.release()
    expect(await asked).toBe('late, but here')
  })

  test('a broken stream has no effect: the bot never streams, even when the model is set to', async () => {
    const gemini = await serve({ fault: 'broken' })
    const listener = Object.assign(BaseCallbackHandler.fromMethods({}), { lc_prefer_streaming: true })
    const { models } = bot({ chat: gemini.chat({ streaming: true, callbacks: [listener] }) })
    await expect(models.text('chat', hi)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' })
    expect(gemini.calls.map(({ route }) => route)).toEqual(['generateContent', 'generateContent', 'generateContent'])
  })

  test('a refused connection', async () => {
    const gemini = await serve()
    await gemini[Symbol.asyncDispose]()
    const { models } = bot({ chat: gemini.chat() })
    await expect(models.text('chat', hi)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining('could not be reached'),
    })
  })
})

describe("LangChain's client for Gemini's vectors", () => {
  test('a vector for each text, a hundred per call', async () => {
    const gemini = await serve()
    const { models } = bot({ chat: gemini.chat(), embeddings: gemini.embeddings() })
    const texts = Array.from({ length: 250 }, (_, at) => `text ${at}`)
    const vectors = await models.embed(texts)
    expect(gemini.calls.map(({ route, body }) => [route, body.requests?.length])).toEqual([
      ['batchEmbedContents', 100],
      ['batchEmbedContents', 100],
      ['batchEmbedContents', 50],
    ])
    const alone = await Promise.all([0, 117, 249].map(at => gemini.embeddings().embedQuery(`text ${at}`)))
    expect([0, 117, 249].map(at => vectors[at])).toEqual(alone.map(vector => Float32Array.from(vector)))
  })

  test('the empty vectors that the client returns for a failed call are refused', async () => {
    const gemini = await serve()
    gemini.faults.push(500, 500, 500, 500)
    expect(await gemini.embeddings().embedDocuments(['猫', '犬'])).toEqual([[], []])
    const { models, calls } = bot({ chat: gemini.chat(), embeddings: gemini.embeddings() })
    await expect(models.embed(['猫', '犬'])).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: "[models] gemini-test gave no usable vectors. If this lasts, check the key in .env and the model's name.",
    })
    expect(calls).toMatchObject([{ role: 'embeddings', attempts: 3, error: 'MODEL_UNAVAILABLE' }])
  })

  test.each<[string, GeminiFault]>([
    ['a 500', 500],
    ['a 429', 429],
    ['a bad key', { status: 400, reason: 'API_KEY_INVALID' }],
    ['an HTML 502', 'html'],
    ['a cut connection', 'cut'],
    ['half an answer', 'broken'],
  ])('%s is an error, never an empty vector', async (_name, fault) => {
    const gemini = await serve()
    gemini.faults.push(fault, fault, fault)
    const { models } = bot({ chat: gemini.chat(), embeddings: gemini.embeddings() })
    await expect(models.embed(['猫', '犬'])).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' })
    expect(gemini.calls).toHaveLength(3)
  })

  test('one failed call of several is an error too, and the next attempt succeeds', async () => {
    const gemini = await serve()
    gemini.faults.push(503)
    const { models, calls } = bot({ chat: gemini.chat(), embeddings: gemini.embeddings() })
    expect(await models.embed(Array.from({ length: 150 }, (_, at) => `text ${at}`))).toHaveLength(150)
    expect(calls).toMatchObject([{ attempts: 2 }])
  })

  test('a server that never answers is given up', async () => {
    const gemini = await serve()
    gemini.faults.push('hang')
    const { models, clock } = bot({ chat: gemini.chat(), embeddings: gemini.embeddings() })
    const asked = models.embed(['猫']).catch((error: unknown) => error)
    await gemini.called(1)
    clock.expire()
    expect(await asked).toMatchObject({ code: 'MODEL_TIMEOUT' })
  })
})

const add = tool(async ({ a, b }) => String(a + b), {
  name: 'add',
  description: 'Adds',
  schema: z.object({ a: z.number(), b: z.number() }),
})

/**
 * Another project's emulator of Gemini, to check ours. It ends a function call with FUNCTION_CALL where Gemini says STOP,
 * and has no batchEmbedContents.
 */
test('another emulator of Gemini agrees: text, a tool call and its result', async () => {
  const other = new LLMock({ port: 0, logLevel: 'silent' })
  other.on({ hasToolResult: true, toolResultContains: '5' }, { content: 'It is 5.' })
  other.onMessage('sum', { toolCalls: [{ name: 'add', arguments: '{"a":2,"b":3}' }] })
  other.onMessage('hello', { content: 'こんにちは' })
  await other.start()
  open.defer(() => other.stop())
  const chat = new ChatGoogleGenerativeAI({ apiKey: 'any', model: 'gemini-test', baseUrl: other.url })
  const { models, calls } = bot({ chat })
  const ask = (text: string) => models.text('chat', { system: 'Be kind.', messages: [{ role: 'user', text }], tools: [add] })
  expect(await ask('hello')).toBe('こんにちは')
  expect(await ask('What is the sum of 2 and 3?')).toBe('It is 5.')
  expect(calls.map(({ attempts }) => attempts)).toEqual([1, 1, 1])
  expect(other.getRequests().map(({ path }) => path)).toEqual(Array(3).fill('/v1beta/models/gemini-test:generateContent'))
})

/** Google repeats the request in its messages. */
function fault(status: number, more: Omit<GeminiError, 'status'> = {}): GeminiScript {
  return { fault: { status, message: `SECRET-TEXT SECRET-PROMPT`, ...more } }
}

const open = new AsyncDisposableStack()
afterAll(() => open.disposeAsync())

/** A Gemini, and LangChain's clients for it. */
async function serve(answer: GeminiOptions['answer'] = 'ok') {
  const gemini = open.use(await startGemini({ answer, dimensions: 8 }))
  const { baseUrl, apiKey } = gemini
  const access = { apiKey, model: 'gemini-test', baseUrl }
  return Object.assign(gemini, {
    chat: (more: { streaming?: boolean; maxOutputTokens?: number; callbacks?: [BaseCallbackHandler] } = {}) =>
      new ChatGoogleGenerativeAI({ ...access, ...more }),
    embeddings: (more: { apiKey?: string } = {}) => new GoogleGenerativeAIEmbeddings({ ...access, ...more }),
  })
}

/** Pauses pass at once. The test sets the time of deadlines. */
class Impatient extends VirtualClock implements Clock {
  readonly #deadlines = new Set<() => void>()

  override setTimeout(run: () => void, ms: number): unknown {
    if (ms < 10_000) return globalThis.setImmediate(run)
    this.#deadlines.add(run)
    return run
  }

  override clearTimeout(timer: unknown): void {
    for (const deadline of this.#deadlines) if (deadline === timer) this.#deadlines.delete(deadline)
  }

  expire(): void {
    for (const deadline of this.#deadlines) deadline()
  }
}

function bot(models: ModelsOptions['models']) {
  const clock = new Impatient()
  const calls: ModelCall[] = []
  const log = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock })
  return { clock, calls, models: createModels({ models, clock, random: () => 0.5, log, onCall: call => calls.push(call) }) }
}
