import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AIMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { FakeListChatModel, FakeStreamingChatModel } from '@langchain/core/utils/testing'
import { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } from '@langchain/google-genai'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Clock, VirtualClock } from '../clock.ts'
import { createLogger } from '../log.ts'
import { createModels, type ModelsOptions } from '../models.ts'
import type { ModelCall } from '../plugin.ts'

const verdict = z.object({ respond: z.boolean(), delaySeconds: z.number().nullable() })
const hi = { system: 'You are a bot. SECRET-PROMPT', messages: [{ role: 'user' as const, text: 'SECRET-TEXT' }] }

describe("LangChain's own fakes", () => {
  test('text goes through', async () => {
    const { models } = bot({ chat: new FakeListChatModel({ responses: ['Good morning!'] }) })
    expect(await models.text('chat', hi)).toBe('Good morning!')
  })

  test('an object is read, also where the class only parses bare JSON', async () => {
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
    const add = tool(async ({ a, b }) => String(a + b), {
      name: 'add',
      description: 'Adds',
      schema: z.object({ a: z.number(), b: z.number() }),
    })
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

  test('an error of the class becomes one of ours', async () => {
    const { models } = bot({ chat: new FakeStreamingChatModel({ thrownErrorString: 'SECRET-TEXT broke me' }) })
    const error = await models.text('chat', hi).catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', message: expect.not.stringContaining('SECRET') })
  })

  test('whatever has an invoke will do', async () => {
    const parts = [{ type: 'thinking', thinking: 'hmm' }, { type: 'text', text: 'Good ' }, 'morning', { type: 'image_url' }]
    const { models } = bot({ chat: { invoke: async () => ({ content: parts }) } })
    expect(await models.text('chat', hi)).toBe('Good morning')
    const { models: plain } = bot({ chat: { invoke: async () => ({ content: 'Sure: {"respond":false,"delaySeconds":30}' }) } })
    expect(await plain.object('judge', verdict, hi)).toEqual({ respond: false, delaySeconds: 30 })
  })
})

describe("LangChain's client for Gemini", () => {
  test('text, tokens with thoughts, and the limit of one call', async () => {
    const gemini = await serve(respond =>
      respond(200, answer([{ text: 'thinking…', thought: true }, { text: 'こんにちは' }], { thoughts: 5 })),
    )
    const { models, calls } = bot({ chat: gemini.chat() })
    expect(await models.text('chat', { ...hi, maxTokens: 50 })).toBe('こんにちは')
    expect(calls).toMatchObject([{ model: 'gemini-test', inputTokens: 10, outputTokens: 3 + 5, attempts: 1 }])
    expect(gemini.bodies[0]).toMatchObject({
      systemInstruction: { parts: [{ text: hi.system }] },
      contents: [{ role: 'user', parts: [{ text: 'SECRET-TEXT' }] }],
      generationConfig: { maxOutputTokens: 50 },
    })
    await models.text('chat', hi)
    expect(gemini.bodies[1]).not.toHaveProperty('generationConfig.maxOutputTokens')
    await bot({ chat: gemini.chat({ maxOutputTokens: 20 }) }).models.text('chat', { ...hi, maxTokens: 50 })
    expect(gemini.bodies[2]).toMatchObject({ generationConfig: { maxOutputTokens: 20 } })
  })

  test('a model that thinks its small limit away is asked without one, from then on', async () => {
    const gemini = await serve((respond, body) => {
      const limited = body.generationConfig?.maxOutputTokens !== undefined
      respond(200, limited ? { candidates: [{ finishReason: 'MAX_TOKENS', index: 0 }] } : answer([{ text: 'Got it.' }]))
    })
    const { models } = bot({ chat: gemini.chat() })
    expect(await models.text('chat', { ...hi, maxTokens: 50 })).toBe('Got it.')
    expect(await models.text('chat', { ...hi, maxTokens: 50 })).toBe('Got it.')
    expect(gemini.bodies).toHaveLength(3)
  })

  test('an object by schema', async () => {
    const gemini = await serve(respond => respond(200, answer([{ text: '{"respond":true,"delaySeconds":60}' }])))
    const { models, calls } = bot({ chat: gemini.chat() })
    expect(await models.object('judge', verdict, hi)).toEqual({ respond: true, delaySeconds: 60 })
    expect(gemini.bodies[0]).toMatchObject({
      generationConfig: { responseMimeType: 'application/json', responseSchema: { type: 'object' } },
    })
    expect(calls).toMatchObject([{ inputTokens: 10, outputTokens: 3 }])
  })

  test('a model that takes no schema is asked in words', async () => {
    const gemini = await serve((respond, body) =>
      body.generationConfig?.responseSchema
        ? respond(400, { error: { message: 'JSON mode is not enabled' } })
        : respond(200, answer([{ text: 'OK:\n```json\n{"respond":false,"delaySeconds":null}\n```' }])),
    )
    const { models } = bot({ chat: gemini.chat() })
    expect(await models.object('judge', verdict, hi)).toEqual({ respond: false, delaySeconds: null })
    expect(JSON.stringify(gemini.bodies[1]?.systemInstruction)).toContain('delaySeconds')
  })

  test('a tool is called and its result sent back, with the thought signature', async () => {
    const call = { functionCall: { name: 'add', args: { a: 2, b: 3 } }, thoughtSignature: 'c2ln' }
    const gemini = await serve((respond, body) => respond(200, answer(body.contents.length === 1 ? [call] : [{ text: '5' }])))
    const add = tool(async ({ a, b }) => String(a + b), {
      name: 'add',
      description: 'Adds',
      schema: z.object({ a: z.number(), b: z.number() }),
    })
    const { models } = bot({ chat: gemini.chat() })
    expect(await models.text('chat', { ...hi, tools: [add] })).toBe('5')
    expect(gemini.bodies[1]?.contents).toMatchObject([
      { role: 'user' },
      { role: 'model', parts: [call] },
      { role: 'user', parts: [{ functionResponse: { name: 'add', response: { result: '5' } } }] },
    ])
  })

  const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }
  const google = (status: string, details: unknown[] = []) => ({ error: { message: 'SECRET-TEXT SECRET-KEY', status, details } })
  test.each([
    ['429', 429, google('RESOURCE_EXHAUSTED'), 'MODEL_UNAVAILABLE', 3, /429/],
    ['500', 500, google('INTERNAL'), 'MODEL_UNAVAILABLE', 3, /500/],
    ['an HTML 502', 502, '<html>SECRET-TEXT</html>', 'MODEL_UNAVAILABLE', 3, /502/],
    ['HTML with status 200', 200, '<html>SECRET-TEXT</html>', 'MODEL_UNREADABLE', 1, /not the JSON/],
    ['a bad key', 400, google('INVALID_ARGUMENT', [{ reason: 'API_KEY_INVALID' }]), 'MODEL_REFUSED', 1, /API_KEY_INVALID.*\.env/],
    ['a bad request', 400, google('INVALID_ARGUMENT'), 'MODEL_REFUSED', 1, /400/],
    ['a model that does not exist', 404, google('NOT_FOUND'), 'MODEL_REFUSED', 1, /bot\.config\.ts/],
    ['a blocked prompt', 200, blocked, 'MODEL_REFUSED', 1, /PROHIBITED_CONTENT.*safety/],
    ['an answer kept back', 200, { candidates: [{ finishReason: 'SAFETY', index: 0 }] }, 'MODEL_REFUSED', 1, /SAFETY/],
    ['no candidate', 200, {}, 'MODEL_EMPTY', 1, /nothing/],
    ['a candidate without parts', 200, answer([]), 'MODEL_EMPTY', 1, /nothing/],
  ] as const)('%s is told as what it is', async (_name, status, body, code, attempts, message) => {
    const gemini = await serve(respond => respond(status, body))
    const { models, calls } = bot({ chat: gemini.chat() })
    const error = await models.text('chat', hi).catch((error: unknown) => error)
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) })
    expect(error).toMatchObject({ message: expect.not.stringMatching(/SECRET|127\.0\.0\.1/) })
    expect(calls).toMatchObject([{ error: code, attempts }])
    expect(gemini.bodies).toHaveLength(attempts)
  })

  test('a 429 that passes is not noticed', async () => {
    const gemini = await serve(respond =>
      gemini.bodies.length === 1 ? respond(429, google('')) : respond(200, answer([{ text: 'back' }])),
    )
    const { models } = bot({ chat: gemini.chat() })
    expect(await models.text('chat', hi)).toBe('back')
  })

  test('a server that never answers is given up, and its late failure ends nothing', async () => {
    const held: ServerResponse[] = []
    const gemini = await serve((_respond, _body, response) => held.push(response))
    const { models, clock } = bot({ chat: gemini.chat({ streaming: true }) })
    const asked = [models.text('judge', hi), models.object('judge', verdict, hi)].map(asking =>
      asking.catch((error: unknown) => error),
    )
    await gemini.asked(2)
    clock.expire()
    expect(await Promise.all(asked)).toMatchObject([{ code: 'MODEL_TIMEOUT' }, { code: 'MODEL_TIMEOUT' }])
    const closed = held.map(response => new Promise(resolve => response.once('close', resolve)))
    for (const response of held) response.destroy()
    await Promise.all(closed)
  })

  test('a broken stream ends nothing: streaming is never used', async () => {
    const gemini = await serve((_respond, _body, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"candidates": [')
      response.destroy()
    })
    const { models } = bot({ chat: gemini.chat({ streaming: true }) })
    await expect(models.text('chat', hi)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' })
    expect(gemini.paths.every(path => path?.endsWith(':generateContent'))).toBe(true)
  })

  test('a refused connection', async () => {
    const gemini = await serve(() => {})
    await gemini[Symbol.asyncDispose]()
    const { models } = bot({ chat: gemini.chat() })
    await expect(models.text('chat', hi)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining('could not be reached'),
    })
  })

  test('vectors', async () => {
    const gemini = await serve((respond, body) =>
      respond(200, { embeddings: body.requests?.map((_, at) => ({ values: [at, 0.5] })) }),
    )
    const { models } = bot({ chat: gemini.chat(), embeddings: gemini.embeddings() })
    expect(await models.embed(['猫', '犬'])).toEqual([Float32Array.of(0, 0.5), Float32Array.of(1, 0.5)])
  })

  test('an HTTP error for vectors is an error', async () => {
    const gemini = await serve(respond => respond(500, google('INTERNAL')))
    const { models } = bot({ chat: gemini.chat(), embeddings: gemini.embeddings() })
    await expect(models.embed(['猫', '犬'])).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' })
    expect(gemini.bodies).toHaveLength(3)
  })
})

interface GeminiBody {
  readonly contents: readonly unknown[]
  readonly systemInstruction?: unknown
  readonly generationConfig?: { readonly maxOutputTokens?: number; readonly responseSchema?: unknown }
  readonly requests?: readonly unknown[]
}

type Respond = (status: number, body: unknown) => void

const open: AsyncDisposable[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]()
})

/** A server on loopback that answers like Gemini. */
async function serve(onRequest: (respond: Respond, body: GeminiBody, response: ServerResponse) => void) {
  const bodies: GeminiBody[] = []
  const paths: (string | undefined)[] = []
  const waiting: (() => void)[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => (text += chunk))
    request.on('end', () => {
      const body: GeminiBody = JSON.parse(text)
      bodies.push(body)
      paths.push(request.url)
      const respond: Respond = (status, answer) => {
        response.writeHead(status, { 'content-type': typeof answer === 'string' ? 'text/html' : 'application/json' })
        response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
      }
      onRequest(respond, body, response)
      for (const wake of waiting.splice(0)) wake()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // Bound to a port just now, so its address is one.
  const { port } = server.address() as AddressInfo
  const access = { apiKey: 'SECRET-KEY', model: 'gemini-test', baseUrl: `http://127.0.0.1:${port}` }
  const gemini = {
    bodies,
    paths,
    chat: (more: { streaming?: boolean; maxOutputTokens?: number } = {}) => new ChatGoogleGenerativeAI({ ...access, ...more }),
    embeddings: () => new GoogleGenerativeAIEmbeddings(access),
    async asked(times: number) {
      while (bodies.length < times) await new Promise<void>(wake => waiting.push(wake))
    },
    async [Symbol.asyncDispose]() {
      if (!server.listening) return
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
  open.push(gemini)
  return gemini
}

function answer(parts: unknown[], { thoughts = 0 } = {}): unknown {
  return {
    candidates: [{ index: 0, finishReason: 'STOP', content: { role: 'model', parts } }],
    usageMetadata: {
      promptTokenCount: 10,
      candidatesTokenCount: 3,
      thoughtsTokenCount: thoughts,
      totalTokenCount: 13 + thoughts,
    },
  }
}

/** Pauses pass at once; deadlines come when the test says so. */
class Impatient extends VirtualClock implements Clock {
  readonly #deadlines = new Set<() => void>()

  override setTimeout(run: () => void, ms: number): unknown {
    if (ms < 10_000) return setImmediate(run)
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
