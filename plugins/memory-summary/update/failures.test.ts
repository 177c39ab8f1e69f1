import { promptOf } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import { noted, remembering } from '../test-memory.ts'

const refusal = () => Object.assign(new Error('blocked'), { status: 400 })
const outage = () => Object.assign(new Error('overloaded'), { status: 503 })

test('after a failure the old summary stays, and the same batch is tried again', async () => {
  await using m = await remembering(({ count }) => (count === 2 ? refusal() : noted(`note ${count}`)), { everyMessages: 2 })
  const { bot, summary, talk, channel } = m
  await talk(2, at => `first ${at}`)
  await bot.pass('30s')
  await talk(2, at => `second ${at}`)
  await bot.pass('30s')
  expect(summary.asked).toHaveLength(2)
  expect((await channel()).recent).toBe('note 1')
  await talk(2, at => `third ${at}`)
  await bot.pass('20s')
  expect(summary.asked).toHaveLength(2)
  await bot.pass('2m')
  expect(summary.asked).toHaveLength(4)
  expect(promptOf(summary.asked[2])).toBe(promptOf(summary.asked[1]))
  expect(promptOf(summary.asked[3])).toContain('note 3')
  expect(promptOf(summary.asked[3])).toContain('third 1')
  expect(await channel()).toMatchObject({ recent: 'note 4', setAside: 0 })
})

test('a batch that the model refuses twice is skipped, and the next one is read', async () => {
  await using m = await remembering(({ prompt }) => (prompt.includes('poison') ? refusal() : noted('fine')), { everyMessages: 1 })
  const { bot, summary, channel } = m
  await bot.say('mallory', 'poison')
  await bot.pass('30s')
  await bot.say('alice', 'something else')
  await bot.pass('20s')
  expect(summary.asked).toHaveLength(1)
  await bot.pass('3m')
  expect(summary.asked).toHaveLength(3)
  expect(await channel()).toMatchObject({ recent: 'fine', setAside: 1, activeUsers: [{ id: 'alice' }] })
  expect(bot.log.join('\n')).not.toContain('poison')
})

test('an answer of the wrong shape is a failure', async () => {
  await using m = await remembering(({ count }) => (count <= 2 ? { value: { summary: '' } } : noted('fine')), {
    everyMessages: 1,
  })
  const { bot, channel } = m
  await bot.say('alice', 'hello there')
  await bot.pass('30s')
  expect((await channel()).recent).toBe('')
  await bot.pass('2m')
  expect((await channel()).recent).toBe('fine')
})

test('a model that is down is called less and less often, and no batch is skipped', async () => {
  let down = true
  await using m = await remembering(() => (down ? outage() : noted('back')), { everyMessages: 1 })
  const { bot, summary, channel } = m
  await bot.say('alice', 'hello there')
  await bot.pass('40s')
  expect(summary.asked).toHaveLength(3)
  await bot.pass('10m')
  // Three attempts each time, after pauses of one, two and four minutes.
  expect(summary.asked.length).toBeLessThanOrEqual(12)
  expect(await channel()).toMatchObject({ recent: '', setAside: 0 })
  down = false
  await bot.pass('10m')
  expect((await channel()).recent).toBe('back')
})

test('a wrong key costs at most two batches of memory', async () => {
  let wrong = true
  await using m = await remembering(
    () => (wrong ? Object.assign(new Error('API key not valid'), { status: 401 }) : noted('works')),
    { everyMessages: 1 },
  )
  const { bot, channel } = m
  for (const name of ['a', 'b', 'c', 'd', 'e']) await bot.say('alice', 'hello there', { channel: name })
  await bot.pass('5m')
  wrong = false
  await bot.pass('16m')
  const channels = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(name => channel(name)))
  expect(channels.reduce((sum, { setAside }) => sum + setAside, 0)).toBeLessThanOrEqual(2)
  expect(channels.filter(({ recent }) => recent === 'works').length).toBeGreaterThanOrEqual(3)
})
