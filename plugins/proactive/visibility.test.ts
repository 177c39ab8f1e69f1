import { seededRandom, testRounds } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { CAMPING, type Told, woken } from './test-bot.ts'

type Where = Pick<Told, 'channel' | 'thread' | 'visibility'>

const PLACES: Readonly<Record<string, Where>> = {
  'a public channel': { channel: 'random' },
  'its thread': { channel: 'random', thread: 't1' },
  'a private channel': { channel: 'hidden', visibility: 'private' },
  'its own thread': { channel: 'hidden', visibility: 'private', thread: 't2' },
  'a private thread in a public channel': { channel: 'random', visibility: 'private', thread: 't3' },
  'a direct message': { channel: 'd1', visibility: 'direct' },
}

describe.each(['en', 'ja'] as const)('38: a channel that other people wake, in %s', locale => {
  const { fact, opener } = CAMPING[locale]

  test.each<[string, readonly string[]]>([
    [
      'a public channel',
      [
        'a public channel',
        'its thread',
        'general',
        'a private channel',
        'its own thread',
        'a private thread in a public channel',
      ],
    ],
    ['a private channel', ['a private channel', 'its own thread']],
    ['its own thread', ['a private channel', 'its own thread']],
    ['a private thread in a public channel', ['a private thread in a public channel']],
    ['a direct message', []],
  ])('a fact from %s is brought up in %j, and nowhere else', async (told, expected) => {
    await using w = await woken({ interval: 0 }, { locale })
    for (const one of Object.values(PLACES)) await w.bot.say('dave', 'hi', one)
    await w.know(fact, PLACES[told])
    await w.bot.pass('2d')
    for (const [name, where] of [['general', {}] as const, ...Object.entries(PLACES)]) {
      await w.bot.pass('1h')
      const before = w.broughtUp.length
      await w.say('alice', opener, where)
      expect([name, w.broughtUp.slice(before)]).toEqual([name, expected.includes(name) ? [fact] : []])
      // Otherwise the first conversation of a channel would be the only one.
      await w.bot.db.query('delete from proactive.shared')
    }
  })
})

describe('at the last moment', () => {
  const { fact, opener } = CAMPING.en
  type Woken = Awaited<ReturnType<typeof woken>>

  const turns: [string, (w: Woken, id: number) => Promise<unknown>][] = [
    ['is forgotten', (w, id) => w.forget(id)],
    [
      'does not hold any more',
      (w, id) => w.bot.db.query('update facts.fact set valid_to = $2 where item = $1', [id, new Date(w.bot.clock.now())]),
    ],
    [
      'was told in a channel that is closed',
      w => w.bot.say('dave', 'now it is only us', { channel: 'random', visibility: 'private' }),
    ],
    ['must not be brought up', (w, id) => w.bot.db.query('update facts.fact set shareable = false where item = $1', [id])],
  ]

  test.each(turns)('a fact that %s during the wait is not brought up', async (_, turn) => {
    await using w = await woken()
    await w.bot.say('dave', 'hi', { channel: 'random' })
    const id = await w.know(fact, { people: ['erin'] })
    await w.bot.pass('2d')
    await w.bot.say('alice', opener)
    await w.bot.pass('10s')
    expect((await w.bot.trace()).outcome).toBe('delayed')
    await turn(w, id)
    await w.bot.pass('1m')
    expect(w.bot.sent).toEqual([])
    expect(w.model.asked).toEqual([])
    expect(await w.bot.trace()).toMatchObject({ outcome: 'silent', why: 'the fact is not for this talk any more' })
  })

  test.each(turns)('nor one that %s during the model call', async (_, turn) => {
    const writing = Promise.withResolvers<string>()
    await using w = await woken({}, { remark: () => writing.promise })
    await w.bot.say('dave', 'hi', { channel: 'random' })
    const id = await w.know(fact, { people: ['erin'] })
    await w.bot.pass('2d')
    await w.bot.say('alice', opener)
    await w.bot.pass('36s')
    expect(w.model.asked).toHaveLength(1)
    await turn(w, id)
    writing.resolve('By the way: too late')
    await w.bot.pass('1m')
    expect(w.bot.sent).toEqual([])
  })
})

test('a remark is written again if the conversation gets other readers while the model writes it', async () => {
  const { fact, opener } = CAMPING.en
  const writing = Promise.withResolvers<string>()
  let remarks = 0
  await using w = await woken({}, { remark: memory => (remarks++ ? `By the way: ${memory}` : writing.promise) })
  await w.know(fact)
  await w.bot.say('dave', 'hi', { channel: 'hidden', visibility: 'private' })
  await w.bot.pass('2d')
  await w.bot.say('alice', opener, { channel: 'hidden', visibility: 'private' })
  await w.bot.pass('36s')
  expect(remarks).toBe(1)
  await w.bot.say('dave', 'welcome, everybody', { channel: 'hidden', thread: 't', readers: { own: false } })
  writing.resolve('By the way: this is between us')
  await w.bot.pass('1m')
  const whys = (await w.bot.traces()).map(({ outcome, why }) => [outcome, why])
  expect(whys).toContainEqual(['cancelled', 'other people can read the conversation now'])
  expect(w.broughtUp).toEqual([fact])
})

test('of facts in random conversations, none is brought up where it may not be read', async () => {
  const { rounds, seed } = testRounds({ few: 100, all: 300 })
  await using w = await woken({ interval: 0, delay: 0, perDay: { channel: 1_000, bot: 10_000 } })
  const random = seededRandom(37 + seed)
  const pick = <T>(list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0]
  const place = (at: number): Where => {
    const visibility = pick(['public', 'public', 'private', 'direct'] as const)
    return { channel: `c${at}`, visibility }
  }
  const channels = Array.from({ length: 30 }, (_, at) => place(at))
  const threads = channels.flatMap(({ channel = '', visibility = 'public' }, at): Where[] => {
    if (at % 3 > 0 || visibility === 'direct') return []
    return [{ channel, thread: 't', visibility: visibility === 'public' && at % 2 ? 'private' : visibility }]
  })
  const places = [...channels, ...threads]
  for (const where of places) await w.bot.say('dave', 'hi', where)

  const told = new Map<string, Where>()
  const topics = ['camping', 'jazz', 'ramen', 'marathon', 'keyboard', 'sauna'] as const
  await w.bot.db.transaction(async () => {
    for (let at = 0; at < rounds; at++) {
      const where = places[Math.floor(random() * places.length)] ?? {}
      const content = `erin and ${pick(topics)} number${at}`
      told.set(content, where)
      await w.know(content, { ...where, message: `f${at}` })
    }
  })
  const isPublic = (name: string | undefined) =>
    channels.some(({ channel, visibility }) => channel === name && visibility === 'public')
  const mayRead = (fact: Where, reader: Where) =>
    fact.visibility === 'public' ||
    (fact.channel === reader.channel && (fact.thread === reader.thread || fact.thread === undefined || !isPublic(fact.channel)))

  const leaks: unknown[] = []
  const shared = new Set<string>()
  for (let round = 0; round < 2; round++) {
    await w.bot.pass('2d')
    for (const where of places) {
      const before = w.bot.posted.length
      await w.bot.say('alice', `${pick(topics)}, anybody?`, where)
      await w.bot.pass('6s')
      for (const one of w.bot.posted.slice(before)) {
        const content = one.kind === 'text' ? one.text.replace('By the way: ', '') : ''
        const fact = told.get(content)
        if (!fact) continue
        if (!mayRead(fact, where) || where.visibility === 'direct') leaks.push([content, fact, where])
        const key = `${content} in ${where.channel}`
        if (shared.has(key)) leaks.push(['twice', key])
        shared.add(key)
      }
    }
  }
  expect(leaks).toEqual([])
  expect(shared.size).toBeGreaterThan(rounds / 10)
})
