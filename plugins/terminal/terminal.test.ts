import { PassThrough, Writable } from 'node:stream'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { type Bot, type BotConfig, definePlugin, type Logger, type PluginEntry, type StartOptions, startBot } from 'kikimimi'
import { platformContract, VirtualClock } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import terminalPlugin from './index.ts'

platformContract('terminal, as text', async () => {
  const { plugin, input, output } = streams('text')
  return {
    plugin,
    say: async (author, text, { mention }) => void input.write(`${author}: ${mention ? '@kiki ' : ''}${text}\n`),
    ...readText(output),
    close: async () => void input.end(),
  }
})

platformContract('terminal, as JSON', async () => {
  const { plugin, input, output } = streams('json')
  const values = (): Written[] => Array.from(output().matchAll(/.+\n/g), ([line]) => JSON.parse(line))
  const lines = new Map<string, string>()
  const write = (line: object): string => {
    const id = `m${lines.size}`
    lines.set(id, `${JSON.stringify({ id, ...line })}\n`)
    input.write(lines.get(id))
    return id
  }
  return {
    plugin,
    places: { thread: 't1' },
    say: async (author, text, { mention, where: thread }) =>
      write({ author, text, thread, ...(mention && { mentions: ['kiki'] }) }),
    reply: async (author, text, replyTo) => write({ author, text, replyTo }),
    redeliver: async message => void input.write(lines.get(message)),
    seen: () =>
      values().flatMap(({ type, id, text = '', thread: where, replyTo: quotes }) =>
        type === 'message' ? [{ id, text, ...(where && { where }), ...(quotes && { quotes }) }] : [],
      ),
    reactions: () => values().flatMap(({ type, emoji = '' }) => (type === 'reaction' ? [emoji] : [])),
    close: async () => void input.end(),
  }
})

platformContract('terminal, interactive', async () => {
  const { plugin, input, output } = streams('auto', { isTTY: true })
  // On a screen, the code that clears the prompt line ends the line.
  const screen = () => stripVTControlCharacters(output().replaceAll('\u001b[0J', '\n'))
  return {
    plugin,
    say: async (author, text, { mention }) => void input.write(`${author}: ${mention ? '@kiki ' : ''}${text}\n`),
    ...readText(screen),
    typing: () => /kiki is typing… \w+> $/.test(screen()),
    close: async () => void input.end(),
  }
})

/** A line of JSON from the bot. */
interface Written {
  readonly type: 'message' | 'reaction'
  readonly id: string
  readonly text?: string
  readonly thread?: string
  readonly replyTo?: string
  readonly emoji?: string
}

describe('a bot on a pipe', () => {
  const agreeable = definePlugin({
    name: 'agreeable',
    setup: () => ({
      decide: () => ({ kind: 'full', why: 'test' }),
      respond: ({ message }) => ({ kind: 'text', text: `yes, ${message.author.name}` }),
    }),
  })

  test('answers messages that came before the end of the input, and ends', async () => {
    const { plugin, input, output, errors } = streams()
    await using bot = await start([plugin, agreeable])
    input.end('alice: @kiki are you there?\n')
    await bot.closed
    await bot.drained()
    expect(output()).toBe('kiki: yes, alice\n')
    expect(errors()).toBe('')
  })

  test('waits for a conversation that becomes quiet soon', async () => {
    const { plugin, input, output } = streams()
    const clock = new VirtualClock()
    await using bot = await start([plugin, agreeable], { clock })
    input.end('alice: is anyone here?\n')
    await bot.closed
    expect(output()).toBe('')
    const drained = bot.drained()
    await clock.advance(10_000, { settle: () => setImmediate() })
    await drained
    expect(output()).toBe('kiki: yes, alice\n')
  })

  test('ends at once without input', async () => {
    const { plugin, input, output } = streams()
    await using bot = await start([plugin, agreeable])
    input.end()
    await bot.closed
    await bot.drained()
    expect(output()).toBe('')
  })

  /** Calls of four people. Those that come while a turn runs get the next turns. */
  const callsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => `${['alice', 'bob', 'carol', 'dave'][index % 4]}: @kiki what is ${index}?`)
  const calls = callsOf(8)
  const answers = (output: string) => output.split('\n').filter(line => line.startsWith('kiki: '))

  describe.each([
    ['in memory', false],
    ['on PGlite', 'memory'],
  ] as const)('%s', (_, database) => {
    test('is not drained before the last call has its answer, at whatever moment it is asked', async () => {
      const { plugin, input, output } = streams()
      // Also between two microtasks at the end of a turn, because the turns of a bot in memory begin and end there.
      const watched = definePlugin({ name: 'watched', setup: () => ({ after: () => void askOften() }) })
      await using bot = await start([plugin, agreeable, watched], { database })
      const tooEarly: number[] = []
      let asked = 0
      async function ask(): Promise<void> {
        asked++
        const { due, active, next } = await bot.turns.state()
        const have = answers(output()).length
        if (due + active === 0 && next === undefined && have < calls.length) tooEarly.push(have)
        asked--
      }
      async function askOften(): Promise<void> {
        for (let step = 0; step < 200; step++) {
          if (asked < 2) void ask()
          await Promise.resolve()
        }
      }
      input.end(calls.join('\n'))
      await bot.closed
      while (answers(output()).length < calls.length) {
        await askOften()
        await setImmediate()
      }
      expect(tooEarly).toEqual([])
    })

    test.each([
      {
        what: 'lines end with CRLF',
        said: callsOf(6)
          .map(line => `${line}\r\n`)
          .join(''),
      },
      { what: 'the last line has no end', said: callsOf(9).join('\n') },
      { what: 'the model is slow', said: `${callsOf(6).join('\n')}\n`, ms: 60 },
      { what: 'answers have several parts', said: `${callsOf(6).join('\n')}\n`, parts: 3 },
    ])('answers every call before it is drained: $what', async ({ said, ms = 0, parts = 1 }) => {
      const { plugin, input, output } = streams()
      const numbered = definePlugin({
        name: 'numbered',
        setup: () => ({
          decide: () => ({ kind: 'full', why: 'test' }),
          async respond({ message }) {
            await setTimeout(ms)
            // One part has room for 4,000 characters.
            return { kind: 'text', text: `to ${/\d+/.exec(message.text)}${' and so on'.repeat(400 * (parts - 1))}` }
          },
        }),
      })
      await using bot = await start([plugin, numbered], { database })
      input.end(said)
      await bot.closed
      await bot.drained()
      const count = said.trimEnd().split('\n').length
      const begun = answers(output()).flatMap(line => /^kiki: to (\d+)/.exec(line)?.[1] ?? [])
      expect(begun.map(Number).toSorted((one, other) => one - other)).toEqual(Array.from({ length: count }, (_, index) => index))
      expect(answers(output())).toHaveLength(count * parts)
    })
  })

  test('ends when its output is closed while it answers', async () => {
    const { plugin, input, end } = streams()
    const told: string[] = []
    const closing = definePlugin({
      name: 'closing',
      setup: () => ({
        decide: () => ({ kind: 'full', why: 'test' }),
        respond({ message }) {
          told.push(message.text)
          end()
          return { kind: 'text', text: 'yes' }
        },
      }),
    })
    await using bot = await start([plugin, closing])
    input.write(`${calls.join('\n')}\n`)
    await bot.closed
    await bot.drained()
    expect(told.length).toBeGreaterThan(0)
  })

  test('reports an unreadable line, and answers the next', async () => {
    const { plugin, input, output, errors } = streams()
    await using bot = await start([plugin, agreeable])
    input.write('{"author":"alice","text":"hi"}\n{"author":\n')
    input.end('{"author":"bob","text":"hello","mentions":["kiki"],"id":"m1"}\n')
    await bot.closed
    await bot.drained()
    expect(errors()).toBe('[terminal] line 2 was left out: it is not valid JSON\n')
    expect(JSON.parse(output())).toMatchObject({ type: 'message', channel: 'terminal', text: 'yes, bob' })
  })
})

describe('a command', () => {
  test.each(['/kiki status', '/status', 'alice: /kiki status'])('is answered, and no message is recorded: %s', async line => {
    const { plugin, input, output } = streams()
    await using bot = await start([plugin])
    input.end(`${line}\n`)
    await bot.closed
    expect(output()).toMatch(/^kiki: I hear the messages in #terminal\.\n {2}I am connected\./)
    expect(await bot.traces()).toEqual([])
  })

  test('is answered in JSON if the input is JSON', async () => {
    const { plugin, input, output } = streams('json')
    await using bot = await start([plugin])
    input.end('{"author":"alice","channel":"dev","text":"/kiki start"}\n')
    await bot.closed
    expect(JSON.parse(output())).toEqual({ type: 'answer', channel: 'dev', text: 'I may speak again.' })
  })

  test('that is unknown is a message', async () => {
    const { plugin, input } = streams()
    const heard: (readonly [string, string | undefined])[] = []
    const listener = definePlugin({
      name: 'listener',
      setup: () => ({ respond: ({ message }) => void heard.push([message.text, message.addressed]) }),
    })
    await using bot = await start([plugin, listener])
    input.end('alice: /kiki are you there?\nalice: /shrug\n')
    await bot.closed
    await bot.drained()
    expect(heard).toEqual([['are you there?', 'mention']])
    const all = (await bot.traces()).flatMap(({ messages }) => messages)
    expect(all).toHaveLength(2)
  })

  test('/kiki stop silences the bot, and so does a message', async () => {
    for (const [stop, again] of [
      ['/kiki stop', '/kiki start'],
      ['@kiki STOP', '@kiki START'],
    ] as const) {
      const { plugin, input, output } = streams()
      const polite = definePlugin({ name: 'polite', setup: () => ({ respond: () => ({ kind: 'text', text: 'hello' }) }) })
      await using bot = await start([plugin, polite])
      input.write(`${stop}\n@kiki are you there?\n`)
      await until(async () => (await bot.traces()).length > 0)
      await bot.drained()
      expect(output()).not.toContain('hello')
      input.end(`${again}\n@kiki are you there?\n`)
      await bot.closed
      await bot.drained()
      expect(output()).toContain('kiki: hello\n')
    }
  })

  test('works beside the commands of the terminal', async () => {
    const { plugin, input, output } = streams('auto', { isTTY: true })
    await using bot = await start([plugin])
    const screen = () => stripVTControlCharacters(output())
    input.write('/kiki help\n')
    await until(() => screen().includes('What you can tell me with /kiki:'))
    input.write('/nonsense\n')
    await until(() => screen().includes('/kiki help      what the bot does at a command'))
    expect(await bot.traces()).toEqual([])
  })

  test('that is misspelled is told with the nearest name', async () => {
    const { plugin, input, output } = streams('auto', { isTTY: true })
    await using bot = await start([plugin])
    const screen = () => stripVTControlCharacters(output())
    for (const [line, told] of [
      ['/statsu', 'There is no command /statsu. Did you mean /status?'],
      ['/quti', 'There is no command /quti. Did you mean /quit?'],
    ] as const) {
      input.write(`${line}\n`)
      await until(() => screen().includes(told))
    }
    expect(await bot.traces()).toEqual([])
  })

  test.each([
    ['/stat', '/status'],
    ['/kiki stat', '/kiki status'],
    ['/cha', '/channel'],
    ['/ki', '/kiki'],
    ['/travel to ue', '/travel to ueno'],
    ['/kiki travel ta', '/kiki travel tabata'],
  ])('is completed with Tab: %s', async (typed, completed) => {
    const { plugin, input, output } = streams('auto', { isTTY: true })
    const trains = definePlugin({
      name: 'trains',
      setup: () => ({
        commands: [
          {
            name: 'travel',
            does: { en: 'tells the next train' },
            usage: '[to]',
            permission: 'everyone',
            complete: () => ['ueno', 'tabata'],
            run: () => 'soon',
          },
        ],
      }),
    })
    await using _bot = await start([plugin, trains])
    const screen = () => stripVTControlCharacters(output())
    await until(() => screen().endsWith('you> '))
    input.write(`${typed}\t`)
    await until(() => screen().endsWith(`you> ${completed}`))
  })
})

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setImmediate()
}

test('what the process reports stands above the line that a person types', async () => {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const screen = Object.assign(new PassThrough(), { isTTY: true })
  // Both streams of a process write to the same terminal.
  const errors = Object.assign(new Writable({ write: (chunk, _encoding, done) => void screen.write(chunk, done) }), {
    isTTY: true,
  })
  const written = textOf(screen)
  // The code that clears the line of the prompt ends the line.
  const seen = () => stripVTControlCharacters(written().replaceAll('\u001b[0J', '\n'))
  const bot = await start([terminalPlugin({ input, output: screen, errors, user: 'you' })])
  await until(() => seen().endsWith('you> '))
  errors.write('Playground: http://127.0.0.1:8787/\n')
  await until(() => seen().endsWith('\nPlayground: http://127.0.0.1:8787/\n\nyou> '))
  await bot.stop()
  errors.write('the bot has ended\n')
  expect(seen()).toMatch(/\nthe bot has ended\n$/)
})

async function start(
  plugins: readonly PluginEntry[],
  how: Pick<BotConfig, 'database'> & StartOptions = {},
): Promise<Bot & AsyncDisposable> {
  const log: Logger = { debug() {}, info() {}, warn() {}, error() {}, child: () => log }
  const { database = false, ...options } = how
  const bot = await startBot({ persona: { name: 'kiki' }, database, plugins }, { log, env: {}, ...options })
  return { ...bot, [Symbol.asyncDispose]: () => bot.stop() }
}

/** The messages of the bot. Each begins a line, and its further lines are indented. */
function readText(output: () => string) {
  const said = () => Array.from(output().matchAll(/^kiki: (.*(?:\n {2}.*)*)$/gm), ([, text = '']) => text)
  const reaction = /^\((\S+) on \w+'s message\)$/
  return {
    seen: () => said().flatMap(text => (reaction.test(text) ? [] : [{ text }])),
    reactions: () => said().flatMap(text => reaction.exec(text)?.[1] ?? []),
  }
}

/** The plugin with its own streams. `output` and `errors` return what was written so far. */
function streams(format: 'auto' | 'text' | 'json' = 'auto', more: { readonly isTTY?: boolean } = {}) {
  const [input, output, errors] = [
    Object.assign(new PassThrough(), more),
    Object.assign(new PassThrough(), more),
    new PassThrough(),
  ]
  const plugin = terminalPlugin({ input, output, errors, format, user: 'you' })
  return {
    plugin,
    input,
    output: textOf(output),
    errors: textOf(errors),
    end: () => void output.destroy(Object.assign(new Error('closed'), { code: 'EPIPE' })),
  }
}

/** Reads continuously, so that the writer never waits. */
function textOf(stream: PassThrough): () => string {
  let text = ''
  stream.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  return () => text
}
