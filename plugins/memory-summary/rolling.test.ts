import reply from '@kikimimi/reply'
import type { Script } from 'kikimimi/testing'
import { promptOf } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import { kindOf, noted, remembering } from './test-memory.ts'

const soon = { everyMinutes: 3 } as const

describe.each([
  { locale: 'en', said: (at: number) => `the train number ${at} was late today`, note: 'Trains were late.', mood: 'annoyed' },
  { locale: 'ja', said: (at: number) => `電車その${at}がまた遅れていました`, note: '電車が遅れた。', mood: 'うんざりしている' },
] as const)('in $locale', ({ locale, said, note, mood }) => {
  test('twenty messages are summarised once, in the language of the conversation', async () => {
    await using m = await remembering(() => noted(note, mood, ['trains', '電車']))
    const { bot, summary, talk, channel } = m
    await talk(19, said)
    await bot.pass('2m')
    expect(summary.asked).toHaveLength(0)
    await bot.say('carol', said(19))
    await bot.pass('1m')
    expect(summary.asked).toHaveLength(1)
    expect(promptOf(summary.asked[0])).toContain(
      locale === 'ja' ? 'これまでの覚え書き\n\n（まだありません）' : 'Notes so far\n\n(none yet)',
    )
    for (let at = 0; at < 20; at++) expect(promptOf(summary.asked[0])).toContain(`${said(at)}\n`)
    expect(await channel()).toMatchObject({
      recent: note,
      mood,
      topics: ['trains', '電車'],
      activeUsers: [{ id: 'carol' }, { id: 'alice' }, { id: 'bob' }],
      history: '',
    })
  })

  test('a slow conversation is summarised after fifteen minutes, only with new messages', async () => {
    await using m = await remembering()
    const { bot, summary } = m
    await bot.say('alice', said(1))
    await bot.pass('14m')
    expect(summary.asked).toHaveLength(0)
    await bot.pass('2m')
    expect(summary.asked).toHaveLength(1)
    await bot.pass('20m')
    expect(summary.asked).toHaveLength(1)
  })
})

test('a summary is made from the previous one and the messages since', async () => {
  await using m = await remembering(({ count }) => noted(`note ${count}`), soon)
  const { bot, summary, channel } = m
  await bot.say('alice', 'the first train')
  await bot.pass('4m')
  await bot.say('bob', 'the second train')
  await bot.pass('4m')
  expect(summary.asked).toHaveLength(2)
  expect(promptOf(summary.asked[1])).toContain('## Notes so far\n\nnote 1\n')
  expect(promptOf(summary.asked[1])).toContain('bob:\nthe second train')
  expect(promptOf(summary.asked[1])).not.toContain('the first train')
  expect(await channel()).toMatchObject({ recent: 'note 2', activeUsers: [{ id: 'bob' }, { id: 'alice' }] })
})

test('messages of the bot are read, but neither counted nor is the bot a participant', async () => {
  await using m = await remembering(undefined, { ...soon, everyMessages: 3 }, { also: [reply()] })
  const { bot, summary, channel } = m
  await bot.say('alice', '@kiki one')
  await bot.say('alice', '@kiki two')
  await bot.pass('1m')
  expect(bot.sent).toHaveLength(2)
  expect(summary.asked).toHaveLength(0)
  await bot.say('alice', 'three')
  await bot.pass('1m')
  expect(promptOf(summary.asked[0])).toContain('kiki:\nI see.')
  expect((await channel()).activeUsers).toEqual([{ id: 'alice', name: 'alice' }])
  await bot.pass('5m')
  expect(summary.asked).toHaveLength(1)
})

test('each message is read once, also over restarts', async () => {
  const read: string[] = []
  await using m = await remembering(
    ({ prompt }) => {
      if (kindOf(prompt) === 'recent') read.push(...(prompt.match(/word\d+/g) ?? []))
      return noted('a note')
    },
    { ...soon, everyMessages: 4 },
    { storage: 'pglite' },
  )
  const { bot, talk } = m
  for (let round = 0; round < 5; round++) {
    await talk(3, at => `word${round * 3 + at}`)
    if (round % 2 === 0) await bot.restart()
    await bot.pass('1m')
  }
  await bot.pass('4m')
  expect(read.sort()).toEqual(Array.from({ length: 15 }, (_, at) => `word${at}`).sort())
})

test('a stop during a model call waits for it, and no message is read twice', async () => {
  const { promise, resolve } = Promise.withResolvers<Script>()
  await using m = await remembering(({ count }) => (count === 1 ? promise : noted('again')), soon, { storage: 'pglite' })
  const { bot, summary, channel } = m
  await bot.say('alice', 'hello there, everybody')
  await bot.pass('3m')
  expect(summary.asked).toHaveLength(1)
  const restarted = bot.restart()
  resolve(noted('hello'))
  await restarted
  await bot.pass('4m')
  expect(summary.asked).toHaveLength(1)
  expect((await channel()).recent).toBe('hello')
})

test('a summary model that hangs delays no answer', async () => {
  const { promise, resolve } = Promise.withResolvers<Script>()
  await using m = await remembering(() => promise, soon, { also: [reply()] })
  const { bot, summary } = m
  await bot.say('alice', 'hello there, everybody')
  await bot.pass('3m')
  expect(summary.asked).toHaveLength(1)
  const before = bot.clock.now()
  await bot.say('bob', '@kiki are you there?')
  expect(bot.sent).toEqual(['I see.'])
  expect(bot.clock.now()).toBe(before)
  expect((await bot.trace()).ms.context).toBe(0)
  resolve(noted('hello'))
})

test('threads have their own summary, and are part of their channel’s', async () => {
  await using m = await remembering(({ prompt }) => noted(/a thread in/.test(prompt) ? 'thread' : 'channel'), soon)
  const { bot, summary, channel } = m
  await bot.say('alice', 'at the top of it')
  await bot.say('bob', 'below in a thread', { thread: 't1' })
  await bot.pass('4m')
  expect(summary.asked).toHaveLength(2)
  expect(promptOf(summary.asked[0])).toMatch(/### Top level\n\n.* alice:\nat the top of it\n\n### Thread: t1\n\n.* bob:\nbelow/)
  expect(await channel()).toMatchObject({ recent: 'channel', threads: [{ id: 'test/team/general/t1', recent: 'thread' }] })
})

test('long texts are cut, and many messages are read in several batches', async () => {
  await using m = await remembering(undefined, soon)
  const { bot, summary, talk } = m
  await bot.say('alice', 'x'.repeat(10_000))
  await talk(104, at => `message ${at}`)
  await bot.pass('1m')
  const [first, second] = summary.asked.map(promptOf)
  expect(first).toContain(`${'x'.repeat(499)}…\n`)
  expect(first).not.toContain('message 99\n')
  expect(second).toBeUndefined()
  await bot.pass('4m')
  expect(summary.asked).toHaveLength(2)
  expect(promptOf(summary.asked[1])).toContain('message 99\n')
})

test('messages from before the installation are not summarised', async () => {
  await using m = await remembering(undefined, soon)
  const { bot, summary } = m
  await bot.say('alice', 'long ago')
  await bot.db.script('update kikimimi.follower set began = (select max(seq) from kikimimi_v1.message)')
  await bot.say('alice', 'today')
  await bot.pass('4m')
  expect(promptOf(summary.asked[0])).toContain('today')
  expect(promptOf(summary.asked[0])).not.toContain('long ago')
})
