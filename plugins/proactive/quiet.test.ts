import quiet from '@kikimimi/quiet'
import { expect, test } from 'vitest'
import { CAMPING, woken } from './test-bot.ts'

const { fact, opener } = CAMPING.en

/** Each test begins at 10:00. */
const night = { hours: { from: '22:00', to: '06:00' } } as const

test.each([
  ['12h', []],
  ['19h', []],
  ['20h', [fact]],
] as const)('in quiet hours nothing is brought up: after 2 days and %s, %j', async (time, broughtUp) => {
  await using w = await woken({}, { before: [quiet(night)] })
  await w.know(fact)
  await w.bot.pass('2d')
  await w.bot.pass(time)
  await w.say('alice', opener)
  expect(w.broughtUp).toEqual(broughtUp)
})

test('nor when they begin during the wait', async () => {
  await using w = await woken({ delay: '10m' }, { before: [quiet(night)] })
  await w.know(fact)
  await w.bot.pass('2d')
  await w.bot.pass('715m')
  await w.bot.say('alice', opener)
  await w.bot.pass('30m')
  expect(w.bot.sent).toEqual([])
  expect(await w.bot.trace()).toMatchObject({ outcome: 'silent', why: 'quiet hours' })
})

test('nor after a request to be quiet', async () => {
  await using w = await woken({}, { before: [quiet()] })
  await w.know(fact)
  await w.bot.pass('2d')
  await w.say('bob', '@kiki be quiet for 5 hours')
  await w.bot.pass('4h')
  await w.say('alice', opener)
  expect(w.broughtUp).toEqual([])
  await w.bot.pass('2h')
  await w.say('alice', opener)
  expect(w.broughtUp).toEqual([fact])
})

test('nor where the chattiness is quiet', async () => {
  await using w = await woken()
  await w.know(fact)
  await w.bot.command('bob', 'chattiness quiet', { moderator: true })
  await w.bot.pass('2d')
  await w.say('alice', opener)
  expect(w.broughtUp).toEqual([])
  await w.bot.command('bob', 'chattiness normal', { moderator: true })
  await w.bot.pass('2d')
  await w.say('alice', opener)
  expect(w.broughtUp).toEqual([fact])
})
