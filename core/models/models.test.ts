import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ChatModel, Generated, GenerateRequest, ModelCall, Tool } from '../api/index.ts'
import { VirtualClock } from '../base/clock.ts'
import { KikimimiError } from '../base/errors.ts'
import { createLogger } from '../base/log.ts'
import { createModels, type ModelsOptions } from './models.ts'

describe('text', () => {
  test('returns the text of the model, and counts the call', async () => {
    const { models, calls } = bot(() => said(' hello \n', { inputTokens: 12, outputTokens: 3 }))
    expect(await models.text('chat', hi)).toBe('hello')
    expect(calls).toEqual([{ role: 'chat', model: 'scripted', inputTokens: 12, outputTokens: 3, ms: 0, attempts: 1 }])
    expect(models.usage()).toEqual([{ role: 'chat', calls: 1, failed: 0, inputTokens: 12, outputTokens: 3 }])
  })

  test('estimates the tokens that a model does not report', async () => {
    const { models, calls } = bot(() => said('元気です'))
    await models.text('chat', { system: 'Be kind.', messages: [{ role: 'user', text: '元気？' }] })
    expect(calls).toMatchObject([{ inputTokens: 2 + 3, outputTokens: 4 }])
  })

  test('each role falls back to chat', async () => {
    const { models, requests } = bot(() => said('ok'))
    for (const role of ['chat', 'judge', 'summary', 'reflection'] as const) await models.text(role, hi)
    expect(requests.map(({ role }) => role)).toEqual(['chat', 'judge', 'summary', 'reflection'])
  })

  test('a role with its own model does not use chat', async () => {
    const { models } = bot(() => said('chat'), { models: { judge: scripted(() => said('judge'), 'cheap') } })
    expect(await models.text('judge', hi)).toBe('judge')
    expect(models.usage()).toMatchObject([{ role: 'judge', calls: 1 }])
  })

  test.each(['', ' \n'])('nothing (%j) is an error, never text', async text => {
    const { models, calls } = bot(() => said(text))
    await expect(models.text('chat', hi)).rejects.toMatchObject({ code: 'MODEL_EMPTY' })
    expect(calls).toMatchObject([{ error: 'MODEL_EMPTY', attempts: 1 }])
  })
})

describe('an answer that the limit of output tokens cut off', () => {
  const cut = (text: string): Generated => ({ ...said(text), finish: 'length' })
  const scriptOf =
    (...answers: (Generated | Error)[]) =>
    () => {
      const next = answers.shift() ?? said('too many calls')
      if (next instanceof Error) throw next
      return next
    }

  test('is continued once, with the text so far', async () => {
    const { models, requests } = bot(scriptOf(cut('The train leaves at ni'), said('nine, from track 3.')))
    expect(await models.text('chat', hi)).toBe('The train leaves at nine, from track 3.')
    expect(requests[1]?.messages.slice(1)).toEqual([
      { role: 'assistant', text: 'The train leaves at ' },
      { role: 'user', text: expect.stringMatching(/^Your answer was cut off.*Continue it exactly where it stops/) },
    ])
  })

  test('is continued without a space where a language has none', async () => {
    const { models } = bot(scriptOf(cut('電車は九時に'), said('出ます。')))
    expect(await models.text('chat', hi)).toBe('電車は九時に出ます。')
  })

  test.each<[string, Generated | Error, string]>([
    ['is cut off again', cut('at nine, from'), 'The train leaves at nine, from…'],
    ['is empty', said(' '), 'The train leaves…'],
    ['fails', new KikimimiError('MODEL_REFUSED', 'no'), 'The train leaves…'],
  ])('ends with an ellipsis when the rest %s', async (_name, rest, expected) => {
    const { models } = bot(scriptOf(cut('The train leaves '), rest))
    expect(await models.text('chat', hi)).toBe(expected)
  })

  test('is given up with its caller', async () => {
    const caller = new AbortController()
    const { models } = bot(({ messages }) => {
      if (messages.length > 1) caller.abort(new Error('not needed'))
      return messages.length > 1 ? said(' ') : cut('The train')
    })
    await expect(models.text('chat', { ...hi, signal: caller.signal })).rejects.toThrow('not needed')
  })
})

describe('tools', () => {
  const weather: Tool = {
    name: 'weather',
    description: 'The weather in a city',
    schema: z.object({ city: z.string() }),
    invoke: async input => `sunny: ${JSON.stringify(input)}`,
  }

  test('the model hears the results and answers', async () => {
    const { models, requests } = bot(({ messages }) =>
      messages.length === 1 ? calling('weather', { city: 'Kyoto' }) : said('It is sunny.'),
    )
    expect(await models.text('chat', { ...hi, tools: [weather] })).toBe('It is sunny.')
    expect(requests[1]?.messages.slice(1)).toEqual([
      { role: 'assistant', text: '', toolCalls: [{ id: '1', name: 'weather', args: { city: 'Kyoto' } }], native: undefined },
      { role: 'tool', id: '1', name: 'weather', text: 'sunny: {"city":"Kyoto"}', failed: false },
    ])
  })

  test.each([
    [
      'throws',
      { ...weather, invoke: () => Promise.reject(new Error('no network')) },
      { city: 'Oslo' },
      'The tool failed: no network',
    ],
    ['gets bad input', weather, { town: 'Oslo' }, /^The input does not fit:\n- city: /],
    ['does not exist', { ...weather, name: 'tides' }, { city: 'Oslo' }, 'There is no tool "weather". The tools are: tides.'],
    [
      'returns a far too long text',
      { ...weather, invoke: async () => 'x'.repeat(100_000) },
      { city: 'Oslo' },
      /^x{16000}\n… \(cut\)$/,
    ],
  ])('the model gets the error of a tool that %s', async (_name, tool, args, told) => {
    const { models, requests } = bot(({ messages }) => (messages.length === 1 ? calling('weather', args) : said('Sorry.')))
    expect(await models.text('chat', { ...hi, tools: [tool] })).toBe('Sorry.')
    expect(requests[1]?.messages.at(-1)?.text).toEqual(typeof told === 'string' ? told : expect.stringMatching(told))
  })

  test('a tool that hangs is given up after 30 s', async () => {
    const hanging: Tool = { ...weather, invoke: () => new Promise(() => {}) }
    const { models, requests, pass } = bot(({ messages }) =>
      messages.length === 1 ? calling('weather', { city: 'x' }) : said('Sorry.'),
    )
    const text = models.text('chat', { ...hi, tools: [hanging] })
    await pass(30_000)
    expect(await text).toBe('Sorry.')
    expect(requests[1]?.messages.at(-1)).toMatchObject({ text: 'The tool failed: no result within 30 s', failed: true })
  })

  test('the last of five rounds has no tools, so that the model answers', async () => {
    const { models, requests } = bot(({ tools }) => (tools?.length ? calling('weather', { city: 'x' }) : said('Enough.')))
    expect(await models.text('chat', { ...hi, tools: [weather] })).toBe('Enough.')
    expect(requests.map(({ tools }) => tools?.length)).toEqual([1, 1, 1, 1, 0])
  })

  test('a model that only calls tools gives no answer', async () => {
    const { models } = bot(() => calling('weather', { city: 'x' }))
    await expect(models.text('chat', { ...hi, tools: [weather] })).rejects.toMatchObject({ code: 'MODEL_EMPTY' })
  })

  test('an abort of the caller goes through a running tool', async () => {
    const gone = new AbortController()
    const hanging: Tool = {
      ...weather,
      invoke: async () => {
        gone.abort(new Error('gone'))
        return new Promise(() => {})
      },
    }
    const { models } = bot(() => calling('weather', { city: 'x' }))
    await expect(models.text('chat', { ...hi, tools: [hanging], signal: gone.signal })).rejects.toThrow('gone')
  })
})

describe('object', () => {
  const verdict = z.object({ respond: z.boolean(), confidence: z.number().min(0).max(1) })
  const yes = { respond: true, confidence: 0.9 }

  test.each([
    ['a value', { ...said(''), value: yes }],
    ['JSON text', said(JSON.stringify(yes))],
    ['fenced JSON after prose', said(`Here is my verdict:\n\`\`\`json\n${JSON.stringify(yes)}\n\`\`\``)],
  ])('reads %s', async (_name, answer) => {
    const { models } = bot(() => answer)
    expect(await models.object('judge', verdict, hi)).toEqual(yes)
  })

  test('an unreadable answer is requested once more, with the reason', async () => {
    const { models, requests, calls } = bot(() =>
      requests.length === 1 ? said('{"respond":"maybe"}') : said(JSON.stringify(yes)),
    )
    expect(await models.object('judge', verdict, hi)).toEqual(yes)
    expect(requests[1]?.messages.at(-1)?.text).toMatch(
      /^Your answer could not be read:\n- respond: [\s\S]*Answer again, with JSON only\.$/,
    )
    expect(calls.map(({ error }) => error)).toEqual(['MODEL_UNREADABLE', undefined])
  })

  test.each(['NO_REPLY', '**SILENT**', '', '{"respond":', '<html><body>502</body></html>'])(
    '%j is unreadable, twice',
    async text => {
      const { models, calls } = bot(() => said(text))
      await expect(models.object('judge', verdict, hi)).rejects.toMatchObject({ code: 'MODEL_UNREADABLE' })
      expect(calls).toHaveLength(2)
    },
  )

  test('a schema transforms the answer once', async () => {
    const { models } = bot(() => ({ ...said(''), value: { seconds: '30' } }))
    const schema = z.object({ seconds: z.string().transform(Number).pipe(z.number()) })
    expect(await models.object('judge', schema, hi)).toEqual({ seconds: 30 })
  })
})

describe('a model that is unavailable', () => {
  const busy = () => Promise.reject(new KikimimiError('MODEL_UNAVAILABLE', 'busy'))

  test('is tried again after growing pauses with jitter', async () => {
    const { models, requests, asked, pass, calls } = bot(() => (requests.length < 3 ? busy() : said('back')))
    const text = models.text('chat', hi)
    await pass(10_000)
    expect(await text).toBe('back')
    expect(asked).toEqual([0, 1_000, 3_000])
    expect(calls).toMatchObject([{ attempts: 3, ms: 3_000 }])
  })

  test('is given up after two more attempts', async () => {
    const { models, requests, pass } = bot(busy)
    const text = rejection(models.text('chat', hi))
    await pass(10_000)
    expect(await text).toMatchObject({ code: 'MODEL_UNAVAILABLE' })
    expect(requests).toHaveLength(3)
  })

  test('is paused for as long as it asks for', async () => {
    const limited = Object.assign(new Error('429'), { status: 429, errorDetails: [{ retryDelay: '7s' }] })
    const { models, requests, asked, pass } = bot(() => (requests.length === 1 ? Promise.reject(limited) : said('back')))
    const text = models.text('chat', hi)
    await pass(10_000)
    expect(await text).toBe('back')
    expect(asked).toEqual([0, 7_000])
  })

  test('fails at once when the pause would outlast the deadline', async () => {
    const limited = Object.assign(new Error('429'), { status: 429, errorDetails: [{ retryDelay: '3600s' }] })
    const { models, requests } = bot(() => Promise.reject(limited))
    await expect(models.text('chat', hi)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' })
    expect(requests).toHaveLength(1)
  })

  test('is paused after three failed calls, tried once after a minute, and used again', async () => {
    let up = false
    const { models, requests, pass } = bot(() => (up ? said('back') : busy()), { options: { retries: 0 } })
    for (let call = 0; call < 3; call++) await rejection(models.text('chat', hi))
    expect(await rejection(models.text('judge', hi))).toMatchObject({
      code: 'MODEL_BREAKER_OPEN',
      message: expect.stringContaining('00:01:00'),
    })
    expect(requests).toHaveLength(3)
    up = true
    await pass(60_000)
    expect(await models.text('chat', hi)).toBe('back')
    expect(await models.text('chat', hi)).toBe('back')
  })

  test('refusals, invalid answers and cancelled calls do not count against it', async () => {
    const refusing = Object.assign(new Error('bad key'), { status: 403 })
    const { models } = bot(() => (requestsLeft-- > 0 ? Promise.reject(refusing) : said('fine')))
    let requestsLeft = 5
    for (let call = 0; call < 5; call++) expect(await rejection(models.text('chat', hi))).toMatchObject({ code: 'MODEL_REFUSED' })
    for (let call = 0; call < 5; call++) await rejection(models.text('chat', { ...hi, signal: AbortSignal.abort() }))
    expect(await models.text('chat', hi)).toBe('fine')
  })
})

describe('time and room', () => {
  const never = () => new Promise<Generated>(() => {})

  test.each([
    ['chat', 60_000],
    ['judge', 15_000],
  ] as const)('a model that ignores its signal is given up: %s after %d ms', async (role, ms) => {
    const { models, requests, pass, calls } = bot(never)
    const text = rejection(models.text(role, hi))
    await pass(ms - 1)
    expect(calls).toEqual([])
    await pass(1)
    expect(await text).toMatchObject({ code: 'MODEL_TIMEOUT' })
    expect(requests[0]?.signal.aborted).toBe(true)
    expect(calls).toMatchObject([{ error: 'MODEL_TIMEOUT', ms }])
  })

  test('the retries of a call share its deadline', async () => {
    const { models, requests, pass } = bot(() => (requests.length === 1 ? Promise.reject(new Error('reset')) : never()))
    const text = rejection(models.text('judge', hi))
    await pass(15_000)
    expect(await text).toMatchObject({ code: 'MODEL_TIMEOUT' })
    expect(requests).toHaveLength(2)
  })

  test('a rejection after the deadline has no effect and is not tried again', async () => {
    const late = Promise.withResolvers<Generated>()
    const { models, requests, pass } = bot(() => late.promise)
    const text = rejection(models.text('judge', hi))
    await pass(15_000)
    await text
    late.reject(new Error('reset'))
    await pass(60_000)
    expect(requests).toHaveLength(1)
  })

  test('the caller can cancel it at once', async () => {
    const gone = new AbortController()
    const { models, requests, calls } = bot(never)
    const text = rejection(models.text('chat', { ...hi, signal: gone.signal }))
    await settled()
    gone.abort(new Error('a newer message arrived'))
    expect(await text).toMatchObject({ message: 'a newer message arrived' })
    expect(requests[0]?.signal.aborted).toBe(true)
    expect(calls).toMatchObject([{ error: 'ABORTED' }])
  })

  test('a cancelled trial allows another', async () => {
    const { models, requests, pass } = bot(
      () => (requests.length < 4 ? Promise.reject(new Error('down')) : requests.length === 4 ? never() : said('up')),
      {
        options: { retries: 0 },
      },
    )
    for (let call = 0; call < 3; call++) await rejection(models.text('chat', hi))
    await pass(60_000)
    const gone = new AbortController()
    const trial = rejection(models.text('chat', { ...hi, signal: gone.signal }))
    await settled()
    gone.abort()
    await trial
    expect(await models.text('chat', hi)).toBe('up')
  })

  test('four calls of a model run at once; the fifth waits, and can be cancelled', async () => {
    const { models, requests, pass } = bot(never)
    const running = Array.from({ length: 4 }, () => rejection(models.text('chat', hi)))
    const gone = new AbortController()
    const leaving = rejection(models.text('chat', { ...hi, signal: gone.signal }))
    const waiting = rejection(models.text('judge', hi))
    await settled()
    expect(requests).toHaveLength(4)
    gone.abort(new Error('gone'))
    expect(await leaving).toMatchObject({ message: 'gone' })
    await pass(60_000)
    await Promise.all(running)
    expect(await waiting).toMatchObject({ code: 'MODEL_BREAKER_OPEN' })
  })
})

describe('embed', () => {
  test.each([
    ['empty vectors, which is how LangChain reports an HTTP error', [[], []]],
    ['too few', [[1, 2]]],
    ['unequal lengths', [[1, 2], [1]]],
    [
      'numbers that are none',
      [
        [1, Number.NaN],
        [1, 2],
      ],
    ],
  ])('refuses %s', async (_name, rows) => {
    const { models } = bot(() => said(''), {
      models: { embeddings: { embedDocuments: async () => rows } },
      options: { retries: 0 },
    })
    await expect(models.embed(['a', 'b'])).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' })
  })

  test('returns a vector for each text, and counts the call', async () => {
    const { models, calls } = bot(() => said(''), {
      models: { embeddings: { embedDocuments: async texts => texts.map(text => [text.length, 0.5]) } },
    })
    expect(models.embeds).toBe(true)
    expect(await models.embed(['abc', 'de'])).toEqual([Float32Array.of(3, 0.5), Float32Array.of(2, 0.5)])
    expect(await models.embed([])).toEqual([])
    expect(calls).toMatchObject([{ role: 'embeddings', inputTokens: 2, outputTokens: 0 }])
  })

  test('without a model says what to add', async () => {
    const { models } = bot(() => said(''))
    expect(models.embeds).toBe(false)
    await expect(models.embed(['a'])).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: expect.stringContaining('models.embeddings'),
    })
  })
})

describe('rerank', () => {
  const byLength = {
    name: 'ruler',
    rerank: async (query: string, texts: readonly string[]) => texts.map(one => one.length - query.length),
  }

  test('returns a score for each text, and counts the call', async () => {
    const { models, calls } = bot(() => said(''), { models: { rerank: byLength } })
    expect(models.reranks).toBe(true)
    expect(await models.rerank('abc', ['abcd', 'a'])).toEqual([1, -2])
    expect(await models.rerank('abc', [])).toEqual([])
    expect(calls).toMatchObject([{ role: 'rerank', model: 'ruler', inputTokens: 4, outputTokens: 0 }])
  })

  test.each([
    ['too few scores', [1]],
    ['a score that is no number', [1, Number.NaN]],
  ])('refuses %s', async (_name, scores) => {
    const { models } = bot(() => said(''), {
      models: { rerank: { name: 'ruler', rerank: async () => scores } },
      options: { retries: 0 },
    })
    await expect(models.rerank('a', ['b', 'c'])).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' })
  })

  test('ends after five seconds, and the model learns of it', async () => {
    let told: AbortSignal | undefined
    const rerank = (_query: string, _texts: readonly string[], signal: AbortSignal) => {
      told = signal
      return new Promise<number[]>(() => {})
    }
    const never = { name: 'never', rerank }
    const { models, calls, pass } = bot(() => said(''), { models: { rerank: never } })
    const late = rejection(models.rerank('a', ['b']))
    await settled()
    await pass(5_000)
    expect(await late).toMatchObject({ code: 'MODEL_TIMEOUT' })
    expect(told?.aborted).toBe(true)
    expect(calls).toMatchObject([{ role: 'rerank', error: 'MODEL_TIMEOUT' }])
  })

  test('without a model says what to add', async () => {
    const { models } = bot(() => said(''))
    expect(models.reranks).toBe(false)
    await expect(models.rerank('a', ['b'])).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: expect.stringContaining('models.rerank'),
    })
  })
})

const hi = { system: 'You are a bot.', messages: [{ role: 'user' as const, text: 'hi' }] }

type Script = (request: GenerateRequest) => Generated | Promise<Generated>

function scripted(script: Script, name = 'scripted'): ChatModel {
  return { name, generate: async request => script(request) }
}

function bot(script: Script, more: { models?: Partial<ModelsOptions['models']>; options?: ModelsOptions['options'] } = {}) {
  const clock = new VirtualClock()
  const requests: GenerateRequest[] = []
  const calls: ModelCall[] = []
  const asked: number[] = []
  const chat = scripted(request => {
    requests.push(request)
    asked.push(clock.now())
    return script(request)
  })
  const models = createModels({
    models: { chat, ...more.models },
    clock,
    random: () => 0.5,
    log: createLogger({ level: 'silent', format: 'lines', write: () => {}, clock }),
    ...(more.options && { options: more.options }),
    onCall: call => calls.push(call),
  })
  return { models, requests, asked, calls, pass: (ms: number) => clock.advance(clock.now() + ms, { settle: settled }) }
}

function said(text: string, tokens: { inputTokens?: number; outputTokens?: number } = {}): Generated {
  return { text, toolCalls: [], ...tokens }
}

function calling(name: string, args: unknown): Generated {
  return { text: '', toolCalls: [{ id: '1', name, args }] }
}

/** The rejection, watched from the start. */
function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    value => expect.unreachable(`resolved with ${String(value)}`),
    (error: unknown) => error,
  )
}

function settled(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
