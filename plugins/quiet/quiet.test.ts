import { definePlugin, startBot } from 'kikimimi'
import { type TestBot, testBot, testPlatform } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import quiet from './index.ts'

type Options = Parameters<typeof quiet>[0]

/** Answers every message, addressed or not, and counts its calls. */
function eager(delayMs = 0) {
  const thoughts: string[] = []
  const plugin = definePlugin({
    name: 'eager',
    setup: () => ({
      decide: ({ message }) => {
        thoughts.push(message.text)
        return { kind: 'full', why: 'eager', delayMs }
      },
      respond: ({ message }) => ({ kind: 'text', text: `about: ${message.text}` }),
    }),
  })
  return { plugin, thoughts }
}

const names = ['キキ']

async function kiki(options?: Options | ReturnType<typeof quiet>, more: Parameters<typeof testBot>[0] = {}) {
  const { plugin, thoughts } = eager()
  const bot = await testBot({
    persona: { name: 'kiki', names },
    plugins: [options && 'definition' in options ? options : quiet(options), nameless, plugin],
    pacing: { minWait: '4s', jitter: 0 },
    ...more,
  })
  return Object.assign(bot, { thoughts })
}

/** Addresses the bot by name, like judge-rules. */
const nameless = definePlugin({
  name: 'names',
  setup: () => ({ address: ({ text }) => (/kiki|キキ/i.test(text) ? 'name' : undefined) }),
})

async function unasked(bot: TestBot, text = 'I like trains', where: { channel?: string; thread?: string } = {}) {
  const before = bot.posted.length
  await bot.say('bob', text, where)
  await bot.pass('10s')
  return bot.posted.slice(before).map(one => (one.kind === 'text' ? one.text : one.emoji))
}

const UNASKED = ['about: I like trains']

describe('quiet hours', () => {
  const night = { hours: { from: '23:00', to: '07:00' } }

  test.each([
    ['2026-01-05T22:59:00Z', false],
    ['2026-01-05T23:00:00Z', true],
    ['2026-01-06T03:00:00Z', true],
    ['2026-01-06T06:59:00Z', true],
    ['2026-01-06T07:00:00Z', false],
  ])('at %s: %s', async (at, silent) => {
    await using bot = await kiki(night, { at: new Date(at) })
    expect(await unasked(bot)).toEqual(silent ? [] : UNASKED)
    expect(bot.thoughts).toHaveLength(silent ? 0 : 1)
    if (silent) expect((await bot.trace()).decision).toEqual({ plugin: 'quiet', kind: 'silent', why: 'quiet hours' })
  })

  test('an addressed message is answered', async () => {
    await using bot = await kiki(night, { at: new Date('2026-01-05T23:30:00Z') })
    await bot.say('alice', '@kiki are you awake?')
    await bot.say('花子', 'キキ、起きてる？')
    expect(bot.sent).toEqual(['about: @kiki are you awake?', 'about: キキ、起きてる？'])
  })

  test.each([
    ['2026-01-05T13:59:00Z', false],
    ['2026-01-05T14:00:00Z', true],
    ['2026-01-05T21:59:00Z', true],
    ['2026-01-05T22:00:00Z', false],
  ])('in Tokyo, at %s: %s', async (at, silent) => {
    await using bot = await kiki(night, { at: new Date(at), timeZone: 'Asia/Tokyo' })
    expect(await unasked(bot)).toEqual(silent ? [] : UNASKED)
  })

  test('the hours may lie within one day', async () => {
    await using bot = await kiki({ hours: { from: '12:00', to: '13:00' } })
    expect(await unasked(bot)).toEqual(UNASKED)
    await bot.pass('130m')
    expect(await unasked(bot)).toEqual([])
    await bot.pass('1h')
    expect(await unasked(bot)).toEqual(UNASKED)
  })

  test('invalid hours are refused at the start', async () => {
    await expect(kiki({ hours: { from: '25:00', to: '7' } })).rejects.toMatchObject({
      code: 'OPTIONS_INVALID',
      message: expect.stringMatching(/hours\.from: .*"25:00"[\s\S]*hours\.to: .*"7"/),
    })
    await expect(kiki({ hours: { from: '07:00', to: '07:00' } })).rejects.toMatchObject({ code: 'OPTIONS_INVALID' })
  })
})

test('a channel can have its own hours', async () => {
  const office = { hours: { from: '18:00', to: '09:00' } }
  await using bot = await kiki(quiet({}, { channels: { office } }), { at: new Date('2026-01-05T20:00:00Z') })
  await bot.say('alice', 'still here', { channel: 'office' })
  await bot.say('alice', 'me too')
  await bot.pass('1m')
  expect(bot.thoughts).toEqual(['me too'])
})

describe('asked to be quiet', () => {
  test.each(['@kiki be quiet', 'kiki, shut up', 'キキ、少し黙って', '@kiki 静かにして'])(
    'it shows that it has understood, and is: %s',
    async text => {
      await using bot = await kiki()
      const to = await bot.say('alice', text)
      expect(bot.posted).toEqual([{ kind: 'reaction', channel: 'general', emoji: '👌', to }])
      expect(await bot.trace()).toMatchObject({ outcome: 'replied', decision: { plugin: 'quiet', kind: 'react' }, models: [] })

      expect(await unasked(bot)).toEqual([])
      expect(await bot.trace()).toMatchObject({
        outcome: 'silent',
        score: { points: 0, parts: [{ plugin: 'quiet', why: 'was asked to be quiet' }] },
        decision: { plugin: 'quiet', why: 'was asked to be quiet' },
      })
      expect(bot.thoughts).toEqual([])
    },
  )

  test('by a reply to the bot', async () => {
    await using bot = await kiki()
    await bot.say('alice', '@kiki hello')
    const [said] = bot.posted
    await bot.say('alice', 'not another word please', { replyTo: { id: said?.kind === 'text' ? said.id : '' } })
    expect(bot.posted.slice(1)).toMatchObject([{ kind: 'reaction', emoji: '👌' }])
    expect(await unasked(bot)).toEqual([])
  })

  test.each(['shut up for an hour', '静かにして'])('without a name, shortly after the bot spoke: %s', async text => {
    await using bot = await kiki()
    await bot.say('alice', '@kiki hello')
    await bot.pass('2m')
    const to = await bot.say('bob', text)
    await bot.say('alice', 'haha')
    await bot.pass('10s')
    expect(bot.posted.slice(1)).toEqual([{ kind: 'reaction', channel: 'general', emoji: '👌', to }])
    expect(await unasked(bot)).toEqual([])
  })

  test('words that people say to each other do not mute the bot', async () => {
    await using bot = await kiki()
    await bot.say('alice', '@kiki hello')
    await bot.pass('6m')
    expect(await unasked(bot, 'be quiet')).toEqual(['about: be quiet'])
    expect(await unasked(bot, '@alice be quiet')).toEqual(['about: @alice be quiet'])
  })

  test('a mute covers the whole channel with its threads, and no other channel', async () => {
    await using bot = await kiki()
    await bot.say('alice', '@kiki be quiet', { thread: 't1' })
    expect(await unasked(bot)).toEqual([])
    expect(await unasked(bot, 'I like trains', { thread: 't1' })).toEqual([])
    expect(await unasked(bot, 'I like trains', { thread: 't2' })).toEqual([])
    expect(await unasked(bot, 'I like trains', { channel: 'random' })).toEqual(UNASKED)
  })

  test('a mute works in a direct conversation, where messages still get answers', async () => {
    await using bot = await kiki()
    await bot.say('alice', 'be quiet', { channel: 'dm', visibility: 'direct' })
    await bot.say('alice', 'hello', { channel: 'dm', visibility: 'direct' })
    expect(bot.posted).toMatchObject([{ kind: 'reaction', emoji: '👌' }, { text: 'about: hello' }])
  })

  test('a mute survives a restart', async () => {
    await using bot = await kiki(undefined, { storage: 'pglite' })
    await bot.say('alice', '@kiki be quiet')
    await bot.restart()
    expect(await unasked(bot)).toEqual([])
    await bot.pass('1h')
    expect(await unasked(bot)).toEqual(UNASKED)
  })

  test('a later message to the bot is answered', async () => {
    await using bot = await kiki()
    await bot.say('alice', '@kiki hello')
    const [said] = bot.posted
    const replyTo = { id: said?.kind === 'text' ? said.id : '' }
    const thinking = Promise.withResolvers<void>()
    bot.platform.faults.push(thinking.promise)
    await bot.say('carol', '@kiki good morning')
    await bot.say('alice', '@kiki be quiet')
    await bot.say('bob', 'what do you mean?', { replyTo })
    thinking.resolve()
    await bot.pass('1s')
    expect(bot.sent.at(-1)).toBe('about: what do you mean?')
    expect(await unasked(bot)).toEqual([])
  })
})

describe('duration of a mute', () => {
  const spoke = async (bot: TestBot) => (await unasked(bot)).length > 0

  test.each<[string, Options, number]>([
    ['@kiki be quiet', undefined, 60],
    ['@kiki be quiet', { mute: '20m' }, 20],
    ['@kiki be quiet for 30 minutes', undefined, 30],
    ['キキ、30分静かにして', undefined, 30],
    ['キキ、2時間だけ黙ってて', { mute: '20m' }, 120],
    ['@kiki shut up for 9999 days', undefined, 31 * 24 * 60],
  ])('%s, %j: %i minutes', async (text, options, minutes) => {
    await using bot = await kiki(options)
    await bot.say('alice', text)
    await bot.pass(`${minutes - 1}m`)
    expect(await spoke(bot)).toBe(false)
    await bot.pass('1m')
    expect(await spoke(bot)).toBe(true)
  })

  test('a second request restarts the time', async () => {
    await using bot = await kiki()
    await bot.say('alice', '@kiki be quiet')
    await bot.pass('50m')
    await bot.say('alice', '@kiki be quiet')
    await bot.pass('50m')
    expect(await spoke(bot)).toBe(false)
    expect(bot.posted).toHaveLength(2)
  })

  test.each(['@kiki when does the train leave?', 'キキ、電車いつ？'])(
    'the bot still answers when it is addressed: %s',
    async text => {
      await using bot = await kiki()
      await bot.say('alice', '@kiki be quiet')
      await bot.say('bob', text)
      expect(bot.sent).toEqual([`about: ${text}`])
      expect(await spoke(bot)).toBe(true)
    },
  )

  test('a reply to the bot is answered, and the mute stays', async () => {
    await using bot = await kiki()
    await bot.say('alice', '@kiki hello')
    const [said] = bot.posted
    await bot.say('alice', '@kiki be quiet')
    await bot.say('bob', 'why do you say so?', { replyTo: { id: said?.kind === 'text' ? said.id : '' } })
    expect(bot.sent.at(-1)).toBe('about: why do you say so?')
    expect(await spoke(bot)).toBe(false)
  })

  test('who tells the bot that it may talk gets a 👌 when it was quiet, and else an answer', async () => {
    await using bot = await kiki()
    await bot.say('alice', '@kiki you can talk again')
    expect(bot.sent.at(-1)).toBe('about: @kiki you can talk again')
    await bot.say('alice', '@kiki be quiet')
    const message = await bot.say('bob', '@kiki you can talk again')
    expect(bot.posted.at(-1)).toMatchObject({ kind: 'reaction', emoji: '👌', to: message })
    expect(await spoke(bot)).toBe(true)
  })

  test.each(['you can talk again', 'もういいよ', 'そろそろ喋ってもいいよ'])('the bot may talk again: %s', async text => {
    await using bot = await kiki()
    await bot.say('alice', '@kiki be quiet')
    await bot.pass('10m')
    await bot.say('alice', text, { thread: 't1' })
    await bot.pass('10s')
    expect(await spoke(bot)).toBe(true)
  })
})

describe('answers in progress', () => {
  test('a delayed answer is not sent after a request', async () => {
    const { plugin } = eager(60_000)
    await using bot = await kiki(undefined, { plugins: [quiet(), nameless, plugin] })
    await bot.say('alice', 'I like trains', { thread: 't1' })
    await bot.pass('10s')
    expect((await bot.trace()).outcome).toBe('delayed')
    await bot.say('bob', '@kiki be quiet')
    await bot.pass('5m')
    expect(bot.sent).toEqual([])
    expect(await bot.trace()).toMatchObject({ outcome: 'silent', why: 'was asked to be quiet' })
  })

  test.each([
    ['alice', 'is not sent'],
    ['bob', 'is sent'],
  ])('an answer to a mention of alice, when %s asks for quiet meanwhile, %s', async (person, what) => {
    const thinking = Promise.withResolvers<string>()
    const slow = definePlugin({
      name: 'slow',
      setup: () => ({ respond: async () => ({ kind: 'text', text: await thinking.promise }) }),
    })
    await using bot = await kiki(undefined, { plugins: [quiet(), slow] })
    await bot.say('alice', '@kiki tell us about trains')
    await bot.say(person, '@kiki be quiet')
    thinking.resolve('There are many.')
    await bot.pass('1m')
    const isSent = what === 'is sent'
    expect(bot.sent).toEqual(isSent ? ['There are many.'] : [])
    expect(bot.posted.filter(({ kind }) => kind === 'reaction')).toMatchObject([{ emoji: '👌' }])
    const cancelled = { outcome: 'cancelled', why: 'was asked to be quiet' }
    expect((await bot.traces())[0]).toMatchObject(isSent ? { outcome: 'replied' } : cancelled)
  })
})

test('the plugin works after other deciders, if it stands before the responder', async () => {
  const rules = definePlugin({
    name: 'rules',
    setup: () => ({
      score: () => ({ points: 100, why: 'always' }),
      decide: ({ addressed }, { points }) => ({ kind: addressed || points > 60 ? 'full' : 'silent', why: 'rules' }),
    }),
  })
  await using bot = await kiki(undefined, { plugins: [rules, quiet(), eager().plugin] })
  expect(await unasked(bot)).toEqual(UNASKED)
  await bot.say('alice', '@kiki be quiet')
  expect(bot.posted.slice(1)).toMatchObject([{ kind: 'reaction', emoji: '👌' }])
  expect(await unasked(bot)).toEqual([])
  expect(await bot.trace()).toMatchObject({ score: { points: 0 }, decision: { plugin: 'rules', kind: 'silent' } })
})

test('a channel without a mute costs no query, and on a server at most one per second', async () => {
  let isServer = false
  const cost = async (plugins: readonly ReturnType<typeof quiet>[]) => {
    await using bot = await kiki(undefined, { storage: 'pglite', plugins: [plugins, nameless, eager().plugin] })
    isServer = bot.db.kind === 'postgres'
    await unasked(bot)
    const before = bot.db.statements
    await unasked(bot)
    return bot.db.statements - before
  }
  expect((await cost([quiet()])) - (await cost([]))).toBe(isServer ? 1 : 0)
})

test('without a database mutes last until the process ends', async () => {
  const platform = testPlatform({ me: { id: 'bot', name: 'kiki' } })
  const { plugin } = eager()
  await using bot = await startBot(
    { persona: { name: 'kiki' }, plugins: [quiet(), plugin], database: false, pacing: { minWait: 0 } },
    { platforms: [platform], inMemory: true, env: {} },
  )
  const conversation = { platform: 'test', workspace: '', channel: 'general', name: 'general', visibility: 'public' } as const
  let count = 0
  const say = async (text: string, mentions = [platform.me]) => {
    const author = { id: 'alice', name: 'alice' }
    await bot.receive(platform, { id: `m${++count}`, conversation, author, text, at: new Date(), mentions })
    await bot.drained()
  }
  await say('@kiki be quiet')
  await say('I like trains', [])
  await say('@kiki hello')
  await say('I like boats', [])
  expect(platform.posted).toMatchObject([{ emoji: '👌' }, { text: 'about: @kiki hello' }, { text: 'about: I like boats' }])
})

describe('asked to be quiet until a time', () => {
  // Monday, 2026-01-05 14:30 in Tokyo.
  const tokyo = () => kiki(undefined, { at: new Date('2026-01-05T14:30:00+09:00'), timeZone: 'Asia/Tokyo' })

  test.each([
    ['@kiki be quiet until 3pm', 'I’ll be quiet here until 15:00. I still answer when I am addressed.', 30],
    [
      'kiki, please keep quiet till 16:15, we have a call',
      'I’ll be quiet here until 16:15. I still answer when I am addressed.',
      105,
    ],
    ['@kiki shut up until tomorrow', expect.stringContaining('until Tuesday, 6 January 2026 at 09:00'), 18 * 60 + 30],
    [
      '@kiki stay silent until monday',
      expect.stringContaining('until Monday, 12 January 2026 at 09:00'),
      6 * 1_440 + 18 * 60 + 30,
    ],
    ['@kiki be quiet for the rest of the day', expect.stringContaining('until Tuesday, 6 January 2026 at 00:00'), 9 * 60 + 30],
    ['@kiki 15時まで静かにして', '15:00まで、ここでは静かにしています。呼ばれたら答えます。', 30],
    ['キキ、17時半まで黙っててください', '17:30まで、ここでは静かにしています。呼ばれたら答えます。', 180],
    ['@kiki 今日は静かにしてね', expect.stringContaining('2026年1月6日'), 9 * 60 + 30],
    ['@kiki 3시까지 조용히 해 줘', expect.stringContaining('15:00까지'), 30],
  ])('%s', async (text, answer, minutes) => {
    await using bot = await tokyo()
    await bot.say('alice', text)
    expect(bot.sent).toEqual([answer])
    await bot.pass(`${minutes - 1}m`)
    expect(await unasked(bot)).toEqual([])
    await bot.pass('2m')
    expect(await unasked(bot)).toEqual(UNASKED)
  })

  test.each([
    '@kiki stay silent until 26:00',
    '@kiki be quiet until 2pm today',
    '@kiki 今日の13時まで黙っててもらえますか',
    '@kiki 毎晩22時から7時は静かにして',
  ])('asks for a time that is none or has passed, and is not quiet before: %s', async text => {
    await using bot = await tokyo()
    await bot.say('alice', text)
    expect(bot.sent).toEqual([expect.stringMatching(/^(?:Until when\?|いつまでですか？)/)])
    expect(await unasked(bot)).toEqual(UNASKED)
  })

  test.each([
    [
      '@kiki be quiet until the meeting ends',
      'I don’t know when that is, so I’ll be quiet here for an hour. Say a time for another end: “be quiet until 15:00”.',
    ],
    ['@kiki 会議が終わるまで静かにして', expect.stringContaining('それがいつなのか分からないので、1時間静かにしています。')],
    ['@kiki be quiet until friday in three weeks', expect.stringContaining('until')],
    [
      '@kiki be quiet for 40 days',
      expect.stringContaining(
        'I can be quiet for 31 days at most, so I’ll be quiet here until Thursday, 5 February 2026 at 14:30.',
      ),
    ],
  ])('says so when it cannot keep the end: %s', async (text, answer) => {
    await using bot = await tokyo()
    await bot.say('alice', text)
    expect(bot.sent).toEqual([answer])
    expect(await unasked(bot)).toEqual([])
  })

  test.each(['@kiki be quiet until I call you', '@kiki stay silent until someone asks for you', '@kiki 呼ぶまで静かにしてて'])(
    'a call is no end of the clock: %s',
    async text => {
      await using bot = await tokyo()
      await bot.say('alice', text)
      expect(bot.posted).toMatchObject([{ kind: 'reaction', emoji: '👌' }])
    },
  )

  test.each([
    '@kiki 今まで静かにしてくれてありがとう',
    '静かにしてくれてありがとね @kiki',
    '@kiki is the library quiet until 5?',
    '@kiki the baby was quiet until 3am',
    '@kiki 図書館は17時まで静かですか？',
  ])('no request: %s', async text => {
    await using bot = await tokyo()
    await bot.say('alice', text)
    expect(bot.sent).toEqual([`about: ${text}`])
    expect(await unasked(bot)).toEqual(UNASKED)
  })

  test('as a command', async () => {
    await using bot = await tokyo()
    expect(await bot.command('alice', 'quiet until 3pm', { admin: true })).toBe(
      'I’ll be quiet here until 15:00. I still answer when I am addressed.',
    )
    await bot.pass('31m')
    expect(await unasked(bot)).toEqual(UNASKED)
  })
})

describe('a mute is changed', () => {
  const muted = async (first: string, then: string) => {
    await using bot = await kiki({ mute: '1h' }, { timeZone: 'Europe/Berlin', at: new Date('2026-03-11T13:30:00Z') })
    await bot.say('alice', first)
    await bot.pass('10s')
    await bot.say('alice', then)
    await bot.pass('10s')
    const { rows } = await bot.db.query<{ until: Date }>('select until from quiet.mute')
    return rows.map(({ until }) => until.toISOString().slice(11, 16))
  }

  test.each([
    ['@kiki be quiet until 6pm', '@kiki actually stay quiet till 7pm instead', '18:00'],
    ['@kiki be quiet until 6pm', '@kiki no wait, keep quiet until 5 rather', '16:00'],
    ['@kiki be quiet until 6pm', '@kiki actually until 7 instead', '18:00'],
    ['キキ、18時まで静かにして', 'キキ、やっぱり7時まで静かにして', '18:00'],
    ['キキ、18時まで静かにして', 'キキ、やっぱり19時までにして', '18:00'],
    ['@kiki be quiet until 6pm', '@kiki be quiet', '17:00'],
  ])('"%s", "%s": until %s UTC', async (first, then, until) => expect(await muted(first, then)).toEqual([until]))

  test('an end alone is no order where the bot may talk', async () => {
    await using bot = await kiki({ mute: '1h' })
    await bot.say('alice', '@kiki until 7')
    await bot.pass('10s')
    expect(bot.sent).toEqual(['about: @kiki until 7'])
  })

  test.each(['@kiki be quiet for 0 minutes', '@kiki be quiet for -5 minutes', 'キキ、0分間静かにして'])(
    'a length that is none is asked for: "%s"',
    async text => {
      await using bot = await kiki({ mute: '1h' })
      await bot.say('alice', text)
      await bot.pass('10s')
      expect(bot.sent).toEqual([expect.stringMatching(/^(?:Until when\?|いつまでですか？)/)])
      expect(await unasked(bot)).toEqual(UNASKED)
    },
  )
})
