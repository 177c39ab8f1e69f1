import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { type Bot, definePlugin, type Logger, type PluginEntry, startBot } from 'kikimimi'
import { platformContract, VirtualClock } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import consolePlugin from './index.ts'

platformContract('console, as text', async () => {
  const { plugin, input, output } = streams('text')
  // What is said begins a line, and its further lines are indented.
  const said = () => Array.from(output().matchAll(/^kiki: (.*(?:\n {2}.*)*)$/gm), ([, text = '']) => text)
  const reaction = /^\((\S+) on \w+'s message\)$/
  return {
    plugin,
    say: async (author, text, { mention } = {}) => void input.write(`${author}: ${mention ? '@kiki ' : ''}${text}\n`),
    seen: () => said().filter(text => !reaction.test(text)),
    reactions: () => said().flatMap(text => reaction.exec(text)?.[1] ?? []),
    // A line of text carries no id.
    redelivers: false,
    close: async () => void input.end(),
  }
})

platformContract('console, as JSON', async () => {
  const { plugin, input, output } = streams('json')
  const values = (): { type: string; text?: string; emoji?: string }[] =>
    Array.from(output().matchAll(/.+\n/g), ([line]) => JSON.parse(line))
  return {
    plugin,
    say: async (author, text, { mention, id } = {}) =>
      void input.write(`${JSON.stringify({ author, text, id, ...(mention && { mentions: ['kiki'] }) })}\n`),
    seen: () => values().flatMap(({ type, text }) => (type === 'message' && text !== undefined ? [text] : [])),
    reactions: () => values().flatMap(({ type, emoji }) => (type === 'reaction' && emoji !== undefined ? [emoji] : [])),
    redelivers: true,
    close: async () => void input.end(),
  }
})

describe('a bot on a pipe', () => {
  const agreeable = definePlugin({
    name: 'agreeable',
    setup: () => ({
      decide: () => ({ kind: 'full', why: 'test' }),
      respond: ({ message }) => ({ kind: 'text', text: `yes, ${message.author.name}` }),
    }),
  })

  test('answers what was said before the input ended, and ends', async () => {
    const { plugin, input, output, errors } = streams()
    await using bot = await start([plugin, agreeable])
    input.end('alice: @kiki are you there?\n')
    await bot.closed
    await bot.drained()
    expect(output()).toBe('kiki: yes, alice\n')
    expect(errors()).toBe('')
  })

  test('waits for a talk that settles soon', async () => {
    const { plugin, input, output } = streams()
    const clock = new VirtualClock()
    await using bot = await start([plugin, agreeable], clock)
    input.end('alice: is anyone here?\n')
    await bot.closed
    expect(output()).toBe('')
    const drained = bot.drained()
    await clock.advance(10_000, { settle: () => setImmediate() })
    await drained
    expect(output()).toBe('kiki: yes, alice\n')
  })

  test('ends at once when nothing was said', async () => {
    const { plugin, input, output } = streams()
    await using bot = await start([plugin, agreeable])
    input.end()
    await bot.closed
    await bot.drained()
    expect(output()).toBe('')
  })

  test('names the line that it cannot read, and answers the next', async () => {
    const { plugin, input, output, errors } = streams()
    await using bot = await start([plugin, agreeable])
    input.write('{"author":"alice","text":"hi"}\n{"author":\n')
    input.end('{"author":"bob","text":"hello","mentions":["kiki"],"id":"m1"}\n')
    await bot.closed
    await bot.drained()
    expect(errors()).toBe('[console] line 2 was left out: it is not valid JSON\n')
    expect(JSON.parse(output())).toMatchObject({ type: 'message', channel: 'console', text: 'yes, bob' })
  })
})

async function start(plugins: readonly PluginEntry[], clock?: VirtualClock): Promise<Bot & AsyncDisposable> {
  const log: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => log }
  const bot = await startBot({ persona: { name: 'kiki' }, database: false, plugins }, { log, env: {}, ...(clock && { clock }) })
  return { ...bot, [Symbol.asyncDispose]: () => bot.stop() }
}

/** The plugin on streams of its own. `output` and `errors` tell what was written so far. */
function streams(format: 'auto' | 'text' | 'json' = 'auto') {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const plugin = consolePlugin({ input, output, errors, format, user: 'you' })
  return { plugin, input, output: textOf(output), errors: textOf(errors) }
}

/** Reads on, so that the writer never waits. */
function textOf(stream: PassThrough): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  return () => text
}
