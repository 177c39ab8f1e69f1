// postgres: the statements of facts
import type { BotConfig } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import type { FactEvent } from './api/facts.ts'
import { borrowedFacts, fact, place, textsOf, topicVectors } from './test-memory.ts'

const DAY = 86_400_000

const WITH_VECTORS = { embeddings: topicVectors([/spider|cello|scanner/]) }

async function memory(options: Parameters<typeof borrowedFacts>[0] = {}, models: BotConfig['models'] = {}) {
  const { plugins, store } = borrowedFacts(options)
  const bot = await testBot({ plugins, models })
  const facts = store()
  const ask = async (text: string, more: object = {}) => textsOf(await facts.recall({ conversation: place(), text, ...more }))
  const rows = async (table: string) => (await bot.db.query(`select 1 from facts.${table}`)).rowCount
  return { bot, facts, ask, rows, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

describe('add', () => {
  test('a fact is returned with all its data', async () => {
    await using m = await memory()
    const { id, outcome } = await m.facts.add(
      fact('Alice keeps bees on the roof', {
        kind: 'durable',
        people: ['alice'],
        keywords: ['apiary'],
        confidence: 0.9,
        shareable: true,
        sources: [{ message: 'm1', author: 'alice', quote: 'I keep bees' }],
      }),
    )
    expect(outcome).toBe('new')
    expect(await m.facts.list({ conversation: place() })).toEqual([
      {
        id,
        content: 'Alice keeps bees on the roof',
        kind: 'durable',
        people: ['alice'],
        keywords: ['apiary'],
        confidence: 0.9,
        shareable: true,
        pinned: false,
        at: new Date('2026-01-05T10:00:00Z'),
        channel: 'test/team/general',
        visibility: 'public',
        single: false,
        validFrom: new Date('2026-01-05T10:00:00Z'),
        strength: 0,
        sources: [{ message: 'm1', author: 'alice', quote: 'I keep bees', channel: 'test/team/general' }],
      },
    ])
    expect(await m.ask('who has an apiary?')).toEqual(['Alice keeps bees on the roof'])
  })

  test('equal content is one fact with both sources and a higher confidence', async () => {
    await using m = await memory()
    const sources = (message: string) => [{ message, author: 'alice' }]
    const { id } = await m.facts.add(fact('田中さんは猫を飼っている', { confidence: 0.8, sources: sources('m1') }))
    expect(await m.facts.add(fact('田中さんは、猫を飼っている。', { confidence: 0.8, sources: sources('m2') }))).toEqual({
      id,
      outcome: 'merged',
      superseded: [],
    })
    // The same message, read twice, does not raise the confidence.
    await m.facts.add(fact('田中さんは猫を飼っている', { confidence: 0.8, sources: sources('m2') }))
    const [only, ...others] = await m.facts.list({ conversation: place() })
    expect(others).toEqual([])
    expect(only).toMatchObject({ confidence: expect.closeTo(0.96), sources: [{ message: 'm1' }, { message: 'm2' }] })
  })

  test('hearsay that is repeated stays hearsay', async () => {
    await using m = await memory()
    for (const message of ['m1', 'm2', 'm3']) {
      await m.facts.add(fact('Eve has quit', { confidence: 0.5, sources: [{ message, author: 'bob' }] }))
    }
    expect(await m.facts.list({ conversation: place() })).toMatchObject([{ confidence: expect.closeTo(0.6) }])
  })

  test('the opposite statement is another fact', async () => {
    await using m = await memory()
    await m.facts.add(fact('Bob does like natto'))
    await m.facts.add(fact('Bob does not like natto'))
    expect(await m.facts.list({ conversation: place() })).toHaveLength(2)
  })

  test('two parallel additions of the same content give one fact', async () => {
    await using m = await memory()
    await Promise.all(Array.from({ length: 5 }, () => m.facts.add(fact('the build is green'))))
    expect(await m.facts.list({ conversation: place() })).toHaveLength(1)
    expect(await m.rows('item')).toBe(1)
  })

  test.each([
    ['no content', { content: ' … ' }],
    ['a content of a book', { content: 'a'.repeat(2_001) }],
    ['more than certain', { content: 'a', confidence: 1.1 }],
    ['no number', { content: 'a', confidence: Number.NaN }],
  ])('%s is refused', async (_what, wrong) => {
    await using m = await memory()
    await expect(m.facts.add(fact('a', wrong))).rejects.toMatchObject({ code: 'ARGUMENT_INVALID' })
  })

  test('inside a transaction the fact commits or rolls back with it', async () => {
    await using m = await memory({}, WITH_VECTORS)
    const undone = m.bot.db.transaction(async () => {
      await m.facts.add(fact('never said'))
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    await m.bot.db.transaction(() => m.facts.add(fact('Bob plays the cello')))
    await m.bot.pass('1s')
    expect(await m.ask('who plays the cello?')).toEqual(['Bob plays the cello'])
    expect(await m.rows('vector')).toBe(1)
  })
})

describe('changes', () => {
  test('a replaced fact is history, for questions about earlier times', async () => {
    await using m = await memory()
    const station = { people: ['suzuki'], subject: 'suzuki', relation: 'lives_in' }
    const old = await m.facts.add(fact('鈴木さんの最寄り駅は中野駅', { ...station, value: '中野' }))
    await m.bot.pass('20d')
    const { id } = await m.facts.supersede([old.id], fact('鈴木さんは荻窪に引っ越した', { ...station, value: '荻窪' }))
    expect(await m.ask('鈴木さんの最寄り駅は？')).toEqual(['鈴木さんは荻窪に引っ越した'])
    const before = await m.facts.recall({ conversation: place(), text: '鈴木さんの以前の最寄り駅は？' })
    expect(before.map(one => one.kind === 'fact' && [one.fact.content, one.fact.supersededBy])).toContainEqual([
      '鈴木さんの最寄り駅は中野駅',
      id,
    ])
    expect(await m.facts.list({ conversation: place() })).toHaveLength(1)
    expect(await m.facts.list({ conversation: place(), history: true })).toHaveLength(2)
  })

  test('a private fact replaces no fact that other people know', async () => {
    await using m = await memory()
    const move = { subject: 'the office move', relation: 'date' }
    const open = await m.facts.add(fact('the office move is planned for the spring', { ...move, value: 'spring' }))
    const secret = place('board', { visibility: 'private' })
    const change = fact('the office move was postponed to autumn', { ...move, value: 'autumn', conversation: secret })
    expect((await m.facts.supersede([open.id], change)).superseded).toEqual([])
    expect(await m.ask('when is the office move?')).toEqual(['the office move is planned for the spring'])
  })
})

describe('time', () => {
  test('of two equal facts the newer comes first, and age alone hides none', async () => {
    await using m = await memory()
    const at = (days: number) => new Date(m.bot.clock.now() - days * DAY)
    await m.facts.add(fact('the lunch menu has curry', { at: at(700) }))
    await m.facts.add(fact('the lunch menu has pasta', { at: at(2) }))
    expect(await m.ask('what is on the lunch menu?')).toEqual(['the lunch menu has pasta', 'the lunch menu has curry'])
  })

  test('classic: after two half-lives a quarter remains, and later nothing', async () => {
    await using m = await memory({ ranking: 'classic', minRelevance: 0.1 })
    await m.facts.add(fact('curry lunch menu'))
    const score = async () => (await m.facts.recall({ conversation: place(), text: 'lunch menu' })).map(one => one.score)
    expect(await score()).toEqual([expect.closeTo(2 / 3, 5)])
    await m.bot.pass('60d')
    expect(await score()).toEqual([expect.closeTo(2 / 3 / 4, 5)])
    await m.bot.pass('30d')
    expect(await score()).toEqual([])
  })

  test('the sweep deletes decayed facts; an answer that used a fact delays that but does not make it newer', async () => {
    await using m = await memory({ halfLife: '10d', forgetBelow: 0.2 }, WITH_VECTORS)
    await m.facts.add(fact('the printer is out of toner', { confidence: 0.8 }))
    const { id } = await m.facts.add(fact('the scanner is out of order', { confidence: 0.8 }))
    await m.facts.add(fact('the kettle is from Alice', { confidence: 0.8, kind: 'durable' }))
    await m.facts.add(fact('the key is under the mat', { confidence: 0.3, pinned: true }))
    await m.bot.pass('15d')
    expect(await m.ask('does the scanner work?', { limit: 1 })).toEqual(['the scanner is out of order'])
    await m.facts.strengthen([id])
    await m.bot.pass('10d')
    const left = await m.facts.list({ conversation: place() })
    expect(left.map(({ content }) => content).sort()).toEqual([
      'the kettle is from Alice',
      'the key is under the mat',
      'the scanner is out of order',
    ])
    expect(left.find(({ content }) => content.includes('scanner'))).toMatchObject({
      strength: 1,
      at: new Date('2026-01-05T10:00:00Z'),
      lastRecalledAt: new Date('2026-01-20T10:00:00Z'),
    })
    expect(await m.rows('vector')).toBe(3)
    await m.bot.pass('100d')
    expect(await m.facts.list({ conversation: place() })).toHaveLength(2)
  })

  test('a channel keeps its strongest facts and all pinned ones', async () => {
    await using m = await memory({ maxPerChannel: 2 })
    for (const confidence of [0.5, 0.9, 0.7]) await m.facts.add(fact(`fact ${confidence}`, { confidence }))
    await m.facts.add(fact('pinned', { confidence: 0.1, pinned: true }))
    await m.facts.add(fact('elsewhere', { conversation: place('other'), confidence: 0.1 }))
    expect(await m.facts.sweep()).toBe(2)
    const left = await m.facts.list({ conversation: place() })
    expect(left.map(({ content }) => content).sort()).toEqual(['elsewhere', 'fact 0.9', 'pinned'])
  })
})

describe('forget', () => {
  test('a forgotten fact leaves no data', async () => {
    await using m = await memory({}, WITH_VECTORS)
    const { id } = await m.facts.add(fact('Bob is afraid of spiders', { sources: [{ message: 'm1', author: 'bob' }] }))
    expect(await m.facts.forget([id, 999])).toBe(1)
    expect(await m.ask('who is afraid of spiders?')).toEqual([])
    for (const table of ['item', 'fact', 'fact_source', 'posting', 'token', 'vector', 'sign', 'removed'])
      expect(await m.rows(table)).toBe(0)
    expect((await m.bot.db.query('select items, words from facts.corpus')).rows).toEqual([{ items: 0, words: 0 }])
  })

  test('a person is forgotten on the whole platform, and no other person is', async () => {
    await using m = await memory({}, WITH_VECTORS)
    await m.bot.say('bob', 'I am afraid of spiders')
    await m.bot.say('alice', 'spiders are fine with me')
    await m.bot.pass('10s')
    const said = (author: string, message: string) => ({ author, message })
    await m.facts.add(fact('Bob is afraid of spiders', { people: ['bob'], sources: [said('bob', 'm1')] }))
    await m.facts.add(fact('the cellar has spiders', { sources: [said('bob', 'm8')] }))
    await m.facts.add(fact('the attic has spiders', { sources: [said('bob', 'm9'), said('alice', 'm2')] }))
    await m.facts.add(fact('Bob lends out spiders', { people: ['bob'], conversation: place('zoo', { workspace: 'other' }) }))
    await m.facts.add(fact('another Bob has spiders', { people: ['bob'], conversation: place('zoo', { platform: 'elsewhere' }) }))
    expect(await m.facts.forgetPerson({ platform: 'test', id: 'bob' })).toEqual({ facts: 3, messages: 1 })
    expect((await m.ask('tell me of spiders')).sort()).toEqual(['spiders are fine with me', 'the attic has spiders'])
    expect(await m.facts.export({ platform: 'test', id: 'bob' })).toEqual([])
    expect(await m.facts.export({ platform: 'elsewhere', id: 'bob' })).toHaveLength(1)
    await m.bot.pass('1s')
    expect((await m.bot.db.query("select 1 from facts.person where id = 'bob'")).rowCount).toBe(0)
    expect(await m.rows('item')).toBe(await m.rows('vector'))
  })

  test('an export has all statements of a person, and public statements of others about them', async () => {
    await using m = await memory()
    const hr = place('hr', { visibility: 'private' })
    await m.facts.add(fact('Bob plays the cello', { people: ['bob'] }))
    await m.facts.add(
      fact('Bob gets a raise', { people: ['bob'], conversation: hr, sources: [{ author: 'eve', message: 'm1' }] }),
    )
    await m.facts.add(
      fact('Bob wants to move', { people: ['bob'], conversation: hr, sources: [{ author: 'bob', message: 'm2' }] }),
    )
    const own = await m.facts.export({ platform: 'test', id: 'bob' })
    expect(own.map(({ content }) => content)).toEqual(['Bob plays the cello', 'Bob wants to move'])
  })
})

test('a listener gets events without text', async () => {
  await using m = await memory()
  const heard: FactEvent[] = []
  const stop = m.facts.watch(event => void heard.push(event))
  const { id } = await m.facts.add(fact('the build is green'))
  await m.facts.add(fact('the build is green'))
  await m.ask('how is the build?')
  await m.facts.strengthen([id])
  await m.facts.strengthen([])
  await m.facts.pin(id)
  await m.facts.forget([id])
  stop()
  await m.facts.add(fact('nobody listens'))
  const at = new Date('2026-01-05T10:00:00Z')
  expect(heard).toEqual((['added', 'merged', 'recalled', 'pinned', 'forgotten'] as const).map(kind => ({ kind, ids: [id], at })))
})

test.each([
  ['goes with a message that says something else', 'never mind', 0],
  ['stays when words are added to its message', 'I heard that the cat sleeps on the roof, it does', 1],
])('a fact without a quote %s', async (_what, text, left) => {
  const { plugins, store } = borrowedFacts()
  await using bot = await testBot({ plugins })
  const said = await bot.say('alice', 'I heard that the cat sleeps on the roof')
  await store().add(fact('a cat is on the roof', { sources: [{ message: said, author: 'alice' }] }))
  await bot.edit(said, text)
  expect(await store().list({ conversation: place() })).toHaveLength(left)
})
