import { definePlugin } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { type VectorIndex, Vectors } from './api/vectors.ts'
import { borrowedFacts, fact, place, textsOf, topicVectors } from './test-memory.ts'

const TOPICS = [/doctor|physician/, /tea|drink/]

async function memory(more: Partial<Parameters<typeof testBot>[0]> = {}) {
  const { plugins, store } = borrowedFacts()
  const bot = await testBot({ ...more, plugins: [...plugins, ...(more.plugins ?? [])] })
  const find = (text: string, by?: 'keyword' | 'vector' | 'both', more: object = {}) =>
    store().search({ conversation: place(), text, messages: false, ...(by && { by }), ...more })
  return { bot, store, find, [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose]() }
}

describe('a search', () => {
  test('by keyword, by vector, and by both', async () => {
    await using m = await memory({ models: { embeddings: topicVectors(TOPICS) } })
    await m.store().add(fact('Bob is a physician'))
    await m.store().add(fact('the doctor show is on at nine'))
    await m.store().add(fact('where do I see a mountain?'))
    await m.bot.pass('1s')
    const text = 'where do I see a doctor?'
    const found = async (by: 'keyword' | 'vector' | 'both') =>
      (await m.find(text, by)).map(({ parts, score, ...one }) => {
        expect(score).toBeGreaterThan(0)
        return [one.kind === 'fact' && one.fact.content.split(' ').at(-1), parts.bm25 > 0, parts.vector > 0]
      })
    expect((await found('keyword')).sort()).toEqual([
      ['mountain?', true, false],
      ['nine', true, false],
    ])
    // The nearest first. Vectors always have a nearest neighbour.
    expect((await found('vector')).map(([word]) => word).sort()).toEqual(['mountain?', 'nine', 'physician'])
    expect((await found('vector')).at(-1)).toEqual(['mountain?', false, true])
    expect(await found('both')).toContainEqual(['physician', false, true])
    expect((await found('both'))[0]).toEqual(['nine', true, true])
    expect(await m.find(text)).toEqual(await m.find(text, 'both'))
  })

  test.each([
    ['one subject and one relation with one value: the later one first', 'date', ['Tuesday', 'Thursday']],
    ['another relation, whatever the words: the better match first', 'topic', ['Thursday', 'Tuesday']],
  ])('for two facts that hold, of %s', async (_what, relation, order) => {
    await using m = await memory()
    const parts = (relation: string, value: string) => ({ subject: 'release meeting', relation, value, single: true })
    await m.store().add(fact('the release meeting with all teams is on Thursday', parts('date', 'Thursday')))
    await m.bot.pass('1m')
    await m.store().add(fact('the release meeting now moved to Tuesday', parts(relation, 'Tuesday')))
    const found = textsOf(await m.find('is the release meeting with all teams?'))
    expect(found.map(text => text.split(' ').at(-1))).toEqual(order)
  })

  test('without a model for vectors goes by words, and makes no vectors', async () => {
    await using m = await memory()
    await m.store().add(fact('our accommodation is in Kyoto'))
    await m.bot.pass('1d')
    expect(textsOf(await m.find('an accommodation'))).toEqual(['our accommodation is in Kyoto'])
    expect(await m.find('acommodation')).toEqual([])
    expect((await m.bot.db.query('select 1 from facts.vector')).rowCount).toBe(0)
  })

  test('by vector with the classic ranking uses vectors, and `both` searches like a recall', async () => {
    const { plugins, store } = borrowedFacts({ ranking: 'classic' })
    await using bot = await testBot({ plugins, models: { embeddings: topicVectors(TOPICS) } })
    await store().add(fact('Bob is a physician'))
    await bot.pass('1s')
    const find = async (text: string, by: 'vector' | 'both') => textsOf(await store().search({ conversation: place(), text, by }))
    expect(await find('a doctor?', 'vector')).toEqual(['Bob is a physician'])
    expect(await find('a doctor?', 'both')).toEqual([])
  })

  test('by vector finds a fact among many messages that are nearer', async () => {
    await using m = await memory({ models: { embeddings: topicVectors(TOPICS) } })
    for (let n = 0; n < 150; n++) await m.bot.say('alice', `doctor ${n}`)
    await m.store().add(fact('the physician has tea'))
    await m.bot.pass('1m')
    expect(textsOf(await m.find('a doctor?', 'vector'))).toEqual(['the physician has tea'])
  })
})

describe('search by vector reports', () => {
  test('that there is no model', async () => {
    await using m = await memory()
    await expect(m.find('a doctor?', 'vector')).rejects.toMatchObject({
      code: 'MODEL_MISSING',
      message: '[facts] there is no model for vectors in bot.config.ts. Search by keyword.',
    })
    expect(await m.find('…', 'vector')).toEqual([])
  })

  test('a model that is down', async () => {
    const embeddings = topicVectors(TOPICS)
    await using m = await memory({ models: { embeddings } })
    await m.store().add(fact('Bob is a physician'))
    await m.bot.pass('1s')
    embeddings.fault = Object.assign(new Error('bad request'), { status: 400 })
    await expect(m.find('a doctor?', 'vector')).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: '[facts] the embedding model does not respond. Search by keyword, or try again later.',
    })
    expect(textsOf(await m.find('physician', 'both'))).toEqual(['Bob is a physician'])
  })

  test('vectors that are not made yet', async () => {
    const embeddings = topicVectors(TOPICS)
    embeddings.fault = Object.assign(new Error('bad request'), { status: 400 })
    await using m = await memory({ models: { embeddings } })
    await m.store().add(fact('Bob is a physician'))
    await m.bot.pass('1s')
    embeddings.fault = undefined
    await expect(m.find('a doctor?', 'vector')).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: '[facts] vectors are still being made. Search by keyword, or try again later.',
    })
    await m.bot.pass('1d')
    expect(await m.find('a doctor?', 'vector')).toHaveLength(1)
  })

  test('an index that is unreachable', async () => {
    const away: VectorIndex = {
      home: async () => 'away',
      upsert: async () => {},
      remove: async () => {},
      search: async () => undefined,
      keepOnly: async () => {},
    }
    const elsewhere = definePlugin({ name: 'elsewhere', provides: [Vectors], setup: ctx => ctx.provide(Vectors, away) })
    await using m = await memory({ models: { embeddings: topicVectors(TOPICS) }, plugins: [elsewhere()] })
    await m.store().add(fact('Bob is a physician'))
    await m.bot.pass('1s')
    await expect(m.find('physician', 'vector')).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' })
    expect(textsOf(await m.find('physician'))).toEqual(['Bob is a physician'])
  })
})

test('facts are listed page by page, and all facts about a person from all conversations', async () => {
  await using m = await memory()
  const at = (day: number) => new Date(Date.UTC(2026, 0, 1 + day))
  const den = place('den', { visibility: 'private' })
  await m.store().add(fact('Bob plays the cello', { people: ['bob'], at: at(0) }))
  await m.store().add(fact('Bob gets a raise', { people: ['bob'], conversation: den, at: at(1) }))
  await m.store().add(fact('the cellar is dry', { sources: [{ message: 'm1', author: 'bob' }], at: at(2) }))
  await m.store().add(fact('lunch is at noon', { at: at(3) }))
  await m.store().add(fact('Bob is elsewhere', { people: ['bob'], conversation: place('general', { platform: 'other' }) }))
  const contents = (facts: readonly { content: string }[]) => facts.map(({ content }) => content)
  expect(contents(await m.store().list({ conversation: place(), limit: 2 }))).toEqual(['lunch is at noon', 'the cellar is dry'])
  const [, before] = await m.store().list({ conversation: place(), limit: 2 })
  if (!before) throw new Error('there is no second fact')
  expect(contents(await m.store().list({ conversation: place(), limit: 2, before }))).toEqual(['Bob plays the cello'])
  const bob = { platform: 'test', id: 'bob' }
  expect(contents(await m.store().about(bob, { limit: 2 }))).toEqual(['the cellar is dry', 'Bob gets a raise'])
  expect(contents(await m.store().about(bob, { limit: 2, offset: 2 }))).toEqual(['Bob plays the cello'])
  await m.bot.say('bob', 'good morning')
  await m.bot.pass('10s')
  expect(await m.store().names(await m.store().about(bob, { limit: 9 }))).toEqual(new Map([['bob', 'bob']]))
})
