import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BotConfig, definePlugin, type PluginHooks, service, sleep, systemClock, type Turn } from 'kikimimi'
import { createLogger } from 'kikimimi/host'
import { definePlatform } from 'kikimimi/platform'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fileLog } from './logs/chat-log.ts'
import { type ReplayOptions, replay } from './replay.ts'
import { toText } from './report.ts'

let folder: string
let files = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kikimimi-replay-'))
})
afterAll(() => rm(folder, { recursive: true }))

type Said = readonly [second: number, author: string, text: string, more?: object]

/** A log of one channel, with times in seconds after ten o'clock. Returns the file. */
async function logOf(...lines: readonly (Said | string)[]): Promise<string> {
  const start = Date.UTC(2026, 0, 5, 10)
  const texts = lines.map((line, index) => {
    if (typeof line === 'string') return line
    const [second, author, text, more] = line
    const at = new Date(start + 1_000 * second).toISOString()
    return JSON.stringify({ id: `m${index}`, at, channel: 'general', author: { id: author, name: author }, text, ...more })
  })
  const file = join(folder, `${++files}.jsonl`)
  await writeFile(file, texts.join('\n'))
  return file
}

async function run(
  log: string | readonly string[],
  plugins: BotConfig['plugins'] = [],
  more: Partial<BotConfig & ReplayOptions> = {},
) {
  const { seed = 1, log: lines = silent, ...config } = more
  const { counts } = await replay([log].flat().map(fileLog), {
    config: { persona: { name: 'kiki' }, ...config, plugins },
    project: pathToFileURL(`${folder}/`),
    seed,
    log: lines,
  })
  return counts
}

const silent = createLogger({ level: 'silent', format: 'lines', write: () => {}, clock: systemClock })

const plug = (name: string, parts: PluginHooks) => definePlugin({ name, setup: () => parts })

const MENTION = { mentions: ['kiki'] }

/** Answers each message that has a question mark. */
const eager = plug('eager', {
  decide: ({ message }) => (message.text.includes('?') ? { kind: 'full', why: 'a question' } : undefined),
  respond: () => ({ kind: 'text', text: 'well' }),
})

describe('a replay', () => {
  it('counts what the bot would have done', async () => {
    const log = await logOf(
      [0, 'alice', 'good morning'],
      [1, 'bob', 'morning'],
      [60, 'alice', 'where is the key?'],
      [120, 'bob', ''],
      [180, 'bob', '@kiki do you know?', MENTION],
      [3_600, 'alice', 'found it'],
    )
    expect(await run(log, [eager])).toEqual({
      files: 1,
      messages: 6,
      context: 0,
      dropped: 1,
      turns: 4,
      unasked: 3,
      judgements: 0,
      outcomes: { silent: 2, delayed: 0, replied: 2, cancelled: 0, failed: 0 },
      decisions: { silent: 2, react: 0, ack: 0, full: 2 },
      texts: 2,
      reactions: 0,
      models: {},
      problems: 0,
      hours: 1,
    })
  })

  it('records context lines and does not count them', async () => {
    const turns: Turn[] = []
    const watch = plug('watch', { score: turn => void turns.push(turn) })
    const log = await logOf(
      [0, 'alice', 'is it raining?', { context: true }],
      [60, 'bob', 'a bit', { context: true }],
      [120, 'alice', 'do I need a coat?'],
    )
    expect(await run(log, [watch, eager])).toMatchObject({ messages: 1, context: 2, turns: 1, unasked: 1, texts: 1 })
    expect(turns).toHaveLength(3)
    expect(turns.at(-1)?.history.map(({ text }) => text)).toEqual(['is it raining?', 'well', 'a bit', 'do I need a coat?'])
  })

  it('counts a delayed answer as one more turn, and not as one more judged batch', async () => {
    const late = plug('late', {
      decide: () => ({ kind: 'full', why: 'later', delayMs: 20_000 }),
      respond: () => ({ kind: 'text', text: 'well' }),
    })
    expect(await run(await logOf([0, 'alice', 'hm'], [300, 'bob', 'hm'], [303, 'bob', 'hm']), [late])).toMatchObject({
      turns: 4,
      unasked: 2,
      outcomes: { delayed: 2, replied: 2 },
      decisions: { full: 2 },
      texts: 2,
    })
  })

  it('counts an answer that a newer message cancels as cancelled, and not as a problem', async () => {
    const slow = definePlugin({
      name: 'slow',
      setup: ctx => ({
        decide: () => ({ kind: 'full', why: 'test' }),
        async respond({ signal }) {
          await sleep(ctx.clock, 30_000, signal)
          return { kind: 'text', text: 'well' }
        },
      }),
    })
    expect(await run(await logOf([0, 'alice', 'hm'], [20, 'bob', 'no']), [slow])).toMatchObject({
      turns: 2,
      outcomes: { cancelled: 1, replied: 1 },
      texts: 1,
      problems: 0,
    })
  })

  it('counts reactions, unasked answers, and model calls', async () => {
    const busy = definePlugin({
      name: 'busy',
      setup(ctx) {
        const greet = ctx.job('greet', async () => {
          const conversation = { id: 'replay//general', platform: 'replay', workspace: '', channel: 'general' } as const
          await ctx.send(
            { ...conversation, name: 'general', visibility: 'public' },
            { kind: 'text', text: 'hello' },
            { sources: 'none' },
          )
        })
        return {
          decide: () => ({ kind: 'react', why: 'test' }),
          respond: () => ({ kind: 'reaction', emoji: '👍' }),
          async after() {
            await ctx.models.text('summary', { system: 'Sum up.', messages: [{ role: 'user', text: 'hm' }] })
            await greet.schedule(null, { at: new Date(ctx.clock.now() + 60_000) })
          },
        }
      },
    })
    const log = await logOf([0, 'alice', 'hm', { context: true }], [300, 'bob', 'hm'], [600, 'bob', 'hm'])
    const counts = await run(log, [busy], {
      models: { chat: { name: 'paid', generate: () => Promise.reject(new Error('a replay costs nothing')) } },
    })
    expect(counts).toMatchObject({ reactions: 2, texts: 2, models: { summary: { calls: 2, failed: 0 } } })
    expect(Object.keys(counts.models)).toEqual(['summary'])
  })

  it('adds up files, each with its own bot', async () => {
    const log = await logOf([0, 'alice', 'one?'], [1_800, 'alice', 'two?'])
    const other = await logOf([0, 'bob', 'one?'])
    const turns: Turn[] = []
    const watch = plug('watch', { score: turn => void turns.push(turn) })
    expect(await run([log, log, other], [watch, eager])).toMatchObject({
      files: 3,
      messages: 5,
      dropped: 0,
      texts: 5,
      hours: 1,
    })
    expect(turns.at(-1)?.history.map(({ text }) => text)).toEqual(['one?'])
  })

  it('gives the same counts for the same seed, and others for another', async () => {
    const moody = definePlugin({
      name: 'moody',
      setup: ctx => ({
        decide: () => (ctx.random() < 0.5 ? { kind: 'full', why: 'why not', delayMs: 1_000 * ctx.random() } : undefined),
        respond: turn =>
          ctx.models.text('chat', { system: 'Answer.', messages: [{ role: 'user', text: turn.message.text }] }).then(text => ({
            kind: 'text',
            text,
          })),
      }),
    })
    const log = await logOf(...Array.from({ length: 100 }, (_, index): Said => [7 * index, `p${index % 5}`, `line ${index}`]))
    const first = JSON.stringify(await run(log, [moody]))
    expect(JSON.stringify(await run(log, [moody]))).toBe(first)
    expect(JSON.stringify(await run(log, [moody], { seed: 2 }))).not.toBe(first)
  })

  it('passes a line whose time is out of order in its turn', async () => {
    const turns: Turn[] = []
    const watch = plug('watch', { score: turn => void turns.push(turn) })
    const log = await logOf([60, 'alice', 'second'], [0, 'bob', 'first'], [120, 'alice', 'third'])
    expect(await run(log, [watch])).toMatchObject({ messages: 3, turns: 2, dropped: 0 })
    expect(turns.map(({ messages }) => messages.map(({ text }) => text))).toEqual([['second', 'first'], ['third']])
  })

  it('advances time for repeating work, after the last line too', async () => {
    let beats = 0
    const beat = definePlugin({ name: 'beat', setup: ctx => ctx.every('beat', '10m', () => void beats++) })
    await run(await logOf([1, 'alice', 'hm'], [3_600, 'alice', 'hm']), [beat])
    expect(beats).toBe(12)
  })

  it('without lines has no counts', async () => {
    expect(await run(await logOf())).toMatchObject({ files: 1, messages: 0, turns: 0, hours: 0 })
  })

  it('stops at a broken line, with the file and the line', async () => {
    const log = await logOf([0, 'alice', 'hm'], 'oops', [60, 'alice', 'hm'])
    await expect(run(log)).rejects.toMatchObject({
      code: 'LOG_FILE_INVALID',
      message: expect.stringContaining(`${log}, line 2: `),
    })
  })

  it('stops at a file that is missing, with its name', async () => {
    const good = await logOf([0, 'alice', 'hm'])
    await expect(run([good, join(folder, 'missing.jsonl')])).rejects.toMatchObject({
      code: 'LOG_FILE_INVALID',
      message: expect.stringMatching(/missing\.jsonl: ENOENT/),
    })
  })
})

describe('a plugin', () => {
  const never = new Promise<never>(() => {})
  const oops = () => {
    throw new Error('oops')
  }

  it.each([
    ['filter', { dropped: 2, turns: 0 }],
    ['address', { dropped: 0, turns: 2 }],
    ['score', { turns: 2, texts: 2 }],
    ['decide', { turns: 2, decisions: { silent: 1, full: 1 } }],
    ['context', { turns: 2, texts: 2 }],
    ['respond', { turns: 2, texts: 2 }],
    ['after', { turns: 2, texts: 2 }],
  ] as const)('that hangs or throws in %s does not stop it', async (stage, expected) => {
    const log = await logOf([0, 'alice', 'why?'], [300, 'alice', '@kiki why?', MENTION])
    const hanging = plug('hanging', { [stage]: () => never })
    expect(await run(log, [hanging, eager])).toMatchObject({ messages: 2, ...expected })
    const throwing = plug('throwing', { [stage]: oops })
    expect(await run(log, [throwing, eager])).toMatchObject({ messages: 2, ...expected })
  })

  it('whose job hangs or fails does not stop it', async () => {
    let aborted = false
    const stuck = definePlugin({
      name: 'stuck',
      setup(ctx) {
        ctx.every('fail', '1m', oops)
        const hang = ctx.job('hang', (_payload: null, signal) => {
          signal.addEventListener('abort', () => {
            aborted = true
          })
          return never
        })
        return { after: () => hang.schedule(null) }
      },
    })
    expect(await run(await logOf([0, 'alice', 'why?'], [300, 'bob', 'why?']), [stuck, eager])).toMatchObject({ texts: 2 })
    expect(aborted).toBe(true)
  })

  it('that is a platform is set up without its hooks', async () => {
    const heard: string[] = []
    const elsewhere = definePlatform({
      name: 'elsewhere',
      setup: () => ({
        platform: {
          name: 'elsewhere',
          me: { id: 'me', name: 'kiki' },
          limits: { textLength: 100 },
          start: oops,
          send: async () => oops(),
        },
        after: turn => void heard.push(turn.id),
      }),
    })
    expect(await run(await logOf([0, 'alice', 'why?']), [elsewhere, eager])).toMatchObject({ texts: 1 })
    expect(heard).toEqual([])
  })

  it('with optional tables gets none', async () => {
    let code: unknown
    const optional = definePlugin({
      name: 'optional',
      migrations: pathToFileURL(`${folder}/none/`),
      needsDatabase: () => false,
      async setup(ctx) {
        await ctx.db.query('select 1').catch((error: unknown) => {
          code = error instanceof Error && 'code' in error ? error.code : error
        })
      },
    })
    expect(await run(await logOf([0, 'alice', 'why?']), [optional, eager])).toMatchObject({ texts: 1 })
    expect(code).toBe('DATABASE_NONE')
  })

  it('with optional tables gets them when its options need them', async () => {
    const seen: boolean[] = []
    const migrations = await mkdtemp(join(folder, 'keeper-'))
    await writeFile(join(migrations, '001-shelf.sql'), 'create table keeper.shelf (book text);')
    const keeper = definePlugin({
      name: 'keeper',
      options: z.object({ keeps: z.boolean() }),
      migrations: pathToFileURL(`${migrations}/`),
      needsDatabase: ({ keeps }) => keeps,
      setup: ctx => void seen.push(ctx.db.kind !== 'none'),
    })
    const log = await logOf([0, 'alice', 'why?'])
    for (const keeps of [true, false]) await run([log], [keeper({ keeps }), eager])
    expect(seen).toEqual([true, false])
  })

  it('that remembers is left out, with the plugins that need its services, and the plugins that need theirs', async () => {
    const set: string[] = []
    const Shelf = service<string>('shelf')
    const shelf = definePlugin({
      name: 'shelf',
      remembers: true,
      provides: [Shelf],
      setup: ctx => {
        set.push('shelf')
        ctx.provide(Shelf, 'books')
      },
    })
    const Reading = service<string>('reading')
    const reader = definePlugin({
      name: 'reader',
      needs: [Shelf],
      provides: [Reading],
      setup(ctx) {
        set.push('reader')
        ctx.provide(Reading, 'aloud')
      },
    })
    const listener = definePlugin({ name: 'listener', needs: [Reading], setup: () => void set.push('listener') })
    const other = definePlugin({ name: 'other', setup: () => void set.push('other') })
    expect(await run(await logOf([0, 'alice', 'why?']), [[listener, reader, shelf], other, eager])).toMatchObject({ texts: 1 })
    expect(set).toEqual(['other'])
  })

  it('with tables gets a database, empty for each file', async () => {
    const migrations = join(folder, 'migrations')
    await mkdir(migrations)
    await writeFile(join(migrations, '001-heard.sql'), 'create table diary.heard (text text not null);')
    const rows: number[] = []
    const diary = definePlugin({
      name: 'diary',
      migrations: pathToFileURL(`${migrations}/`),
      setup: ctx => ({
        async after({ message }) {
          await ctx.db.query('insert into diary.heard (text) values ($1)', [message.text])
          rows.push((await ctx.db.query('select * from diary.heard')).rows.length)
        },
      }),
    })
    const log = await logOf([0, 'alice', 'one'], [60, 'alice', 'two'])
    expect(await run([log, log], [diary])).toMatchObject({ turns: 4, problems: 0 })
    expect(rows).toEqual([1, 2, 1, 2])
  })
})

it('starts no HTTP server, also with routes', async () => {
  const served: string[] = []
  const page = definePlugin({ name: 'page', servesHttp: () => true, setup: () => ({ routes: () => void served.push('page') }) })
  expect(await run(await logOf([0, 'alice', 'why?']), [page, eager])).toMatchObject({ texts: 1 })
  expect(served).toEqual([])
})

it('opens no port and no data folder', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  try {
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const taken = { http: `127.0.0.1:${port}`, database: join(folder, 'none', 'data') }
    expect(await run(await logOf([0, 'alice', 'why?']), [eager], taken)).toMatchObject({ texts: 1 })
  } finally {
    server.close()
  }
})

it('prints its counts as a table', async () => {
  const counts = await run(await logOf([0, 'alice', 'hm', { context: true }], [60, 'bob', 'why?'], [1_860, 'bob', 'hm']), [eager])
  expect(toText([{ name: '', counts }])).toBe(`files                     1  0.52 hours of talk
messages                  2  and 1 lines of context before them
  dropped                 0
turns                     2
  unasked                 2  100.0 per 100 messages
  judgements              0  0.0 per 100 messages
  silent                  1
  react                   0
  ack                     0
  full                    1
  delayed                 0
  cancelled               0
  failed                  0
posted texts              1  50.0 per 100 messages
posted reactions          0  0.0 per 100 messages
model calls               0  0.0 per 100 messages
tokens                    0  0.0 per 100 messages
problems                  0
`)
})
