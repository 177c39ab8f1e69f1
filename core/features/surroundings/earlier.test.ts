/** What was said before working memory begins. */
import { describe, expect, it } from 'vitest'
import type { IncomingMessage } from '../../api/index.ts'
import { BEGIN, optedOut, past, surrounded, THREAD } from '../../testing/surrounded.ts'
import { wantsEarlier } from './language.ts'

const lines = (count: number, more: Parameters<typeof past>[3] = {}) =>
  Array.from({ length: count }, (_, index) => past(`p${index}`, `line ${index}`, 600 - index, more))

describe('what was said before the bot came', () => {
  it('is read once in ten minutes for calls, oldest first, fifty messages at most', async () => {
    await using here = await surrounded({ platform: { past: lines(80) } })
    const { bot, ids } = here
    await bot.say('dave', '@kiki hello', { id: 'p80' })
    expect(ids().earlier).toEqual(Array.from({ length: 50 }, (_, index) => `p${index + 30}`))
    expect(bot.platform.reads).toEqual([{ kind: 'history', conversation: 'test/team/general', before: 'p80' }])
    expect(await bot.trace()).toMatchObject({ surroundings: { earlier: 50, quoted: 0, requests: 1 } })
    await bot.say('dave', '@kiki and now?')
    expect(ids().earlier).toHaveLength(50)
    expect(bot.platform.reads).toHaveLength(1)
    expect(await bot.trace()).toMatchObject({ surroundings: { earlier: 50, quoted: 0, requests: 0 } })
    await bot.pass('11m')
    await bot.say('dave', '@kiki and later?')
    expect(bot.platform.reads).toHaveLength(2)
  })

  it('is read of the thread in a thread, without the root and what is known', async () => {
    const thread = { thread: 't1' }
    const there = [past('root', 'the question', 90), ...lines(3, { in: thread }), past('live', 'known', 1, { in: thread })]
    await using here = await surrounded({ platform: { past: [...lines(5), ...there], history: async () => there } })
    const { bot, ids, turns } = here
    await bot.say('erin', 'known', { id: 'live', ...THREAD })
    await bot.say('dave', '@kiki sum up this thread', { ...THREAD, replyTo: { id: 'p0' } })
    expect(ids()).toEqual({ root: 'root', quoted: ['p0'], earlier: ['p1', 'p2'] })
    expect(turns[0]?.history.map(({ id }) => id)).toEqual(['live', 'm1'])
  })

  it('is not read when enough is known, unless the call wants it', async () => {
    await using here = await surrounded({ platform: { past: lines(5) } })
    const { bot, ids } = here
    for (let index = 0; index < 10; index++) await bot.say('erin', 'so', { id: `k${index}` })
    await bot.say('dave', '@kiki hello')
    expect(bot.platform.reads).toEqual([])
    await bot.say('dave', '@kiki what did I miss?')
    expect(ids().earlier).toEqual(['p0', 'p1', 'p2', 'p3', 'p4'])
    expect(bot.platform.reads).toEqual([{ kind: 'history', conversation: 'test/team/general', before: 'k0' }])
  })

  it('comes from the database as far as it is there', async () => {
    await using here = await surrounded({ storage: 'pglite', memory: { ttl: '5m' }, platform: { past: lines(60) } })
    const { bot, ids } = here
    for (let index = 0; index < 12; index++) await bot.say('erin', 'so', { id: `k${index}` })
    await bot.pass('30m')
    await bot.say('dave', '@kiki hello')
    expect(here.turns[0]?.surroundings).toBeUndefined()
    await bot.say('dave', '@kiki what did I miss?')
    expect(ids().earlier).toEqual([
      ...Array.from({ length: 38 }, (_, index) => `p${index + 22}`),
      ...Array.from({ length: 12 }, (_, index) => `k${index}`),
    ])
    expect(bot.platform.reads).toEqual([{ kind: 'history', conversation: 'test/team/general', before: 'k0' }])
  })

  it('is what the database holds where the platform has no history, and only for a call that wants it', async () => {
    await using here = await surrounded({ memory: { ttl: '5m' } })
    const { bot, ids, turns } = here
    await bot.say('erin', 'so', { id: 'k0' })
    await bot.pass('30m')
    await bot.say('dave', '@kiki hello')
    expect(turns[0]?.surroundings).toBeUndefined()
    await bot.say('dave', '@kiki what did I miss?')
    expect(ids().earlier).toEqual(['k0'])
  })

  it('holds no call of other people that waits for its own turn', async () => {
    await using here = await surrounded({ platform: { past: lines(2) } })
    const { bot, turns } = here
    await Promise.all([bot.say('dave', '@kiki one'), bot.say('erin', '@kiki two')])
    await bot.pass('1m')
    expect(turns.map(({ surroundings }) => surroundings?.earlier.map(({ id }) => id))).toEqual([
      ['p0', 'p1'],
      ['p0', 'p1'],
    ])
    expect(bot.platform.reads).toHaveLength(1)
  })

  it('is not read for a turn that calls nobody, however much is said', async () => {
    await using here = await surrounded({ platform: { past: lines(50) } })
    const { bot } = here
    for (let index = 0; index < 1_000; index++) {
      await bot.say(`p${index % 7}`, index % 50 === 0 ? 'hmm, what did we say earlier?' : 'so', {
        thread: `t${index % 5}`,
        details: { root: `p${index % 5}` },
        ...(index % 3 === 0 && { replyTo: { id: `p${index % 50}` } }),
      })
      if (index % 10 === 0) await bot.pass('5s')
    }
    await bot.pass('5m')
    expect((await bot.traces()).length).toBeGreaterThan(50)
    expect(bot.platform.reads).toEqual([])
  })

  it('is read once in a thread and ten minutes, however often people call', async () => {
    const known = Array.from({ length: 5 }, (_, thread) => past(`p${thread}`, 'before', 9, { in: { thread: `t${thread}` } }))
    await using here = await surrounded({ platform: { past: known } })
    const { bot } = here
    for (let index = 0; index < 200; index++) {
      await bot.say('dave', '@kiki sum up this thread', { thread: `t${index % 5}`, details: { root: 'gone' } })
      await bot.pass('6s')
    }
    expect(bot.sent).toHaveLength(200)
    const kinds = Map.groupBy(bot.platform.reads, ({ kind }) => kind)
    // 200 calls in twenty minutes.
    expect(kinds.get('history')).toHaveLength(5 * 2)
    expect(kinds.get('message')).toHaveLength(2)
  })
})

describe('earlier messages are not shown', () => {
  it('of people who opted out or are being forgotten, of other bots, of other places', async () => {
    const by = (id: string, more = {}) => past(`by ${id}`, `by ${id}`, 9, { author: { id, name: id }, ...more })
    const all = [by('carol'), by('erin'), by('ci', { author: { id: 'ci', name: 'ci', bot: true } }), by('frank'), by('bot')]
    const elsewhere = [by('gina', { in: { channel: 'other' } }), by('hugo', { in: { thread: 'x' } })]
    await using here = await surrounded({
      plugins: [optedOut(['carol'])],
      platform: { past: [], history: async () => [...all, ...elsewhere] },
    })
    const { bot, ids, seen, forget } = here
    await forget('erin')
    await bot.say('dave', '@kiki hello')
    expect(ids().earlier).toEqual(['by frank', 'by bot'])
    expect(seen().earlier.map(({ own }) => own)).toEqual([false, true])
    await forget('frank')
    await bot.say('dave', '@kiki hello')
    expect(ids().earlier).toEqual(['by bot'])
  })

  it('after they were deleted, and in their old words after an edit, also while they are read', async () => {
    const told = Promise.withResolvers<void>()
    await using here = await surrounded({ platform: { past: lines(4) } })
    const { bot, seen } = here
    bot.platform.faults.push(told.promise)
    await bot.say('dave', '@kiki hello')
    await bot.remove('p0')
    await bot.edit('p1', 'line one')
    told.resolve()
    await bot.pass('1s')
    const texts = () => seen().earlier.map(({ text }) => text)
    expect(texts()).toEqual(['line one', 'line 2', 'line 3'])
    await bot.remove('p2')
    await bot.edit('p3', 'line three')
    await bot.say('dave', '@kiki again')
    expect(texts()).toEqual(['line one', 'line three'])
    expect(bot.platform.reads).toHaveLength(1)
  })

  it('after the bot knew and forgot them, although the platform still has them', async () => {
    const there = [past('carol', 'my secret', 9), past('dave', 'a mistake', 8), past('erin', 'hello', 7)]
    await using here = await surrounded({ storage: 'pglite', memory: { ttl: '5m' }, platform: { past: there } })
    const { bot, forget, ids } = here
    await bot.say('carol', 'my secret', { id: 'carol' })
    await bot.say('dave', 'a mistake', { id: 'dave' })
    await bot.remove('dave')
    await forget('carol')
    await bot.pass('20m')
    await bot.say('dave', '@kiki what did I miss?')
    expect(ids().earlier).toEqual(['erin'])
  })

  it('after somebody was forgotten: nothing of the cache is left', async () => {
    await using here = await surrounded({ platform: { past: lines(3) } })
    const { bot, forget, ids } = here
    await bot.say('dave', '@kiki hello')
    await forget('zoe')
    await bot.pass('10s')
    await bot.say('dave', '@kiki hello')
    expect(bot.platform.reads).toHaveLength(2)
    expect(ids().earlier).toHaveLength(3)
  })
})

describe('a history that cannot be read', () => {
  const never = () => new Promise<readonly IncomingMessage[]>(() => {})
  const limited = (retryAfterMs: unknown) => Promise.reject(Object.assign(new Error('429'), { cause: { retryAfterMs } }))

  it.each([
    ['never answers', never, 'history: no answer within 2 s'],
    ['is forbidden', () => Promise.reject(new Error('no permission')), 'history: no permission'],
    [
      'throws at once',
      () => {
        throw new Error('not here')
      },
      'history: not here',
    ],
    ['throws nonsense', () => Promise.reject(undefined), 'history: undefined'],
    ['asks to wait', () => limited(30_000), 'history: rate limited, 30 s'],
    ['asks to wait for nonsense', () => limited('long'), 'history: 429'],
    ['quotes people', () => Promise.reject(new Error('cannot read "@kiki hello you"')), 'history: Error: cannot read "[…]"'],
    ['is no list', async () => 'none' as never, 'history: no list of messages'],
  ])('because it %s is told in one line, and not asked for again', async (_how, history, problem) => {
    await using here = await surrounded({ platform: { history } })
    const { bot, seen } = here
    await bot.say('dave', '@kiki hello you')
    await bot.pass('5s')
    expect(seen()).toEqual({ quoted: [], earlier: [], problem })
    expect((await bot.trace()).surroundings).toEqual({ earlier: 0, quoted: 0, requests: 1, problem })
    await bot.say('dave', '@kiki what did I miss?')
    expect(seen().problem).toMatch(/^history: /)
    expect(bot.platform.reads).toHaveLength(1)
    expect(bot.sent).toHaveLength(2)
  })

  it('because of a rate limit is not asked for anywhere until it is over', async () => {
    await using here = await surrounded({ platform: { history: () => limited(30_000) } })
    const { bot, seen } = here
    await bot.say('dave', '@kiki hello')
    await bot.pass('9s')
    await bot.say('dave', '@kiki hello', { channel: 'two' })
    expect(seen().problem).toBe('history: rate limited, 21 s')
    expect(bot.platform.reads).toHaveLength(1)
    await bot.pass('22s')
    await bot.say('dave', '@kiki hello', { channel: 'two' })
    expect(bot.platform.reads).toHaveLength(2)
  })

  it('is asked for once at a time', async () => {
    let [now, most] = [0, 0]
    const history = async () => {
      most = Math.max(most, ++now)
      await Promise.resolve()
      now--
      return []
    }
    await using here = await surrounded({ platform: { history } })
    const { bot } = here
    await Promise.all(Array.from({ length: 20 }, (_, index) => bot.say('dave', '@kiki hello', { channel: `c${index}` })))
    await bot.pass('10s')
    expect(bot.sent).toHaveLength(20)
    expect(bot.platform.reads).toHaveLength(20)
    expect(most).toBe(1)
  })

  it('delays an answer by two seconds, also when others wait for the same platform', async () => {
    await using here = await surrounded({ platform: { history: never } })
    const { bot } = here
    await Promise.all(Array.from({ length: 4 }, (_, index) => bot.say('dave', '@kiki hello', { channel: `c${index}` })))
    await bot.pass('2s')
    expect(bot.sent).toHaveLength(4)
  })
})

describe('a history that is odd', () => {
  it.each<[string, readonly unknown[], readonly string[]]>([
    [
      'has ten thousand messages',
      lines(10_000).map((one, index) => ({ ...one, at: new Date(BEGIN.getTime() - 20_000 + index) })),
      Array.from({ length: 50 }, (_, index) => `p${9_950 + index}`),
    ],
    ['is the newest first', lines(3).toReversed(), ['p0', 'p1', 'p2']],
    ['has doubles', [...lines(2), ...lines(2)], ['p0', 'p1']],
    ['has messages of later', [...lines(1), past('later', 'later', -5)], ['p0']],
    ['has what is known', [...lines(1), past('call', 'a lie', 1)], ['p0']],
    [
      'has nonsense',
      [null, 7, {}, { id: 'x' }, ...lines(1), past('', 'no id', 9), { ...past('d', 'no date', 9), at: new Date('no') }],
      ['p0'],
    ],
    ['has control characters', [past('p\u0000', 'a\u0000b', 9)], ['p']],
  ])('because it %s', async (_how, told, expected) => {
    await using here = await surrounded({ platform: { history: async () => told as readonly IncomingMessage[] } })
    await here.bot.say('dave', '@kiki hello', { id: 'call' })
    expect(here.ids().earlier).toEqual(expected)
  })
})

describe.each(['memory', 'pglite'] as const)('what was read, with messages in %s,', storage => {
  const recorded = async (bot: Awaited<ReturnType<typeof surrounded>>['bot']) => {
    const state = await bot.bot.traces()
    return state.flatMap(({ messages }) => messages)
  }

  it('is not recorded', async () => {
    await using here = await surrounded({ storage, platform: { past: lines(3) } })
    const { bot, turns } = here
    await bot.say('dave', '@kiki hello')
    await bot.say('dave', '@kiki again')
    expect(turns[1]?.history.filter(({ own }) => !own).map(({ id }) => id)).toEqual(['m1', 'm2'])
    expect(await recorded(bot)).toEqual(['m2', 'm1'])
  })

  it('is recorded as missed when the bot keeps it, in its place, and not answered', async () => {
    const known = [
      ...lines(2),
      past('opted', 'out', 5),
      past('p9', '@kiki a moment ago', 20, { mentions: [{ id: 'bot', name: 'kiki' }] }),
    ]
    const plugins = [optedOut(['zoe'])]
    const before = known.map(one => (one.id === 'opted' ? { ...one, author: { id: 'zoe', name: 'zoe' } } : one))
    await using here = await surrounded({ storage, plugins, memory: { keepHistory: true }, platform: { past: before } })
    const { bot, turns, ids } = here
    await bot.say('dave', '@kiki hello')
    await bot.pass('10s')
    await bot.say('dave', '@kiki again')
    await bot.pass('10s')
    const history = turns[1]?.history.filter(({ own }) => !own) ?? []
    expect(history.map(({ id, missed }) => [id, missed])).toEqual([
      ['p0', true],
      ['p1', true],
      ['p9', true],
      ['m1', undefined],
      ['m2', undefined],
    ])
    expect(ids().earlier).toEqual([])
    expect(await recorded(bot)).toEqual(['m2', 'm1'])
    expect(bot.sent).toEqual(['to m1', 'to m2'])
  })
})

describe('a call wants what was said before', () => {
  it.each([
    ...[
      'sum up this thread',
      'can you summarize the discussion?',
      'summarise please',
      'what did I miss?',
      'what have I missed',
      'tl;dr',
    ],
    ...[
      'recap?',
      'catch me up',
      'what happened here?',
      'what were we talking about earlier?',
      'see the messages above',
      'what’s going on here?',
    ],
    ...['as Bob said earlier', 'what did we decide yesterday', 'read back a bit', 'sum it up'],
    ...[
      'ここまでまとめて',
      'さっきの話だけど',
      'このスレッドを要約して',
      '何があったの？',
      '経緯を教えて',
      '昨日の件どうなった',
      'まとめをお願い',
    ],
    ...['여기까지 요약해줘', '아까 한 말 뭐야', '이 스레드 정리해줘', '내가 뭘 놓쳤어?', '무슨 일이야?', '지금까지 나온 얘기'],
  ])('%s', text => {
    expect(wantsEarlier(`@kiki ${text}`)).toBe(true)
  })

  it.each([
    ...[
      'hello',
      'what time is it?',
      'when does the train leave?',
      'roll d6',
      'is that correct?',
      'I miss summer',
      'this summer is hot',
    ],
    ...['こんにちは', '明日の天気は？', 'おすすめの本を教えて', 'ありがとう', '前に進もう'],
    ...['안녕', '내일 날씨 어때?', '고마워', '앞으로 잘 부탁해'],
  ])('but not: %s', text => {
    expect(wantsEarlier(`@kiki ${text}`)).toBe(false)
  })
})
