/** Whom reminders notify, and what owners learn of those that could not be told. */
import addressing from '@kikimimi/addressing'
import quiet from '@kikimimi/quiet'
import reply from '@kikimimi/reply'
import { scriptedModel, type TestBotOptions, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import promises from './index.ts'

/** Wednesday, 2026-03-11 14:30 in Berlin. */
const AT = new Date('2026-03-11T13:30:00Z')

const berlin = (more: TestBotOptions = {}) =>
  testBot({
    timeZone: 'Europe/Berlin',
    plugins: [promises(), addressing(), reply()],
    storage: 'pglite',
    at: AT,
    model: scriptedModel('Fine.'),
    ...more,
  })
const direct = { platform: { opensDirect: true } } as const

describe('a reminder notifies', () => {
  test('the person who asked for it, or for whom it is, and no other that it names', async () => {
    await using bot = await berlin()
    await bot.say('bob', 'hello')
    await bot.say('alice', '@kiki remind me in 20 minutes to write to bob and @everyone')
    await bot.say('alice', '@kiki remind bob in 30 minutes to eat')
    await bot.pass('1h')
    expect(bot.posted.slice(2)).toMatchObject([
      { text: '⏰ alice: write to bob and @everyone', notifies: ['alice'] },
      { text: '⏰ bob: eat (from alice)', notifies: ['bob'] },
    ])
    expect(bot.posted.slice(0, 2).filter(one => 'notifies' in one)).toEqual([])
  })

  test('the same people after the platform was away and the bot was restarted', async () => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki remind me in 20 minutes to eat')
    bot.platform.faults.push(Object.assign(new Error('wait'), { retryAfterMs: 600_000 }))
    await bot.pass('21m')
    await bot.restart()
    await bot.pass('20m')
    expect(bot.posted.slice(1)).toMatchObject([{ text: '⏰ alice: eat', notifies: ['alice'] }])
    expect((await bot.db.query('select 1 from kikimimi.delivery where notify is not null')).rowCount).toBe(0)
  })

  test('nobody in a direct message, where each message notifies', async () => {
    await using bot = await berlin()
    await bot.say('alice', 'remind me in 20 minutes to eat', { channel: 'dm', visibility: 'direct' })
    await bot.pass('30m')
    expect(bot.sent.at(-1)).toBe('⏰ alice: eat')
    expect(bot.posted.filter(one => 'notifies' in one)).toEqual([])
  })

  test('no person who has refused reminders of others meanwhile; who asked learns that', async () => {
    await using bot = await berlin(direct)
    await bot.say('bob', 'hello')
    await bot.say('alice', '@kiki remind bob in 20 minutes to eat')
    await bot.say('bob', "@kiki don't remind me for others")
    await bot.say('bob', '@kiki remind me in 30 minutes to drink')
    await bot.pass('1h')
    expect(bot.posted.slice(3)).toMatchObject([
      {
        channel: 'direct-alice',
        text: expect.stringMatching(/no\. 1 .*“eat” – is cancelled, because the person takes no reminders/),
      },
      { channel: 'general', text: '⏰ bob: drink', notifies: ['bob'] },
    ])
    await bot.pass('24h')
    expect(bot.posted).toHaveLength(5)
  })
})

describe('a reminder that could not be told', () => {
  test('is said to its owner in a direct message, once', async () => {
    await using bot = await berlin(direct)
    await bot.say('alice', '@kiki remind us every hour to drink')
    bot.platform.faults.push(new Error('gone'))
    await bot.pass('61m')
    expect(bot.posted.slice(1)).toMatchObject([
      {
        channel: 'direct-alice',
        text: expect.stringMatching(/^⏰ Your reminder no\. 1 for .* in general: “drink” – could not be posted/),
      },
    ])
    bot.platform.faults.push(new Error('gone'))
    await bot.pass('1h')
    await bot.say('alice', '@kiki hello')
    expect(bot.posted.slice(2)).toMatchObject([{ channel: 'general', text: 'Fine.' }])
    await bot.pass('1h')
    expect(bot.sent.at(-1)).toBe('⏰ alice: drink')
  })

  test('is said at the next call of its owner where there are no direct messages, once, and without its words', async () => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki remind me in 20 minutes to buy the ring', { channel: 'secret', visibility: 'private' })
    bot.platform.faults.push(new Error('gone'))
    await bot.pass('30m')
    await bot.restart()
    await bot.say('bob', '@kiki hello')
    await bot.say('alice', '@kiki hello')
    await bot.say('alice', '@kiki hello again')
    await bot.pass('1m')
    expect(bot.sent.slice(1)).toEqual([
      'Fine.',
      'Fine.',
      '⏰ Your reminder no. 1 – could not be posted there: the place does not take my messages.',
      'Fine.',
    ])
  })

  test('and not directly either, is said at the next call', async () => {
    await using bot = await berlin(direct)
    await bot.say('alice', '@kiki remind me in 20 minutes to eat')
    bot.platform.faults.push(new Error('gone'), new Error('takes no messages'))
    await bot.pass('30m')
    expect(bot.sent).toHaveLength(1)
    await bot.say('alice', '@kiki hello')
    expect(bot.sent.slice(1)).toEqual(['Fine.', expect.stringContaining('no. 1 – could not be posted')])
  })

  test('because the platform was away too long, is said to its owner', async () => {
    await using bot = await berlin(direct)
    await bot.say('alice', '@kiki remind me in 20 minutes to eat')
    const away = Array.from({ length: 8 }, () => Object.assign(new Error('wait'), { retryAfterMs: 600_000 }))
    bot.platform.faults.push(...away)
    await bot.pass('90m')
    bot.platform.faults.length = 0
    await bot.pass('90m')
    expect(bot.posted.slice(1)).toMatchObject([{ channel: 'direct-alice', text: expect.stringContaining('could not be posted') }])
    await bot.pass('12h')
    expect(bot.posted).toHaveLength(2)
  })

  test('during STOP, is said to its owner once, and told when STOP is over', async () => {
    await using bot = await berlin(direct)
    await bot.say('alice', '@kiki remind me in half an hour to stretch')
    await bot.say('root', '@kiki STOP', { admin: true })
    const before = bot.posted.length
    await bot.pass('3h')
    expect(bot.posted.slice(before)).toMatchObject([
      { channel: 'direct-alice', text: expect.stringContaining('waits, because I was told to stop') },
    ])
    await bot.say('root', '@kiki START', { admin: true })
    await bot.pass('1h')
    expect(bot.sent.at(-1)).toMatch(/^⏰ alice: stretch \(late/)
    await bot.say('alice', '@kiki hello')
    expect(bot.sent.at(-1)).toBe('Fine.')
  })

  test('because other people can read the place now, is said to its owner', async () => {
    await using bot = await berlin(direct)
    await bot.say('alice', '@kiki remind me in half an hour to stretch', { channel: 'secret', visibility: 'private' })
    await bot.say('bob', 'hello', { channel: 'secret', visibility: 'public' })
    await bot.pass('1h')
    expect(bot.posted.slice(1)).toMatchObject([
      { channel: 'direct-alice', text: expect.stringContaining('is cancelled, because other people') },
    ])
  })

  test('is forgotten with the person', async () => {
    await using bot = await berlin()
    await bot.say('alice', '@kiki remind me in 20 minutes to eat')
    bot.platform.faults.push(new Error('gone'))
    await bot.pass('30m')
    expect((await bot.db.query('select 1 from promises.unsaid')).rowCount).toBe(1)
    await bot.bot.forget({ platform: 'test', id: 'alice' })
    expect((await bot.db.query('select 1 from promises.unsaid')).rowCount).toBe(0)
  })
})

test('a reminder is told during quiet hours and while the bot was asked to be quiet, because a person asked for it', async () => {
  await using bot = await berlin({
    plugins: [promises(), quiet({ hours: { from: '14:00', to: '16:00' } }), addressing(), reply()],
  })
  await bot.say('alice', '@kiki remind me in 20 minutes to eat')
  await bot.say('bob', '@kiki be quiet for an hour')
  await bot.pass('30m')
  expect(
    bot.posted
      .filter(one => one.kind === 'text')
      .map(({ text }) => text)
      .slice(1),
  ).toEqual(['⏰ alice: eat'])
})
