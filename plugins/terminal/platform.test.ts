import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { Conversation, IncomingMessage, Logger } from 'kikimimi'
import { VirtualClock } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { createPipe } from './pipe.ts'
import { createPlatform } from './platform.ts'
import type { Screen } from './screen.ts'
import { createTerminal } from './terminal.ts'

const NOW = new Date('2026-01-31T12:00:00Z')
const HERE: Conversation = {
  ...{
    id: 'terminal//terminal',
    platform: 'terminal',
    workspace: '',
    channel: 'terminal',
    name: 'terminal',
    visibility: 'public',
  },
}

test('lines of text become messages, in order', async () => {
  const { received, input, platform } = start()
  input.end('alice: hello @kiki\n\nand you?\nbob: @alice fine')
  await platform.closed
  expect(received).toMatchObject([
    {
      conversation: { channel: 'terminal', name: 'terminal' },
      author: { id: 'alice' },
      text: 'hello @kiki',
      at: NOW,
      mentions: [{ id: 'kiki' }],
    },
    { author: { id: 'you' }, text: 'and you?', mentions: [] },
    { author: { id: 'bob' }, text: '@alice fine', mentions: [{ id: 'alice' }] },
  ])
  expect(new Set(received.map(({ id }) => id)).size).toBe(3)
})

test('an invalid line is reported, and the next one is received', async () => {
  const { received, input, errors, platform } = start()
  input.end('{"author":"alice","text":"one"}\n{"author":\nhello\n{"author":"alice","text":"two","id":"m2"}\n')
  await platform.closed
  expect(received.map(({ text }) => text)).toEqual(['one', 'two'])
  expect(errors()).toBe(
    '[terminal] line 2 was left out: it is not valid JSON\n[terminal] line 3 was left out: it is not valid JSON\n',
  )
})

test('a message that the bot refuses is reported', async () => {
  const { input, errors, platform } = start({
    receive: async () => {
      throw new Error('no')
    },
  })
  input.end('alice: hello\n')
  await platform.closed
  expect(errors()).toBe('[terminal] line 1 was left out: no\n')
})

test('the next line waits until the last one is recorded', async () => {
  const first = Promise.withResolvers<void>()
  const texts: string[] = []
  const { input, platform } = start({
    receive: async ({ text }) => {
      texts.push(text)
      if (text === 'one') await first.promise
    },
  })
  input.end('one\ntwo\n')
  await expect.poll(() => texts).toEqual(['one'])
  first.resolve()
  await platform.closed
  expect(texts).toEqual(['one', 'two'])
})

test('replies to text are text', async () => {
  const { received, input, output, platform, signal } = start()
  input.end('alice: hello\n')
  await platform.closed
  await platform.send(HERE, { text: 'hi\n\u001b[2J', nonce: '1' }, signal)
  await platform.react?.(HERE, received[0]?.id ?? '', '👍', signal)
  expect(output()).toBe("kiki: hi\n  �[2J\nkiki: (👍 on alice's message)\n")
})

test('replies to JSON are JSON', async () => {
  const { input, output, platform, signal } = start()
  input.end('{"author":"alice","text":"hi","id":"m1","thread":"t"}\n')
  await platform.closed
  const { id } = await platform.send({ ...HERE, thread: 't' }, { text: 'hi \u009b', replyTo: 'm1', nonce: '1' }, signal)
  await platform.react?.(HERE, 'm1', '👍', signal)
  expect(output()).not.toContain('\u009b')
  expect(
    output()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)),
  ).toEqual([
    { type: 'message', id, channel: 'terminal', thread: 't', text: 'hi \u009b', replyTo: 'm1' },
    { type: 'reaction', channel: 'terminal', message: 'm1', emoji: '👍' },
  ])
})

test('a reply to a message of the bot names its author', async () => {
  const { received, input, platform, signal } = start()
  const { id } = await platform.send(HERE, { text: 'hi', nonce: '1' }, signal)
  input.end(`${JSON.stringify({ author: 'alice', text: 'hello', replyTo: id })}\n`)
  await platform.closed
  expect(received[0]?.replyTo).toEqual({ id, author: 'kiki' })
})

test('the format can be set', async () => {
  const { received, input, platform } = start({ format: 'text' })
  input.end('{"author":"alice"}\n')
  await platform.closed
  expect(received).toMatchObject([{ author: { id: 'you' }, text: '{"author":"alice"}' }])
})

test('an empty input has ended', async () => {
  const { received, input, platform } = start()
  input.end()
  await platform.closed
  expect(received).toEqual([])
})

test('a broken input has ended', async () => {
  const { input, platform, warnings } = start()
  input.destroy(new Error('gone'))
  await platform.closed
  expect(warnings.length).toBeLessThanOrEqual(1)
})

test('if the output is closed, the platform stops reading without an error', async () => {
  const { stream, platform, signal, warnings } = start()
  stream.destroy(Object.assign(new Error('broken pipe'), { code: 'EPIPE' }))
  await platform.closed
  await platform.send(HERE, { text: 'hi', nonce: '1' }, signal)
  expect(warnings).toEqual([])
})

test('the platform stops reading when the bot stops', async () => {
  const { platform, stop } = start()
  stop()
  await platform.closed
})

test('in a terminal one person plays all participants', async () => {
  const { received, input, output, platform, signal } = startTerminal()
  input.write('hello\nalice: hi\nstill me\n/as bob\n/channel #dev\nwhat is new?\n/nonsense\n')
  await expect.poll(() => received.length).toBe(4)
  expect(received.map(({ author, text, conversation }) => [author.id, text, conversation.channel])).toEqual([
    ['you', 'hello', 'terminal'],
    ['alice', 'hi', 'terminal'],
    ['alice', 'still me', 'terminal'],
    ['bob', 'what is new?', 'dev'],
  ])
  await platform.send(HERE, { text: 'hi\u001b[2J', nonce: '1' }, signal)
  expect(output()).toContain('#terminal kiki: hi�[2J\n')
  expect(output()).toContain('/quit           ends')
  expect(output()).toMatch(/\nbob #dev> $/)
  input.write('/quit\n')
  await platform.closed
})

test('in a terminal the bot shows that it is typing', async () => {
  const { output, platform, signal } = startTerminal()
  const end = await platform.typing?.(HERE, signal, 'm1')
  await expect.poll(output).toMatch(/kiki is typing… you> $/)
  end?.()
  await expect.poll(output).toMatch(/(?<!typing… )you> $/)
})

test('output of the bot keeps the line that is being typed', async () => {
  const { input, output, platform, signal } = startTerminal()
  input.write('half a sen')
  await expect.poll(output).toMatch(/half a sen$/)
  await platform.send(HERE, { text: 'hi', nonce: '1' }, signal)
  expect(output()).toMatch(/kiki: hi\n[^\n]*you> half a sen/)
})

interface Options {
  readonly format?: 'auto' | 'text' | 'json'
  readonly receive?: (message: IncomingMessage) => Promise<void>
}

function start({ format = 'auto', receive }: Options = {}) {
  const [input, stream, errorStream] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const screen = createPipe({ input, output: stream, errors: errorStream, format, user: 'you', name: 'kiki' })
  return { ...run(screen, stream, receive), input, stream, output: textOf(stream), errors: textOf(errorStream) }
}

function startTerminal() {
  const [input, stream] = [new PassThrough(), new PassThrough()]
  const commands = { names: () => [], suggest: async () => [] }
  const screen = createTerminal({ input, output: stream, user: 'you', channel: 'terminal', name: 'kiki', color: false, commands })
  const written = textOf(stream)
  return { ...run(screen, stream), input, output: () => stripVTControlCharacters(written()) }
}

function run(screen: Screen, output: PassThrough, receive?: (message: IncomingMessage) => Promise<void>) {
  const received: IncomingMessage[] = []
  const warnings: string[] = []
  const log: Logger = { debug() {}, info() {}, warn: message => void warnings.push(message), error() {}, child: () => log }
  const ctx = {
    bot: { name: 'kiki', locale: 'en', personaIn: () => ({ name: 'kiki', names: ['kiki'], prompt: '', timeZone: 'UTC' }) },
    clock: new VirtualClock(NOW),
    log,
    scope: new AsyncDisposableStack(),
    receive: receive ?? (async (message: IncomingMessage) => void received.push(message)),
    command: () => undefined,
  }
  const platform = createPlatform(ctx, { screen, output, channel: 'terminal' })
  const stopping = new AbortController()
  void platform.start?.(stopping.signal)
  return { platform, received, warnings, signal: stopping.signal, stop: () => stopping.abort() }
}

/** The output so far. Reads continuously, so that the writer never waits. */
function textOf(stream: PassThrough): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  return () => text
}
