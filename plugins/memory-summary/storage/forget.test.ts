import { definePlugin } from 'kikimimi'
import type { Script } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { noted, remembering } from '../test-memory.ts'

/** A memory with exactly the words of its sources. */
const words = ({ prompt }: { readonly prompt: string }) => noted([...new Set(prompt.match(/word-\w+/g))].join(' ') || 'nothing')

const soon = { everyMessages: 1, workspaceEvery: 1 } as const

const remembered = async (store: { list(): Promise<unknown> }) => JSON.stringify(await store.list())

test('forgetting a person clears all memories that may contain their words, and makes them again without them', async () => {
  await using m = await remembering(words, { ...soon, foldAfter: '5m' })
  const { bot } = m
  for (const round of [1, 2]) {
    await bot.say('alice', `I say word-alice${round}`)
    await bot.say('eve', `I say word-eve${round}`)
    await bot.say('eve', `I say word-thread${round}`, { thread: 't1' })
    await bot.say('bob', `I say word-bob${round}`, { channel: 'random' })
    await bot.pass(round === 1 ? '7m' : '2m')
  }
  expect(await remembered(m.store())).toMatch(/word-eve1.*word-eve2|word-eve2.*word-eve1/)
  const random = await m.channel('random')

  expect(await m.store().forget({ platform: 'test', id: 'eve' })).toBe(3)
  expect(await remembered(m.store())).not.toMatch(/word-eve|word-thread|word-alice/)
  expect(await m.channel('random')).toEqual(random)
  await bot.pass('3m')
  expect(await remembered(m.store())).not.toMatch(/word-eve|word-thread/)
  const general = await m.channel()
  expect(`${general.history} ${general.recent}`).toMatch(/word-alice1.*word-alice2/)
  expect(JSON.stringify(m.summary.asked.slice(-3))).not.toMatch(/word-eve|word-thread/)
  const { rows } = await bot.db.query(`select person from memory_summary.speaker where person = 'eve'`)
  expect(rows).toEqual([])
})

test('later messages of a forgotten person are read again', async () => {
  await using m = await remembering(words, soon)
  await m.bot.say('eve', 'I say word-before')
  expect(await m.store().forget({ platform: 'test', id: 'eve' })).toBe(0)
  await m.bot.say('eve', 'I say word-after')
  await m.bot.pass('2m')
  expect((await m.channel()).recent).toBe('word-after')
})

test('a summary that is written during the erasure is discarded', async () => {
  const { promise, resolve } = Promise.withResolvers<Script>()
  await using m = await remembering(asked => (asked.count === 1 ? promise : words(asked)), soon)
  await m.bot.say('eve', 'I say word-eve')
  await m.bot.say('alice', 'I say word-alice')
  await m.bot.pass('30s')
  expect(m.summary.asked).toHaveLength(1)
  await m.store().forget({ platform: 'test', id: 'eve' })
  resolve(noted('word-eve word-alice'))
  await m.bot.pass('2m')
  expect((await m.channel()).recent).toBe('word-alice')
})

test('a person with the same id on another platform is another person', async () => {
  await using m = await remembering(words, soon)
  await m.bot.say('eve', 'I say word-eve')
  await m.bot.pass('2m')
  expect(await m.store().forget({ platform: 'slack', id: 'eve' })).toBe(0)
  expect((await m.channel()).recent).toBe('word-eve')
})

test('a deleted message leaves recent events, and the others stay', async () => {
  await using m = await remembering(words, soon)
  await m.bot.say('alice', 'I say word-one')
  const secret = await m.bot.say('alice', 'I say word-secret')
  await m.bot.pass('2m')
  expect((await m.channel()).recent).toBe('word-one word-secret')
  await m.bot.remove(secret)
  await m.bot.pass('2m')
  expect((await m.channel()).recent).toBe('word-one')
  const asked = m.summary.asked.length
  await m.bot.pass('5m')
  expect(m.summary.asked).toHaveLength(asked)
})

test('a message that is deleted during its summary is not remembered', async () => {
  const { promise, resolve } = Promise.withResolvers<Script>()
  await using m = await remembering(asked => (asked.count === 1 ? promise : words(asked)), soon)
  await m.bot.say('alice', 'I say word-one')
  const secret = await m.bot.say('alice', 'I say word-secret')
  await m.bot.pass('30s')
  expect(m.summary.asked).toHaveLength(1)
  await m.bot.remove(secret)
  resolve(noted('word-one word-secret'))
  await m.bot.pass('2m')
  expect((await m.channel()).recent).toBe('word-one')
})

test('words that are edited away during their summary are not remembered', async () => {
  const { promise, resolve } = Promise.withResolvers<Script>()
  await using m = await remembering(asked => (asked.count === 1 ? promise : words(asked)), soon)
  const secret = await m.bot.say('alice', 'I say word-secret')
  await m.bot.pass('30s')
  expect(m.summary.asked).toHaveLength(1)
  await m.bot.edit(secret, 'I say word-nothing')
  resolve(noted('word-secret'))
  await m.bot.pass('2m')
  expect((await m.channel()).recent).toBe('word-nothing')
})

test('the list of forgotten people is kept as long as the log has their messages', async () => {
  await using m = await remembering(words, soon)
  const { bot } = m
  await bot.say('eve', 'I say word-eve')
  await m.store().forget({ platform: 'test', id: 'eve' })
  const forgotten = async () => (await bot.db.query('select person from memory_summary.forgotten')).rowCount
  await bot.pass('1d')
  expect(await forgotten()).toBe(1)
  await bot.db.query('delete from kikimimi.message')
  await bot.pass('1d')
  expect(await forgotten()).toBe(0)
})

test('an erasure continues if another plugin fails, and what others said about the person stays', async () => {
  let broken = true
  const failing = definePlugin({
    name: 'failing',
    setup: () => ({
      forget: () => {
        if (broken) throw new Error('not now')
      },
    }),
  })
  const named = ({ prompt }: { readonly prompt: string }) =>
    noted([...new Set(prompt.match(/Eve|word-\w+/g))].join(' ') || 'nothing')
  await using m = await remembering(named, soon, { also: [failing] })
  const { bot } = m
  await bot.say('Eve', 'I say word-eve', { channel: 'random' })
  await bot.say('bob', 'Eve heard word-bob')
  await bot.pass('2m')
  expect((await m.channel()).recent).toBe('Eve word-bob')

  await expect(bot.bot.forget({ platform: 'test', id: 'Eve' })).rejects.toMatchObject({ code: 'FORGET_FAILED' })
  await bot.say('bob', 'I say word-more')
  await bot.pass('2m')
  expect((await m.channel()).recent).toBe('Eve word-bob word-more')
  expect(await remembered(m.store())).not.toContain('word-eve')
  broken = false
  await bot.pass('10m')
  expect((await m.channel()).recent).toBe('Eve word-bob word-more')
  expect(await remembered(m.store())).not.toContain('word-eve')
})
