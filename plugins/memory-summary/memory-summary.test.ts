import reply from '@kikimimi/reply'
import { testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import memorySummary from './index.ts'
import { options } from './options.ts'
import { noted, remembering } from './test-memory.ts'

describe('the offline model', () => {
  test('summarises messages, together with the previous summary', async () => {
    await using bot = await testBot({ plugins: [memorySummary({ everyMessages: 3 }), reply()], memory: { ttl: '1s' } })
    for (const [name, text] of [
      ['alice', 'my cat is called Tama'],
      ['bob', 'cute!'],
      ['alice', 'Tama is a calico cat'],
    ] as const)
      await bot.say(name, text)
    await bot.pass('1m')
    for (let at = 1; at <= 3; at++) await bot.say('carol', `the train number ${at} is late`)
    await bot.pass('1m')
    const { rows } = await bot.db.query('select recent, mood, topics from memory_summary.memory where name = $1', ['general'])
    expect(rows).toEqual([
      {
        recent:
          'alice: “my cat is called Tama” bob: “cute!” alice: “Tama is a calico cat”\n' +
          'carol: “the train number 1 is late” carol: “the train number 2 is late” carol: “the train number 3 is late”',
        mood: 'calm',
        topics: ['train', 'number', 'late', '1', '2'],
      },
    ])
  })

  test('in Japanese, within the token limit', async () => {
    await using bot = await testBot({ plugins: [memorySummary({ everyMessages: 2, recentTokens: 40 })], locale: 'ja' })
    for (let round = 0; round < 4; round++) {
      for (const name of ['花子', '太郎']) await bot.say(name, `電車その${round}が遅れています`)
      await bot.pass('1m')
    }
    const { rows } = await bot.db.query<{ recent: string }>('select recent from memory_summary.memory where name = $1', [
      'general',
    ])
    expect(rows[0]?.recent).toBe('花子「電車その3が遅れています」太郎「電車その3が遅れています」')
  })
})

describe('calls of the model', () => {
  /** Number of model calls for messages in one channel at a rate per minute. */
  async function calls(messages: number, perMinute: number): Promise<number> {
    await using m = await remembering()
    for (let said = 0; said < messages; ) {
      for (let at = 0; at < Math.max(1, perMinute); at++) await m.bot.say('alice', `message ${++said}`)
      await m.bot.pass(perMinute < 1 ? `${1 / perMinute}m` : '1m')
    }
    return m.summary.asked.length
  }

  test('50 calls for 1,000 messages in a lively channel', async () => {
    expect(await calls(100, 20)).toBe(5)
  })

  test('one call for each message that stands alone for fifteen minutes', async () => {
    expect(await calls(2, 1 / 16)).toBe(2)
  })

  test('none without messages', async () => {
    await using m = await remembering(undefined, {}, { storage: 'pglite' })
    await m.bot.say('alice', 'hello there')
    await m.bot.pass('16m')
    const before = m.bot.db.statements
    await m.bot.pass('5m')
    expect(m.summary.asked).toHaveLength(1)
    expect((m.bot.db.statements - before) / 5).toBeLessThan(30)
  })
})

test('the defaults', () => {
  expect(options.parse(undefined)).toEqual({
    everyMessages: 20,
    everyMinutes: 15,
    foldAfter: 24 * 60 * 60_000,
    workspaceEvery: 60 * 60_000,
    recentTokens: 300,
    historyTokens: 500,
    activeChannelDays: 7,
    threadMemoryDays: 7,
  })
})

test('an invalid option is refused at the start', async () => {
  await expect(testBot({ plugins: [memorySummary({ everyMessages: 0 })] })).rejects.toThrow(/\[memory-summary\] everyMessages/)
})

test('memories that are empty and ended are deleted', async () => {
  const minute = 1 / 24 / 60
  await using m = await remembering(
    undefined,
    { everyMessages: 1, threadMemoryDays: minute },
    { at: new Date('2026-01-05T23:55:00Z') },
  )
  await m.bot.say('alice', 'in a thread', { thread: 't1' })
  await m.bot.pass('2m')
  expect((await m.channel()).threads).toHaveLength(1)
  await m.bot.db.script('delete from kikimimi.message; delete from kikimimi.latest')
  await m.bot.pass('4m')
  expect((await m.channel()).threads).toEqual([])
})

test('the memories of a channel are found among any number of more active ones', async () => {
  await using m = await remembering(({ kind }) => noted(`about the ${kind}`), { everyMessages: 1, workspaceEvery: 1 })
  const { bot, store } = m
  await bot.say('alice', 'hello there')
  await bot.say('alice', 'hello there too', { thread: 't1' })
  await bot.say('alice', 'hello somewhere else', { channel: 'random' })
  await bot.pass('2m')
  await bot.db.query(
    `insert into memory_summary.memory (id, kind, workspace, channel, name, place, visibility, active_at, began)
     select id, 'channel', 'test/other', id, id, id, 'public', now() + interval '100 years', 0
     from (select 'test/other/c' || n as id from generate_series(1, 2000) n) busy`,
  )
  expect((await store().list()).channels.map(({ workspace }) => workspace)).not.toContain('test/team')
  const { workspaces, channels } = await store().list('test/team/general')
  expect(workspaces).toMatchObject([{ workspace: 'test/team' }])
  expect(channels).toMatchObject([
    { id: 'test/team/general', recent: expect.stringContaining('about'), threads: [{ id: 'test/team/general/t1' }] },
  ])
})
