import { ChatGoogleGenerativeAI, GoogleGenerativeAIEmbeddings } from '@langchain/google-genai'
import { describe, expect, test } from 'vitest'
import { type Gemini, type GeminiContent, startGemini } from './index.ts'

describe('the emulated Gemini', () => {
  test('answers by its script, and keeps a journal', async () => {
    await using gemini = await startGemini({ answer: ['one', { parts: [{ text: 'two' }] }] })
    const said: string[] = []
    for (const text of ['a', 'b', 'c']) said.push((await chat(gemini).invoke(text)).text)
    expect(said).toEqual(['one', 'two', 'two'])
    expect(gemini.calls).toMatchObject([
      { number: 1, route: 'generateContent', model: 'gemini-test', text: 'a' },
      { number: 2, text: 'b' },
      { number: 3, text: 'c' },
    ])
  })

  test('streams in pieces', async () => {
    const text = 'A longer answer, which does not fit into one event.'
    await using gemini = await startGemini({ answer: text })
    const pieces: string[] = []
    for await (const piece of await chat(gemini).stream('hello')) pieces.push(piece.text)
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces.join('')).toBe(text)
    expect(gemini.calls.map(({ route }) => route)).toEqual(['streamGenerateContent'])
  })

  test('gives the same text the same vector, alone and among others', async () => {
    await using gemini = await startGemini()
    const model = new GoogleGenerativeAIEmbeddings(access(gemini))
    const alone = await model.embedQuery('cats')
    const [dogs, cats] = await model.embedDocuments(['dogs', 'cats'])
    expect(cats).toEqual(alone)
    expect(dogs).not.toEqual(alone)
    expect(alone).toHaveLength(768)
    expect(gemini.calls.map(({ route, text }) => [route, text])).toEqual([
      ['embedContent', 'cats'],
      ['batchEmbedContents', 'dogs\ncats'],
    ])
  })

  test.each([
    ['a wrong key', 'generateContent', { 'x-goog-api-key': 'wrong' }, asking, 400, /API_KEY_INVALID/],
    ['no key', 'generateContent', {}, asking, 403, /PERMISSION_DENIED/],
    ['an unknown method', 'countTokens', {}, asking, 404, /NOT_FOUND/],
    ['a stream that is not asked for as one', 'streamGenerateContent', {}, asking, 404, /NOT_FOUND/],
    ['nothing to answer', 'generateContent', undefined, { contents: [] }, 400, /contents is not specified/],
    ['a function call without its result', 'generateContent', undefined, unanswered, 400, /number of function response parts/],
    ['bytes that are no picture', 'generateContent', undefined, showing('image/png', 'no picture'), 400, /process input image/],
    ['bytes that are no recording', 'generateContent', undefined, showing('audio/ogg', 'no sound'), 400, /process input audio/],
    ['a media type that it does not know', 'generateContent', undefined, showing('image/gif', 'GIF89a'), 400, /image\/gif/],
    ['more than 20 MB', 'generateContent', undefined, tooLarge, 400, /payload size exceeds the limit: 20971520 bytes/],
    ['a function call without its signature', 'generateContent', undefined, called, 400, /missing a thought_signature.*:add/],
    ['more than a hundred texts at once', 'batchEmbedContents', undefined, { requests: Array(101).fill({}) }, 400, /at most 100/],
  ])('refuses %s as Google does', async (_name, route, headers, body, status, message) => {
    await using gemini = await startGemini()
    const response = await post(gemini, route, body, headers)
    expect(response.status).toBe(status)
    expect(await response.text()).toMatch(message)
  })

  test('takes pictures and recordings', async () => {
    await using gemini = await startGemini()
    const media = [...showing('image/png', '\x89PNG\r\n\x1a\n').contents, ...showing('audio/ogg', 'OggS').contents]
    const response = await post(gemini, 'generateContent', { contents: media })
    expect(response.status).toBe(200)
  })

  test('signs function calls, and demands the signature until a person writes again', async () => {
    const call = { functionCall: { name: 'add', args: {} } }
    await using gemini = await startGemini({ answer: { parts: [call, call] } })
    const answer = await post(gemini, 'generateContent', asking)
    const { candidates }: { candidates: [{ content: GeminiContent }] } = JSON.parse(await answer.text())
    const [{ content }] = candidates
    expect(content.parts).toEqual([{ thoughtSignature: expect.stringMatching(/./), ...call }, call])
    const result = { functionResponse: { name: 'add', response: {} } }
    const results = { role: 'user', parts: [result, result] }
    const next = { contents: [...asking.contents, content, results] }
    expect((await post(gemini, 'generateContent', next)).status).toBe(200)
    const later = { contents: [...called.contents, ...asking.contents] }
    expect((await post(gemini, 'generateContent', later)).status).toBe(200)
  })

  test('says that the limit of output tokens cut an answer off', async () => {
    await using gemini = await startGemini({ answer: { parts: [{ text: 'The train' }], finishReason: 'MAX_TOKENS' } })
    const answer = await chat(gemini).invoke('when?')
    expect(answer.text).toBe('The train')
    expect(answer.response_metadata).toMatchObject({ finishReason: 'MAX_TOKENS' })
  })

  test('is idle when the client has all answers', async () => {
    await using gemini = await startGemini()
    gemini.faults.push('hang')
    const hanging = rejection(chat(gemini).invoke('never'))
    await gemini.called(1)
    const got: string[] = []
    const asked = chat(gemini)
      .invoke('now')
      .then(({ text }) => got.push(text))
    await gemini.called(2)
    await gemini.idle()
    expect(gemini.busy).toBe(false)
    await asked
    expect(got).toEqual(['ok'])
    await gemini[Symbol.asyncDispose]()
    expect(await hanging).toMatchObject({ message: expect.stringContaining('fetch failed') })
  })

  test('holds a slow answer back until it is released', async () => {
    await using gemini = await startGemini({ answer: 'at last' })
    gemini.faults.push('slow')
    const asked = chat(gemini).invoke('hello')
    await gemini.called(1)
    await gemini.idle()
    gemini.release()
    expect((await asked).text).toBe('at last')
    expect(gemini.calls).toHaveLength(1)
  })
})

const asking = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }
const unanswered = {
  contents: [...asking.contents, { role: 'model', parts: [{ functionCall: { name: 'add', args: {} } }] }, ...asking.contents],
}

const called = {
  contents: [...unanswered.contents.slice(0, 2), { role: 'user', parts: [{ functionResponse: { name: 'add', response: {} } }] }],
}
const tooLarge = { contents: [{ role: 'user', parts: [{ text: 'a'.repeat(20 * 1024 * 1024) }] }] }

function showing(mimeType: string, content: string) {
  const data = Buffer.from(content, 'latin1').toString('base64')
  return { contents: [{ role: 'user', parts: [{ text: 'what is this?' }, { inlineData: { mimeType, data } }] }] }
}

function post({ baseUrl, apiKey }: Gemini, route: string, body: unknown, headers?: Record<string, string>): Promise<Response> {
  return fetch(`${baseUrl}/v1beta/models/gemini-test:${route}`, {
    method: 'POST',
    headers: headers ?? { 'x-goog-api-key': apiKey },
    body: JSON.stringify(body),
  })
}

function access({ apiKey, baseUrl }: Gemini) {
  return { apiKey, baseUrl, model: 'gemini-test', maxRetries: 0 }
}

function chat(gemini: Gemini): ChatGoogleGenerativeAI {
  return new ChatGoogleGenerativeAI(access(gemini))
}

function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable('it was answered'),
    (error: unknown) => error,
  )
}
