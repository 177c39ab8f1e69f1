import { createServer } from 'node:net'
import reply from '@kikimimi/reply'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { describe, expect, test } from 'vitest'
import type { Attachment, Platform } from '../../api/index.ts'
import { type Gemini, type GeminiOptions, startGemini } from '../../testing/gemini/index.ts'
import { type TestBot, testBot } from '../../testing/test-bot.ts'

const PIXEL = Buffer.from('iVBORw0KGgo=', 'base64')
const CAT: Attachment = { url: 'https://files.example/cat.png', type: 'image/png', name: 'cat.png' }

describe('a picture', () => {
  test('in a message to the bot reaches the model', async () => {
    await using gemini = await startGemini({ answer: 'A cat!' })
    await using bot = await looking(gemini, picture)
    await show(bot, gemini, [CAT])
    expect(bot.sent).toEqual(['A cat!'])
    expect(seen(gemini)).toEqual([{ mimeType: 'image/png', data: PIXEL.toString('base64') }])
  })

  test('in the message that is quoted does too', async () => {
    await using gemini = await startGemini({ answer: 'A cat!' })
    await using bot = await looking(gemini, picture)
    await show(bot, gemini, [CAT], { id: 'shown', text: 'turn', mentions: [] })
    await show(bot, gemini, [], { id: 'asked', replyTo: { id: 'shown', author: 'alice' } })
    expect(seen(gemini)).toHaveLength(1)
  })

  test('is left out for a model without vision', async () => {
    const blind: GeminiOptions['answer'] = ({ body }) =>
      JSON.stringify(body.contents).includes('inlineData') ? { fault: 400 } : 'I cannot see it.'
    await using gemini = await startGemini({ answer: blind })
    await using bot = await looking(gemini, picture)
    await show(bot, gemini, [CAT])
    expect(bot.sent).toEqual(['I cannot see it.'])
  })

  test('comes four at a time, and no other files with them', async () => {
    await using gemini = await startGemini()
    await using bot = await looking(gemini, picture)
    await show(bot, gemini, [{ url: 'https://files.example/a.pdf', type: 'application/pdf' }, CAT, CAT, CAT, CAT, CAT])
    expect(seen(gemini)).toHaveLength(4)
  })

  test.each<[string, NonNullable<Platform['fetchAttachment']>, RegExp]>([
    ['is gone', async () => new Response('no', { status: 404 }), /HTTP 404/],
    ['is a page to log in on', async () => new Response('<html>', { headers: { 'content-type': 'text/html' } }), /no picture/],
    ['is too large', async () => answer(Buffer.alloc(5 * 1024 * 1024 + 1)), /more than 5 MB/],
    ['never ends', async () => answer(endless()), /more than 5 MB/],
    ['cannot be reached', () => Promise.reject(new Error('connection reset')), /connection reset/],
  ])('that %s is left out, and the bot answers', async (_name, fetchAttachment, told) => {
    await using gemini = await startGemini({ answer: 'What is it?' })
    await using bot = await looking(gemini, fetchAttachment)
    await show(bot, gemini, [CAT])
    expect(bot.sent).toEqual(['What is it?'])
    expect(seen(gemini)).toEqual([])
    expect(bot.log).toEqual([expect.stringMatching(told)])
  })

  test('that does not arrive is left out after 10 s', async () => {
    await using gemini = await startGemini({ answer: 'What is it?' })
    await using bot = await looking(gemini, () => new Promise(() => {}))
    await show(bot, gemini, [CAT])
    expect(bot.sent).toEqual([])
    await bot.pass('10s')
    await gemini.settled(bot)
    expect(bot.sent).toEqual(['What is it?'])
  })

  test.each([
    ['http://files.example/cat.png', /only https/],
    ['file:///etc/passwd', /only https/],
    ['https://127.0.0.1:PORT/cat.png', /not public/],
    ['https://2130706433:PORT/cat.png', /not public/],
    ['https://[::1]:PORT/cat.png', /not public/],
    ['https://[::ffff:127.0.0.1]:PORT/cat.png', /not public/],
    ['https://localhost:PORT/cat.png', /not public/],
    ['https://localhost.:PORT/cat.png', /not public|ENOTFOUND|EAI_AGAIN/],
    ['https://0.0.0.0:PORT/cat.png', /not public/],
    ['https://0:PORT/cat.png', /not public/],
    ['https://127.1:PORT/cat.png', /not public/],
    ['https://0177.0.0.1:PORT/cat.png', /not public/],
    ['https://0x7f.0.0.1:PORT/cat.png', /not public/],
    ['https://１２７.0.0.1:PORT/cat.png', /not public/],
    ['https://files.example@127.0.0.1:PORT/cat.png', /not public/],
    ['https://127.0.0.1:PORT\\@files.example/cat.png', /not public/],
    ['https://[::]:PORT/cat.png', /not public/],
    ['https://[::ffff:7f00:1]:PORT/cat.png', /not public/],
    ['https://[::127.0.0.1]:PORT/cat.png', /not public/],
    ['https://[64:ff9b::127.0.0.1]:PORT/cat.png', /not public/],
    ['https://[2002:7f00:1::]:PORT/cat.png', /not public/],
    ['https://[2001::7f00:1]:PORT/cat.png', /not public/],
    ['https://[fe80::1]:PORT/cat.png', /not public/],
    ['https://100.64.0.1/cat.png', /not public/],
    ['https://172.31.255.255/cat.png', /not public/],
    ['https://192.168.1.1/cat.png', /not public/],
    ['https://255.255.255.255/cat.png', /not public/],
    ['data:image/png;base64,iVBORw0KGgo=', /only https/],
    ['gopher://127.0.0.1:PORT/', /only https/],
    ['https://169.254.169.254/latest/meta-data', /not public/],
    ['https://10.0.0.1/cat.png', /not public/],
    ['https://[fd00::1]/cat.png', /not public/],
    ['no address', /Invalid URL/],
  ])('is not fetched from %s', async (url, told) => {
    await using own = await ownNetwork()
    await using gemini = await startGemini({ answer: 'What is it?' })
    await using bot = await looking(gemini)
    await show(bot, gemini, [{ ...CAT, url: url.replace('PORT', String(own.port)) }])
    await until(() => bot.log.length > 0)
    await gemini.settled(bot)
    expect(bot.sent).toEqual(['What is it?'])
    expect(bot.log).toEqual([expect.stringMatching(told)])
    expect(own.connections()).toBe(0)
  })

  test('is not fetched from the target of a redirect', async () => {
    await using own = await ownNetwork()
    await using gemini = await startGemini({ answer: 'What is it?' })
    const away = { status: 302, headers: { location: `http://127.0.0.1:${own.port}/` } }
    await using bot = await looking(gemini, async () => new Response(null, away))
    await show(bot, gemini, [CAT])
    expect(bot.log).toEqual([expect.stringMatching(/HTTP 302/)])
    expect(own.connections()).toBe(0)
  })
})

test('a link in a message is never fetched', async () => {
  await using own = await ownNetwork()
  await using gemini = await startGemini({ answer: 'I do not open links.' })
  await using bot = await looking(gemini)
  const link = `http://127.0.0.1:${own.port}/cat.png`
  await show(bot, gemini, [], { text: `@kiki look at ${link} ![cat](${link}) <${link}|cat>` })
  await bot.pass('1m')
  expect(bot.sent).toEqual(['I do not open links.'])
  expect(own.connections()).toBe(0)
})

/** A server in the network of the bot that counts its requests. */
async function ownNetwork(): Promise<{ port: number; connections: () => number } & AsyncDisposable> {
  let connections = 0
  const server = createServer(socket => {
    connections++
    socket.destroy()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { port, connections: () => connections, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

const picture = async () => answer(PIXEL)

function answer(body: Buffer | ReadableStream): Response {
  return new Response(body instanceof Buffer ? new Uint8Array(body) : body, { headers: { 'content-type': 'image/png' } })
}

function endless(): ReadableStream {
  return new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(64 * 1024)) })
}

async function looking({ apiKey, baseUrl }: Gemini, fetchAttachment?: Platform['fetchAttachment']): Promise<TestBot> {
  const chat = new ChatGoogleGenerativeAI({ apiKey, baseUrl, model: 'gemini-flash-latest' })
  const bot = await testBot({ plugins: [reply()], models: { chat } })
  if (fetchAttachment) Object.assign(bot.platform, { fetchAttachment })
  return bot
}

async function show(
  bot: TestBot,
  gemini: Gemini,
  attachments: readonly Attachment[],
  said: { id?: string; text?: string; mentions?: []; replyTo?: { id: string; author: string } } = {},
): Promise<void> {
  await bot.bot.receive(bot.platform, {
    id: 'm1',
    conversation: { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' },
    author: { id: 'alice', name: 'alice' },
    text: '@kiki what is this?',
    at: new Date(bot.clock.now()),
    mentions: [bot.platform.me],
    attachments,
    ...said,
  })
  await bot.pass(0)
  await gemini.settled(bot)
}

/** The pictures in the last call. */
function seen(gemini: Gemini): unknown[] {
  return (gemini.calls.at(-1)?.body.contents ?? []).flatMap(({ parts }) => parts.flatMap(({ inlineData }) => inlineData ?? []))
}

/** A DNS lookup takes real time. */
async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise(resolve => setImmediate(resolve))
}
