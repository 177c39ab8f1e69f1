// postgres: sends and marks of several connections
import { describe, expect, it } from 'vitest'
import { definePlugin, type Platform, type PluginContext, type SendOptions, type Turn } from '../../api/index.ts'
import { KikimimiError } from '../../base/errors.ts'
import { type TestBot, testBot } from '../../testing/test-bot.ts'

/** Answers with the words after `@kiki`. */
function parrot(turns: Turn[] = []) {
  return definePlugin({
    name: 'parrot',
    setup: () => ({
      respond(turn) {
        turns.push(turn)
        return { kind: 'text', text: turn.message.text.replace('@kiki ', '') }
      },
    }),
  })
}

interface Left {
  readonly nonce: string
  readonly state: 'pending' | 'sending' | 'sent'
  readonly turn?: string
  readonly part?: number
  readonly kind?: 'text' | 'reaction'
  readonly target?: string
  /** Default: a minute ago. */
  readonly at?: Date
}

/** The deliveries that an ended process has stored. Their texts are their nonces. */
async function leave(bot: TestBot, ...deliveries: readonly Left[]): Promise<void> {
  for (const { nonce, state, turn = 'dead', part = 1, kind = 'text', target = null, at } of deliveries) {
    await bot.db.query(
      `insert into kikimimi.delivery (nonce, conversation, turn, part, kind, body, target, state, at)
       values ($1, 'test/team/general', $2, $3, $4, $5, $6, $7, $8)`,
      [nonce, turn, part, kind, kind === 'text' ? nonce : '👍', target, state, at ?? new Date(bot.clock.now() - 60_000)],
    )
  }
}

async function states(bot: TestBot): Promise<Record<string, string>> {
  const { rows } = await bot.db.query<{ nonce: string; state: string }>(
    `select nonce, state from kikimimi.delivery where length(nonce) < 25 order by nonce`,
  )
  return Object.fromEntries(rows.map(({ nonce, state }) => [nonce, state]))
}

const nonces = (bot: TestBot) => bot.posted.flatMap(one => (one.kind === 'text' ? [one.nonce] : []))

describe('a pending message of an ended process', () => {
  it('is posted by the next turn, before anything new, and once', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [parrot()] })
    await leave(bot, { nonce: 'n1', state: 'pending' })
    await bot.say('alice', '@kiki one')
    await bot.say('alice', '@kiki two')
    expect(bot.sent).toEqual(['n1', 'one', 'two'])
    expect(await states(bot)).toEqual({ n1: 'sent' })
    const dead = (await bot.traces()).find(({ turn }) => turn === 'dead')
    expect(dead).toMatchObject({ outcome: 'replied', why: 'the process that made the answer ended before it was sent' })
    expect(dead?.sent).toHaveLength(1)
  })

  it('waits while another process may still send it, and is posted then', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [parrot()] })
    await leave(bot, { nonce: 'n1', state: 'pending', at: new Date(bot.clock.now() - 1_000) })
    await bot.say('alice', '@kiki one')
    // The embedded database has one process.
    expect(bot.sent).toEqual(bot.db.kind === 'postgres' ? ['one'] : ['n1', 'one'])
    await bot.pass('1m')
    expect(bot.sent.toSorted()).toEqual(['n1', 'one'])
  })

  it('is not posted after its time limit', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [parrot()] })
    await leave(bot, { nonce: 'n1', state: 'pending', at: new Date(bot.clock.now() - 11 * 60_000) })
    await bot.say('alice', '@kiki one')
    expect(bot.sent).toEqual(['one'])
    expect(await states(bot)).toEqual({ n1: 'lost' })
  })

  it('continues in the thread that its first part opened', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [parrot()], platform: { opensThreads: true } })
    await bot.say('alice', 'hello')
    await leave(bot, { nonce: 'n1', state: 'sent', part: 1, target: 'm1' }, { nonce: 'n2', state: 'pending', part: 2 })
    await bot.db.query(`update kikimimi.delivery set thread = 'm1' where state = 'pending'`)
    await bot.say('alice', '@kiki one')
    expect(bot.posted.map(one => [one.kind === 'text' && one.text, one.thread])).toEqual([
      ['n2', 'm1'],
      ['one', undefined],
    ])
  })

  it('is not sent again when its nonce is too old for the platform', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [parrot()], platform: { idempotent: true } })
    await leave(bot, { nonce: 'n1', state: 'sending', at: new Date(bot.clock.now() - 3 * 60_000) })
    await bot.say('alice', '@kiki one')
    expect(bot.sent).toEqual(['one'])
    expect(await states(bot)).toEqual({ n1: 'lost' })
  })

  it('is not sent again in a place whose posts have no nonce', async () => {
    const idempotent = ({ channel }: { readonly channel: string }) => channel !== 'general'
    await using bot = await testBot({ storage: 'pglite', plugins: [parrot()], platform: { idempotent } })
    await leave(bot, { nonce: 'n1', state: 'sending' })
    await bot.say('alice', '@kiki one')
    expect(bot.sent).toEqual(['one'])
    expect(await states(bot)).toEqual({ n1: 'lost' })
  })

  it('is recorded as a message of the bot', async () => {
    const turns: Turn[] = []
    await using bot = await testBot({ storage: 'pglite', plugins: [parrot(turns)] })
    await bot.say('alice', 'hello')
    await leave(bot, { nonce: 'n1', state: 'pending', target: 'm1' })
    await bot.say('alice', '@kiki one')
    await bot.say('alice', '@kiki two')
    expect(turns[1]?.history.map(({ text, own, replyTo }) => [text, own, replyTo])).toEqual([
      ['hello', false, undefined],
      ['@kiki one', false, undefined],
      ['n1', true, 'm1'],
      ['one', true, undefined],
      ['@kiki two', false, undefined],
    ])
  })

  it('keeps its order', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [parrot()] })
    await leave(
      bot,
      { nonce: 'n3', state: 'pending', part: 3 },
      { nonce: 'n1', state: 'sent', part: 1 },
      { nonce: 'n10', state: 'pending', part: 10 },
      { nonce: 'n2', state: 'pending', part: 2 },
    )
    await bot.say('alice', '@kiki one')
    expect(bot.sent).toEqual(['n2', 'n3', 'n10', 'one'])
  })

  it('can be a reaction', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [parrot()] })
    await bot.say('alice', 'hello')
    await leave(bot, { nonce: 'n1', state: 'pending', kind: 'reaction', target: 'm1' })
    await bot.say('alice', '@kiki one')
    expect(bot.posted[0]).toEqual({ kind: 'reaction', channel: 'general', emoji: '👍', to: 'm1' })
  })

  it('needs no new message: the interrupted turn runs again', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [parrot()] })
    await bot.say('alice', 'hello')
    await leave(bot, { nonce: 'n1', state: 'pending' })
    await bot.pass('10s')
    expect(bot.sent).toEqual(['n1'])
  })
})

describe('a message that an ended process was sending', () => {
  it('is given up where a second attempt could post it twice', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [parrot()] })
    await leave(bot, { nonce: 'n1', state: 'sending' })
    await bot.say('alice', '@kiki one')
    expect(bot.sent).toEqual(['one'])
    expect(await states(bot)).toEqual({ n1: 'lost' })
  })

  it('is given up with the rest of its answer only', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [parrot()] })
    await leave(
      bot,
      { nonce: 'a1', state: 'sent', turn: 'a', part: 1 },
      { nonce: 'a2', state: 'sending', turn: 'a', part: 2 },
      { nonce: 'a3', state: 'pending', turn: 'a', part: 3 },
      { nonce: 'b1', state: 'pending', turn: 'b' },
    )
    await bot.say('alice', '@kiki one')
    expect(bot.sent).toEqual(['b1', 'one'])
    expect(await states(bot)).toEqual({ a1: 'sent', a2: 'lost', a3: 'failed', b1: 'sent' })
  })

  it('is posted with its nonce where it had not arrived, and the rest after it', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [parrot()], platform: { idempotent: true } })
    await leave(bot, { nonce: 'n1', state: 'sending' }, { nonce: 'n2', state: 'pending', part: 2 })
    await bot.say('alice', '@kiki one')
    expect(bot.sent).toEqual(['n1', 'n2', 'one'])
    expect(nonces(bot).slice(0, 2)).toEqual(['n1', 'n2'])
    expect(await states(bot)).toEqual({ n1: 'sent', n2: 'sent' })
  })

  it('is not posted twice where it had arrived, and is recorded', async () => {
    const turns: Turn[] = []
    await using bot = await testBot({ storage: 'pglite', plugins: [parrot(turns)], platform: { idempotent: true } })
    await bot.say('alice', 'hello')
    await leave(bot, { nonce: 'n1', state: 'sending' })
    await bot.platform.send(GENERAL, { text: 'n1', nonce: 'n1' }, AbortSignal.timeout(1_000))
    await bot.say('alice', '@kiki one')
    await bot.say('alice', '@kiki two')
    expect(bot.sent).toEqual(['n1', 'one', 'two'])
    expect(turns[1]?.history.filter(({ own }) => own).map(({ text }) => text)).toEqual(['n1', 'one'])
  })
})

describe('a part that cannot be posted', () => {
  it('gives up the rest of its answer', async () => {
    await using bot = await testBot({ plugins: [parrot()], platform: { textLength: 10 } })
    bot.platform.faults.push(Promise.resolve(), new Error('too busy'))
    await bot.say('alice', '@kiki one two, three four, five six')
    expect(bot.sent).toEqual(['one two,'])
    expect(await bot.trace()).toMatchObject({ outcome: 'failed', why: 'too busy' })
    await bot.say('alice', '@kiki next')
    expect(bot.sent).toEqual(['one two,', 'next'])
  })

  it('does so after a crash too, for its own answer only', async () => {
    await using bot = await testBot({ storage: 'pglite', plugins: [parrot()] })
    await leave(
      bot,
      { nonce: 'a1', state: 'pending', turn: 'a', part: 1 },
      { nonce: 'a2', state: 'pending', turn: 'a', part: 2 },
      { nonce: 'a3', state: 'pending', turn: 'a', part: 3 },
      { nonce: 'b1', state: 'pending', turn: 'b' },
    )
    bot.platform.faults.push(Promise.resolve(), new Error('too busy'))
    await bot.say('alice', '@kiki one')
    expect(bot.sent).toEqual(['a1', 'b1', 'one'])
    expect(await states(bot)).toEqual({ a1: 'sent', a2: 'failed', a3: 'failed', b1: 'sent' })
  })
})

/** The platform has not posted the message, and takes one after this time. */
const limited = (retryAfterMs: number) => Object.assign(new Error('rate limited'), { retryAfterMs })
/** Whether the platform has posted the message is unknown. */
const unknown = () => new KikimimiError('PLATFORM_UNAVAILABLE', 'no response')

describe.each(['memory', 'pglite'] as const)('an answer that the platform does not take at first, storage %s', storage => {
  it.each([30_000, 300_000])('waits for the rate limit of %s ms, is posted once, and its trace says both', async ms => {
    await using bot = await testBot({ storage, plugins: [parrot()] })
    bot.platform.faults.push(limited(ms))
    const asked = await bot.say('alice', '@kiki one')
    expect(bot.sent).toEqual([])
    expect(await bot.trace()).toMatchObject({ outcome: 'delayed', why: 'rate limited', answers: [asked], sent: [] })
    await bot.pass(`${ms - 1}ms`)
    expect(bot.sent).toEqual([])
    await bot.pass('1s')
    expect(bot.sent).toEqual(['one'])
    const [posted] = bot.posted
    const trace = await bot.trace()
    expect(trace).toMatchObject({ outcome: 'replied', sent: [posted?.kind === 'text' ? posted.id : ''] })
    expect(trace.why).toBeUndefined()
    await bot.pass('1h')
    expect(bot.sent).toEqual(['one'])
  })

  it('keeps the order of its parts and of later answers', async () => {
    await using bot = await testBot({ storage, plugins: [parrot()], platform: { textLength: 10 } })
    bot.platform.faults.push(Promise.resolve(), limited(60_000))
    await bot.say('alice', '@kiki one two, three four')
    await bot.say('bob', '@kiki five')
    expect(bot.sent).toEqual(['one two,'])
    await bot.pass('61s')
    expect(bot.sent).toEqual(['one two,', 'three four', 'five'])
    expect((await bot.traces()).map(({ outcome }) => outcome)).toEqual(['replied', 'replied'])
  })

  it('is given up when it is older than sendWithin', async () => {
    await using bot = await testBot({ storage, plugins: [parrot()], sendWithin: '2m' })
    bot.platform.faults.push(limited(60_000), limited(50_000), limited(30_000))
    await bot.say('alice', '@kiki one')
    await bot.pass('10m')
    expect(bot.sent).toEqual([])
    expect(await bot.trace()).toMatchObject({ outcome: 'failed', why: 'rate limited' })
    await bot.say('alice', '@kiki two')
    expect(bot.sent).toEqual(['two'])
  })

  it('is posted by the next start of the bot', async () => {
    if (storage === 'memory') return
    await using bot = await testBot({ storage, plugins: [parrot()] })
    bot.platform.faults.push(limited(60_000))
    await bot.say('alice', '@kiki one')
    await bot.restart()
    expect(bot.sent).toEqual([])
    await bot.pass('61s')
    expect(bot.sent).toEqual(['one'])
  })

  it('is not posted after STOP, nor when its question was deleted', async () => {
    await using bot = await testBot({ storage, plugins: [parrot()] })
    bot.platform.faults.push(limited(60_000))
    await bot.say('alice', '@kiki one')
    await bot.say('root', '@kiki STOP', { admin: true })
    await bot.pass('2m')
    await bot.say('root', '@kiki START', { admin: true })
    await bot.pass('2m')
    expect(bot.sent).not.toContain('one')
    if (storage === 'memory') return
    bot.platform.faults.push(limited(60_000))
    const asked = await bot.say('alice', '@kiki two')
    await bot.remove(asked)
    await bot.pass('2m')
    expect(bot.sent).not.toContain('two')
  })

  it('is not posted when other people can read the channel meanwhile', async () => {
    if (storage === 'memory') return
    await using bot = await testBot({ storage, plugins: [parrot()] })
    await bot.say('alice', 'hello', { visibility: 'private' })
    bot.platform.faults.push(limited(60_000))
    await bot.say('alice', '@kiki one', { visibility: 'private' })
    await bot.say('bob', 'now it is open', { visibility: 'public' })
    await bot.pass('2m')
    expect(bot.sent).toEqual([])
  })

  it('is posted once when it is unknown whether it was posted, where the platform knows', async () => {
    await using bot = await testBot({ storage, plugins: [parrot()], platform: { finds: true } })
    bot.platform.faults.push({ afterwards: unknown() }, unknown())
    await bot.say('alice', '@kiki one')
    await bot.pass('1m')
    bot.platform.faults.push(unknown(), unknown())
    await bot.say('alice', '@kiki two')
    await bot.pass('1m')
    expect(bot.sent).toEqual(['one', 'two'])
    expect((await bot.traces()).map(({ outcome }) => outcome)).toEqual(['replied', 'replied'])
  })

  it('is posted once when the network fails', async () => {
    await using bot = await testBot({ storage, plugins: [parrot()], platform: { finds: true } })
    const failed = () => new TypeError('fetch failed', { cause: new Error('read ECONNRESET') })
    bot.platform.faults.push({ afterwards: failed() }, failed())
    await bot.say('alice', '@kiki one')
    await bot.pass('1m')
    expect(bot.sent).toEqual(['one'])
    expect((await bot.trace()).outcome).toBe('replied')
  })

  it('is given up when it is unknown whether it was posted, where the platform cannot say', async () => {
    await using bot = await testBot({ storage, plugins: [parrot()] })
    bot.platform.faults.push(unknown())
    await bot.say('alice', '@kiki one')
    await bot.pass('2m')
    expect(bot.sent).toEqual([])
    expect(await bot.trace()).toMatchObject({ outcome: 'failed', why: 'no response' })
  })

  it('is posted with its nonce where the platform refuses doubles', async () => {
    await using bot = await testBot({ storage, plugins: [parrot()], platform: { idempotent: true } })
    bot.platform.faults.push({ afterwards: unknown() }, unknown())
    await bot.say('alice', '@kiki one')
    await bot.pass('1m')
    expect(bot.sent).toEqual(['one'])
    expect(await bot.trace()).toMatchObject({ outcome: 'replied' })
  })
})

it('a message that a plugin sends is not sent later: the plugin learns that it failed', async () => {
  let ctx: PluginContext | undefined
  const reminding = definePlugin({
    name: 'reminding',
    setup(given) {
      ctx = given
    },
  })
  await using bot = await testBot({ plugins: [reminding] })
  bot.platform.faults.push(limited(30_000))
  await expect(ctx?.send(GENERAL, { kind: 'text', text: 'good day' }, { sources: 'none' })).rejects.toMatchObject({
    code: 'SEND_FAILED',
  })
  await bot.pass('10m')
  expect(bot.sent).toEqual([])
})

describe('a message that a plugin sends names its sources', () => {
  async function sending() {
    let ctx: PluginContext | undefined
    const reminding = definePlugin({
      name: 'reminding',
      setup(given) {
        ctx = given
      },
    })
    const bot = await testBot({ storage: 'pglite', plugins: [reminding] })
    const send = (channel: string, sources: SendOptions['sources'], more: Partial<SendOptions> = {}) =>
      ctx?.send({ ...GENERAL, channel, name: channel }, { kind: 'text', text: 'the code is 4821' }, { ...more, sources })
    const own = async () =>
      (await bot.db.query<{ text: string }>('select text from kikimimi_v1.message where own order by seq')).rows.map(
        ({ text }) => text,
      )
    return { bot, ctx, send, own, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
  }
  const from = (...messages: readonly string[]) => [{ channel: 'test/team/general', messages }]

  it('or is refused', async () => {
    await using w = await sending()
    // @ts-expect-error: it names none.
    const send = () => w.ctx?.send(GENERAL, { kind: 'text', text: 'hello' }, {})
    await expect(send()).rejects.toMatchObject({ code: 'ARGUMENT_INVALID', message: expect.stringContaining("'none'") })
    const odd = [{ channel: 'test/team/general' }] as unknown as SendOptions['sources']
    await expect(w.send('general', odd)).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
    expect(w.bot.sent).toEqual([])
  })

  it('and waits for no platform once one of them is gone', async () => {
    await using w = await sending()
    const said = await w.bot.say('alice', 'the code is 4821')
    w.bot.platform.faults.push(limited(30_000))
    await w.send('general', from(said), { until: new Date(w.bot.clock.now() + 600_000) })
    await w.bot.remove(said)
    await w.bot.pass('10m')
    expect(w.bot.sent).toEqual([])
    await expect(w.send('general', from(said))).rejects.toMatchObject({ code: 'SOURCES_LOST' })
  })

  it('and leaves the log of other channels when the channel of one of them is closed', async () => {
    await using w = await sending()
    const said = await w.bot.say('alice', 'the code is 4821')
    await w.send('general', from(said))
    await w.send('random', from(said))
    expect(await w.own()).toEqual(['the code is 4821', 'the code is 4821'])
    await w.bot.say('alice', 'hello', { visibility: 'private' })
    expect(await w.own()).toEqual(['the code is 4821', ''])
  })

  it('which are known as long as it is in the log', async () => {
    await using w = await sending()
    const said = await w.bot.say('alice', 'the code is 4821')
    await w.send('general', from(said))
    await w.bot.pass('89d')
    await w.bot.remove(said)
    expect(await w.own()).toEqual([''])
  })
})

describe('a message that a plugin sends with `until`', () => {
  async function reminded(end: number) {
    let ctx: PluginContext | undefined
    const reminding = definePlugin({
      name: 'reminding',
      setup(given) {
        ctx = given
      },
    })
    const bot = await testBot({ storage: 'pglite', plugins: [reminding] })
    await bot.say('alice', 'good morning')
    const send = (also: () => Promise<void>) =>
      ctx?.send(GENERAL, { kind: 'text', text: 'good day' }, { sources: 'none', until: new Date(bot.clock.now() + end), also })
    return { bot, send, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
  }

  it('waits for the platform, with what was stored beside it', async () => {
    await using w = await reminded(60_000)
    w.bot.platform.faults.push(limited(30_000))
    const marks: string[] = []
    expect(await w.send(async () => void marks.push('told'))).toEqual([])
    await w.bot.pass('29s')
    expect(w.bot.sent).toEqual([])
    await w.bot.pass('2s')
    expect([w.bot.sent, marks]).toEqual([['good day'], ['told']])
    const why = 'a message that is not a reply was sent later'
    expect((await w.bot.traces()).filter(({ outcome }) => outcome === 'replied')).toMatchObject([{ why }])
    await w.bot.pass('10m')
    expect(w.bot.sent).toHaveLength(1)
  })

  it('does not wait longer than that', async () => {
    await using w = await reminded(20_000)
    w.bot.platform.faults.push(limited(30_000))
    await expect(w.send(async () => {})).rejects.toMatchObject({ code: 'SEND_FAILED' })
  })

  it('is not sent when what belongs to it cannot be stored', async () => {
    await using w = await reminded(60_000)
    await expect(w.send(async () => Promise.reject(new Error('told already')))).rejects.toThrow('told already')
    await w.bot.pass('10m')
    expect(w.bot.sent).toEqual([])
  })
})

describe('an unasked answer that is being sent', () => {
  it('is not taken for an interrupted one, even when it takes long', async () => {
    let ctx: PluginContext | undefined
    const proactive = definePlugin({
      name: 'proactive',
      setup(given) {
        ctx = given
      },
    })
    await using bot = await testBot({ plugins: [proactive, parrot()], platform: { textLength: 10 } })
    const busy = Promise.withResolvers<void>()
    bot.platform.faults.push(busy.promise)
    const said = ctx?.send(GENERAL, { kind: 'text', text: 'good day, everybody' }, { sources: 'none' })
    await expect.poll(() => bot.platform.faults).toEqual([])
    await bot.say('alice', '@kiki one')
    busy.resolve()
    expect(await said).toHaveLength(2)
    expect(bot.sent.toSorted()).toEqual(['everybody', 'good day,', 'one'])
  })
})

it('a message that a plugin sends is refused if more people read the conversation than it knows', async () => {
  let ctx: PluginContext | undefined
  const reminding = definePlugin({
    name: 'reminding',
    setup(given) {
      ctx = given
    },
  })
  await using bot = await testBot({ storage: 'pglite', plugins: [reminding] })
  await bot.say('alice', 'good morning')
  const send = (readers: { readonly outsiders?: true }) =>
    ctx?.send({ ...GENERAL, readers }, { kind: 'text', text: 'the price is 100' }, { sources: 'none' })
  await send({})
  await bot.say('bob', 'let me add our partners', { thread: 't', readers: { own: false, outsiders: true } })
  await expect(send({})).rejects.toMatchObject({ code: 'SEND_FAILED', message: 'Other people can read the conversation now.' })
  expect(bot.sent).toEqual(['the price is 100'])
  await send({ outsiders: true })
  expect(bot.sent).toHaveLength(2)
})

const GENERAL = {
  id: 'test/team/general',
  platform: 'test',
  workspace: 'team',
  channel: 'general',
  name: 'general',
  visibility: 'public',
} as const

describe('a quoted answer that opens a thread', () => {
  it('is recorded there with all parts, and the bot takes part in that thread', async () => {
    const turns: Turn[] = []
    const long = `${'a'.repeat(1_500)}\n\n${'b'.repeat(1_500)}`
    const responder = definePlugin({
      name: 'quoting',
      setup: () => ({
        respond(turn) {
          turns.push(turn)
          return { kind: 'text', text: long, replyTo: turn.message.id }
        },
      }),
    })
    await using bot = await testBot({ plugins: [responder], platform: { opensThreads: true } })
    const asked = await bot.say('alice', '@kiki tell me')
    expect(bot.posted.map(({ thread }) => thread)).toEqual([asked, asked])
    await bot.say('alice', '@kiki and then?')
    await bot.say('alice', '@kiki thanks', { thread: asked })
    const [, inChannel, inThread] = turns
    expect(inChannel?.history.map(({ own }) => own)).toEqual([false, false])
    expect(inThread?.history.map(({ own }) => own)).toEqual([true, true, false])
    expect(inThread?.lastReplyAt).toEqual(new Date('2026-01-05T10:00:00Z'))
  })
})

it('lets a platform split a text in its own way', async () => {
  const posted: string[] = []
  const place = { platform: 'lines', workspace: '', channel: 'hall', name: 'hall', visibility: 'public' } as const
  const platform: Platform = {
    name: 'lines',
    me: { id: 'bot', name: 'kiki' },
    limits: { textLength: 2_000 },
    split: ({ name }, text) => text.split('\n').map(line => `${name}: ${line}`),
    async send(_conversation, { text }) {
      posted.push(text)
      return { id: `p${posted.length}` }
    },
  }
  await using bot = await testBot({ plugins: [parrot()], morePlatforms: [platform] })
  const [author, at] = [{ id: 'alice', name: 'alice' }, new Date('2026-01-05T10:00:00Z')]
  await bot.bot.receive(platform, { id: 'm1', conversation: place, author, text: '@kiki one\ntwo', at, mentions: [platform.me] })
  await bot.pass('1m')
  expect(posted).toEqual(['hall: one', 'hall: two'])
})
