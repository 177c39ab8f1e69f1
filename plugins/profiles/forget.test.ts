import { Erasure, fold, type PersonKey } from 'kikimimi'
import { type TestBotOptions, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { borrowedProfiles, key, place } from './test-people.ts'

async function forgetting(options: Parameters<typeof borrowedProfiles>[0] = {}, more: TestBotOptions = {}) {
  const borrowed = borrowedProfiles(options)
  const bot = await testBot({ ...more, plugins: borrowed.plugins })
  return {
    ...borrowed,
    bot,
    async forget(person: PersonKey) {
      await borrowed.ctx().use(Erasure, 'optional')?.forget(person)
      await bot.pass('10m')
    },
    /** All data of the plugin. */
    async dump() {
      const tables = ['activity', 'talk', 'note', 'account', 'place'].map(table => `profiles.${table}`)
      const rows = await Promise.all([...tables, 'kikimimi.follower_mark'].map(table => bot.db.query(`select * from ${table}`)))
      return JSON.stringify(rows.map(({ rows }) => rows))
    },
    [Symbol.asyncDispose]: () => bot[Symbol.asyncDispose](),
  }
}

test('of an erased person nothing remains: counts, topics, notes, links and the place of direct messages', async () => {
  await using f = await forgetting()
  await f.bot.say('eve', 'my tomatoes are growing')
  await f.bot.say('eve', 'my tomatoes are growing', { channel: 'd-eve', visibility: 'direct' })
  await f.bot.say('alice', 'the printer is on fire')
  await f.store().note(key('eve'), place(), { tags: ['gardener'] })
  await f.store().link(key('eve'), key('U1', 'slack'))
  await f.bot.pass('1h')
  await f.bot.say('eve', 'the cucumbers, too')
  expect(await f.dump()).toMatch(/eve.*tomatoes.*gardener/)

  await f.forget(key('eve'))
  expect(await f.dump()).not.toMatch(/"eve"|tomatoes|cucumbers|gardener|U1|"d-eve"/)
  expect(await f.store().get(key('eve'), place())).toBeUndefined()
  expect(await f.store().accounts(key('U1', 'slack'))).toEqual([key('U1', 'slack')])
  expect(await f.known('alice')).toMatchObject({ messages: 1, topics: ['printer', 'fire'] })
})

test.each([
  ['İrem', 'irem'],
  ['irem', 'İREM'],
  ['ΑΛΕΞΗΣ', 'ΑΛΕΞΗΣ'],
  ['åsa', 'ÅSA'],
])('of an erased person called %s, %s is in no note, topic or card of others', async (name, written) => {
  await using f = await forgetting()
  await f.bot.say('p1', 'the sun shines', { name, channel: 'random' })
  await f.bot.say('alice', `${written} painted the fence`)
  await f.bot.say('bob', 'the fence is green')
  await f.store().note(key('alice'), place(), { tags: ['painter'], personality: `a friend of ${written}` })
  await f.store().note(key('bob'), place(), { tags: ['gardener'] })
  await f.bot.pass('1h')
  await f.bot.say('alice', 'good evening')
  await f.bot.pass('1m')
  expect(fold(await f.dump())).toMatch(fold(`friend of ${name}`))
  await f.forget(key('p1'))
  expect(fold(await f.dump())).not.toContain(fold(name))
  expect(await f.dump()).toContain('gardener')
})

test('a name that another member has in other capitals erases nothing of others', async () => {
  await using f = await forgetting()
  await f.bot.say('p1', 'the sun shines', { name: 'İrem', channel: 'random' })
  await f.bot.say('p2', 'it does', { name: 'irem', channel: 'random' })
  await f.bot.say('alice', 'indeed')
  await f.store().note(key('alice'), place(), { personality: 'a friend of irem' })
  await f.forget(key('p1'))
  expect(await f.dump()).toContain('a friend of irem')
})

test('messages that were not counted yet are not counted later', async () => {
  await using f = await forgetting({ writeEvery: '1d' })
  await f.bot.say('eve', 'my tomatoes are growing')
  await f.forget(key('eve'))
  await f.bot.pass('2d')
  expect(await f.dump()).not.toMatch(/eve|tomatoes/)
  expect(await f.store().list()).toEqual([])
})

test('a person who writes again starts at zero', async () => {
  await using f = await forgetting()
  for (let at = 0; at < 7; at++) await f.bot.say('eve', 'hello')
  await f.forget(key('eve'))
  await f.bot.say('eve', 'hello again')
  expect(await f.known('eve')).toMatchObject({ messages: 1, familiarity: 'stranger' })
})

test('messages after the request count, even if they were counted before it was carried out', async () => {
  await using f = await forgetting({}, { storage: 'pglite' })
  await f.bot.say('eve', 'hello')
  const before = new Date(f.bot.clock.now())
  await f.bot.pass('1m')
  await f.bot.say('eve', 'hello again')
  await f.store().flush()
  // The same as for a request that was delayed.
  const { rows } = await f.bot.db.query<{ id: number }>(
    `insert into kikimimi.forgetting (platform, person, before) values ('test', 'eve', $1) returning id`,
    [before],
  )
  expect(rows).toHaveLength(1)
  await f.bot.restart()
  await f.bot.pass('10m')
  expect((await f.known('eve')).messages).toBe(1)
})

test('a person of another platform with the same id stays', async () => {
  await using f = await forgetting()
  await f.bot.say('eve', 'hello')
  await f.forget(key('eve', 'slack'))
  expect((await f.known('eve')).messages).toBe(1)
})

describe('the name of an erased person', () => {
  test('deletes the notes of others that contain it, and no others', async () => {
    await using f = await forgetting()
    for (const id of ['alice', 'bob', 'carol']) await f.bot.say(id, 'hello')
    // The notes of a channel with messages of the person go as a whole.
    await f.bot.say('ann', 'hello', { channel: 'random' })
    await f.store().note(key('alice'), place(), { tags: ['cats'], personality: 'Fond of Ann, her sister.' })
    await f.store().note(key('bob'), place(), { tags: ['ann’s neighbour'] })
    await f.store().note(key('carol'), place(), { tags: ['planning'], lastConversation: 'Told of an annual meeting.' })
    await f.forget(key('ann'))
    expect(await f.known('alice')).not.toHaveProperty('personality')
    expect(await f.known('alice')).not.toHaveProperty('tags')
    expect(await f.known('bob')).not.toHaveProperty('tags')
    expect(await f.known('carol')).toMatchObject({ tags: ['planning'], lastConversation: 'Told of an annual meeting.' })
  })

  test('is found in Japanese, too', async () => {
    await using f = await forgetting()
    for (const id of ['花子', '太郎']) await f.bot.say(id, 'こんにちは')
    await f.store().note(key('太郎'), place(), { lastConversation: '昨日は花子と話していた。' })
    await f.forget(key('花子'))
    expect(await f.known('太郎')).not.toHaveProperty('lastConversation')
  })

  test('is removed from the topics of others', async () => {
    await using f = await forgetting()
    await f.bot.say('wanda', 'hello')
    await f.bot.say('alice', 'Wanda and the tomatoes')
    await f.bot.pass('1h')
    expect((await f.known('alice')).topics).toEqual(['Wanda', 'tomatoes'])
    await f.forget(key('wanda'))
    expect((await f.known('alice')).topics).toEqual(['tomatoes'])
  })
})

test('notes from before the request are not stored afterwards', async () => {
  await using f = await forgetting()
  await f.bot.say('eve', 'hello')
  const readAt = new Date(f.bot.clock.now())
  await f.bot.pass('1m')
  await f.forget(key('eve'))
  await f.store().note(key('eve'), place(), { tags: ['gardener'] }, { sources: [], readAt })
  expect(await f.dump()).not.toMatch(/gardener/)
  await f.bot.say('eve', 'hello')
  await f.store().note(key('eve'), place(), { tags: ['gardener'] })
  expect(await f.known('eve')).toMatchObject({ tags: ['gardener'] })
})

test('the mark of the erasure is deleted after a month', async () => {
  await using f = await forgetting({ writeEvery: '1d' })
  await f.bot.say('eve', 'hello')
  await f.forget(key('eve'))
  const left = async () => (await f.bot.db.query('select 1 from profiles.forgotten')).rows.length
  await f.bot.pass('1d')
  expect(await left()).toBe(1)
  await f.bot.pass('30d')
  expect(await left()).toBe(0)
})
