import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { definePlugin, duration, type IncomingMessage, type PluginContext, StoredSettings } from 'kikimimi'
import { type TestBot, type TestBotOptions, testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { z } from 'zod'
import replay, { type ReplayRequest, Replays } from './index.ts'

const CHANNEL = 'test/team/general'

/** Speaks when a message has this many question marks. */
const eager = definePlugin({
  name: 'eager',
  options: z
    .strictObject({
      marks: z.int().min(1).max(9).default(2).describe('So many question marks.'),
      rest: duration.default('1m'),
      shouts: z.boolean().default(false),
    })
    .prefault({}),
  scoped: ['marks'],
  setup: (ctx, { shouts }) => ({
    score: ({ message }) => (message.text.includes('?') ? { points: 50, why: 'a question' } : undefined),
    decide({ message, conversation, addressed }) {
      if (addressed) return undefined
      const { marks } = ctx.optionsFor(conversation)
      const speaks = message.text.split('?').length > marks || (shouts && message.text.endsWith('!'))
      return speaks ? { kind: 'full', why: `${marks} marks` } : { kind: 'silent', why: 'too few marks' }
    },
    respond: () => ({ kind: 'text', text: 'never to be heard' }),
  }),
})

const judging = definePlugin({
  name: 'judging',
  setup: ctx => ({
    async decide({ message }) {
      if (!message.text.startsWith('hm')) return undefined
      await ctx.models.text('judge', { system: '', messages: [{ role: 'user', text: message.text }] })
      return { kind: 'full', why: 'the model says so' }
    },
  }),
})

type Said = readonly [second: number, author: string, text: string, more?: Partial<IncomingMessage> & { thread?: string }]

/** Carol is the busiest, and answers two of bob's three questions. */
const TALK: readonly Said[] = [
  [0, 'carol', 'good morning'],
  [100, 'bob', 'where is the key?'],
  [130, 'carol', 'in the drawer', { replyTo: { id: 'm1' } }],
  [300, 'bob', 'which drawer??'],
  [330, 'carol', 'the upper one', { replyTo: { id: 'm3' } }],
  [600, 'bob', 'anything else???'],
  [900, 'carol', 'hm'],
]

async function botWith(
  lines: readonly Said[],
  options: TestBotOptions = {},
): Promise<{ bot: TestBot; ctx: PluginContext } & AsyncDisposable> {
  let lent: PluginContext | undefined
  const lender = definePlugin({
    name: 'lender',
    needs: [Replays, StoredSettings],
    setup: ctx => {
      lent = ctx
    },
  })
  const bot = await testBot({
    storage: 'pglite',
    pacing: { jitter: 0 },
    ...options,
    plugins: [replay, lender, ...(options.plugins ?? [judging, eager])],
  })
  await heard(bot, lines)
  if (!lent) throw new Error('nothing was set up')
  return { bot, ctx: lent, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

async function heard({ bot, platform }: TestBot, lines: readonly Said[]): Promise<void> {
  for (const [index, [second, author, text, { thread, ...more } = {}]] of lines.entries()) {
    await bot.receive(platform, {
      id: `m${index}`,
      conversation: {
        platform: 'test',
        workspace: 'team',
        channel: 'general',
        name: 'general',
        visibility: 'public',
        ...(thread !== undefined && { thread }),
      },
      author: author === 'kiki' ? platform.me : { id: author, name: author },
      text,
      at: new Date(Date.UTC(2026, 0, 5, 8) + 1_000 * second),
      ...more,
    })
  }
}

const ask = (more: Partial<ReplayRequest> = {}): ReplayRequest => ({ channel: CHANNEL, settings: {}, limit: 500, ...more })

test('compares today’s options with others: the differences, and their number', async () => {
  await using one = await botWith(TALK)
  const done = await one.ctx.use(Replays).replay(ask({ settings: { eager: { marks: 1 } } }))
  expect(done).toMatchObject({
    messages: 7,
    from: new Date('2026-01-05T08:00:00Z'),
    to: new Date('2026-01-05T08:15:00Z'),
    today: { turns: { silent: 4, full: 2, asked: 1, react: 0, ack: 0 }, rules: [{ why: 'a question', times: 3 }] },
    changed: { turns: { silent: 3, full: 3, asked: 1 } },
    differences: [
      {
        message: 'm1',
        today: { kind: 'silent', why: 'too few marks', points: 50 },
        changed: { kind: 'full', why: '1 marks', points: 50 },
      },
    ],
  })
})

test('it is measured in the seats of the busiest members, by the messages that they answered', async () => {
  await using one = await botWith(TALK)
  const { today, changed } = await one.ctx.use(Replays).replay(ask({ members: 1, settings: { eager: { marks: 1 } } }))
  expect(today.places).toEqual({
    judgements: 0,
    considered: expect.closeTo(66.67, 2),
    coverage: 0.5,
    precision: 0.5,
    members: [{ name: 'carol', judgements: 0, considered: expect.closeTo(66.67, 2), coverage: 0.5, precision: 0.5 }],
  })
  expect(changed.places).toMatchObject({ coverage: 1, precision: expect.closeTo(2 / 3, 3) })
})

test('without answers between people nothing is measured', async () => {
  await using one = await botWith(TALK.map(([second, author, text]) => [second, author, text]))
  const { today } = await one.ctx.use(Replays).replay(ask())
  expect(today).not.toHaveProperty('places')
})

test('the bot replays itself: its messages are its history, and mentions, replies and settings count', async () => {
  await using one = await botWith([
    [0, 'kiki', 'good morning'],
    [60, 'bob', 'nice', { replyTo: { id: 'm0' } }],
    [120, 'bob', 'hello you', { mentions: [{ id: 'bot', name: 'kiki' }] }],
    [180, 'bob', 'well?', { thread: 'm0' }],
    [240, 'bob', 'well?'],
  ])
  const { ctx } = one
  await ctx.use(StoredSettings).set({ place: CHANNEL, plugin: 'eager', key: 'marks', value: 1, by: { id: 'bob', name: 'bob' } })
  const { today, changed, differences } = await ctx.use(Replays).replay(ask({ settings: { eager: { marks: 2 } } }))
  expect(today.turns).toMatchObject({ full: 4, silent: 0 })
  expect(changed.turns).toMatchObject({ full: 2, silent: 2 })
  expect(differences.map(({ message }) => message)).toEqual(['m3', 'm4'])
  expect(ctx.use(StoredSettings).list()).toMatchObject([{ value: 1 }])
})

test('options that are not scoped can be tried too, and the pacing', async () => {
  const lines: readonly Said[] = [
    [0, 'bob', 'look!'],
    [20, 'bob', 'see'],
  ]
  await using one = await botWith(lines, { pacing: { jitter: 0, minWait: '4s', channels: { general: { maxWait: '1m' } } } })
  const { changed } = await one.ctx.use(Replays).replay(ask({ settings: { eager: { shouts: true } } }))
  expect(changed.turns).toMatchObject({ full: 1, silent: 1 })
  const { changed: slower } = await one.ctx
    .use(Replays)
    .replay(ask({ settings: { eager: { shouts: true }, pacing: { minWait: '30s' } } }))
  expect(slower.turns).toMatchObject({ full: 0, silent: 1 })
})

test('only the last messages count, without deleted ones', async () => {
  await using one = await botWith(TALK)
  await one.bot.remove('m5')
  expect(await one.ctx.use(Replays).replay(ask({ limit: 3 }))).toMatchObject({
    messages: 3,
    from: new Date('2026-01-05T08:05:00Z'),
  })
})

test('nothing is sent or stored, and no model of the bot is called', async () => {
  let asked = 0
  const noisy = definePlugin({
    name: 'noisy',
    setup: ctx => {
      ctx.log.warn('set up')
    },
  })
  const model = { name: 'paid', generate: async () => ({ text: `${++asked}`, toolCalls: [] }) }
  await using one = await botWith(TALK, { plugins: [noisy, judging, eager], model })
  await one.bot.pass('1h')
  const before = { asked, posted: one.bot.posted.length, traces: (await one.bot.traces()).length, log: one.bot.log.length }
  await one.ctx.use(Replays).replay(ask())
  await one.bot.pass('1h')
  expect({ asked, posted: one.bot.posted.length, traces: (await one.bot.traces()).length, log: one.bot.log.length }).toEqual(
    before,
  )
})

test('the same request has the same result', async () => {
  await using one = await botWith(TALK, { pacing: { jitter: 0.3 } })
  const request = ask({ settings: { eager: { marks: 1 } } })
  const first = await one.ctx.use(Replays).replay(request)
  expect(await one.ctx.use(Replays).replay(request)).toEqual(first)
})

test('after a reload the new options are today’s options', async () => {
  const lender: { ctx?: PluginContext } = {}
  const lending = definePlugin({
    name: 'lending',
    needs: [Replays],
    setup: ctx => {
      lender.ctx = ctx
    },
  })
  await using one = await botWith(TALK, { plugins: [lending, judging, eager] })
  await one.bot.reload({ pacing: { jitter: 0 }, plugins: [replay, lending, judging, eager({ marks: 1 })] })
  expect(await lender.ctx?.use(Replays).replay(ask())).toMatchObject({ today: { turns: { full: 3 } }, differences: [] })
})

test('it reports its progress, and stops when it is aborted', async () => {
  await using one = await botWith(TALK)
  const shares: number[] = []
  await one.ctx.use(Replays).replay(ask({ progress: share => void shares.push(share) }))
  expect(shares.at(-1)).toBe(1)
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  const leaving = new AbortController()
  const gone = new Error('the page was closed')
  await expect(one.ctx.use(Replays).replay(ask({ signal: leaving.signal, progress: () => leaving.abort(gone) }))).rejects.toThrow(
    'the page was closed',
  )
  expect(await one.ctx.use(Replays).replay(ask())).toMatchObject({ messages: 7 })
})

test('plugins that need tables are left out, also when only the changed options need them', async () => {
  const keeping = definePlugin({
    name: 'ticks',
    options: z.strictObject({ much: z.boolean().default(false) }).prefault({}),
    migrations: new URL('./reload/', pathToFileURL(createRequire(import.meta.url).resolve('kikimimi/testing'))),
    needsDatabase: ({ much }) => much,
    setup: () => ({ decide: () => undefined }),
  })
  await using one = await botWith(TALK, { plugins: [keeping, judging, eager] })
  expect(await one.ctx.use(Replays).replay(ask())).toMatchObject({ leftOut: [] })
  const refused = one.ctx.use(Replays).replay(ask({ settings: { ticks: { much: true } } }))
  await expect(refused).rejects.toThrow('[ticks] cannot set that here: it would need tables of its own')
  await using other = await botWith(TALK, { plugins: [keeping({ much: true }), judging, eager] })
  expect(await other.ctx.use(Replays).replay(ask())).toMatchObject({ leftOut: ['ticks'] })
})

test('a second replay is refused while one runs', async () => {
  await using one = await botWith(TALK)
  const first = one.ctx.use(Replays).replay(ask())
  await expect(one.ctx.use(Replays).replay(ask())).rejects.toMatchObject({ code: 'REPLAY_BUSY' })
  await first
})

test.each([
  [{ eager: { marks: 10 } }, '[eager] cannot set marks to 10: Too big: expected number to be <=9.'],
  [{ eager: { marks: 'two' } }, '[eager] cannot set marks to "two": Invalid input: expected number, received string.'],
  [{ eager: { shouts: 'yes' } }, '[eager]\n  - shouts: expected boolean, got "yes"'],
  [{ eager: { loud: true } }, '[eager]\n  - unknown option: "loud"'],
  [{ lender: { x: 1 } }, '[lender] cannot set anything: this plugin has no options.'],
  [{ dashboard: { password: '' } }, '[dashboard] takes no part in a replay of this bot.'],
  [{ pacing: { minWait: 'soon' } }, /\[pacing\]\n {2}- minWait: expected a number of seconds .* or 'auto', got "soon"/],
  [{ pacing: { channels: {} } }, '[pacing]\n  - unknown option: "channels"'],
])('%j is refused with the reason', async (settings, message) => {
  await using one = await botWith(TALK)
  await expect(one.ctx.use(Replays).replay(ask({ settings }))).rejects.toThrow(message)
})

test('an unknown channel and one without messages have different errors', async () => {
  await using one = await botWith([[0, 'bob', 'well']])
  await expect(one.ctx.use(Replays).replay(ask({ channel: 'test/team/cellar' }))).rejects.toThrow(
    'never received a message in a channel',
  )
  await one.bot.remove('m0')
  await expect(one.ctx.use(Replays).replay(ask())).rejects.toThrow('The bot keeps no messages')
})

test('lists what can be tried: the pacing, and the options of plugins that affect decisions, with their values there', async () => {
  const mute = definePlugin({
    name: 'mute',
    options: z.strictObject({ much: z.number().default(1) }).prefault({}),
    setup: () => {},
  })
  const keeping = definePlugin({ name: 'keeping', remembers: true, setup: () => ({ score: () => undefined }) })
  await using one = await botWith(TALK, {
    plugins: [mute, keeping, judging, eager({ shouts: true })],
    pacing: { jitter: 0, channels: { general: { minWait: 'auto' } } },
  })
  const options = one.ctx.use(Replays).tunable({
    id: CHANNEL,
    platform: 'test',
    workspace: 'team',
    channel: 'general',
    name: 'general',
    visibility: 'public',
  })
  expect(options.map(({ plugin, option, value, from }) => `${plugin}.${option} = ${value}, ${from}`)).toEqual([
    'pacing.minWait = auto, channel general',
    'pacing.maxWait = 2m, default',
    'pacing.jitter = 0, bot.config.ts',
    'eager.marks = 2, default',
    'eager.rest = 1m, default',
    'eager.shouts = true, bot.config.ts',
  ])
  expect(options.find(({ option }) => option === 'marks')).toMatchObject({ takes: 'number', least: 1, most: 9, whole: true })
})
