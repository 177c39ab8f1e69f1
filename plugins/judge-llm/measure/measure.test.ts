import { expect, it } from 'vitest'
import { channel, PEOPLE, report, rounds, type Says } from '../testing/channel.ts'

const always: Says = () => ({ respond: true, confidence: 0.8 })
const good: Says = question => ({ respond: question === 'useful', confidence: 0.6 })

it('a judge that always says yes no longer makes the bot speak where people ignored it, and is paused', async () => {
  await using talk = await channel(always, { storage: 'pglite' })
  // A judge is paused after 50 calls at the earliest.
  const spoke = await rounds(talk, 51, () => 'idle')
  expect(spoke[0]).toBe(true)
  expect(spoke.slice(30)).not.toContain(true)

  const { bot, model } = talk
  expect(bot.log.filter(line => line.includes('the judge is paused'))).toHaveLength(1)
  expect((await report(talk)).join('\n')).toContain('paused: the points decide')
  const asked = model.asked.length
  expect(await rounds(talk, 4, () => 'idle')).toEqual([false, false, false, false])
  expect(model.asked).toHaveLength(asked)
  await bot.say('alice', 'an idle question?')
  await bot.pass('20s')
  expect((await bot.trace()).decision).toMatchObject({
    ...{ plugin: 'judge-llm', kind: 'silent' },
    why: expect.stringMatching(
      /^the judge is paused here until 2026-\d\d-\d\d, because its verdicts told no more than the points · /,
    ),
  })

  // A week later it is asked for a sample, while the points decide. It is still useless, so it stays paused.
  await bot.pass('7d')
  await bot.say('alice', 'an idle question?')
  await bot.pass('20s')
  expect((await bot.trace()).decision?.why).toMatch(/^the judge is paused and was asked as a sample, because /)
  expect(await rounds(talk, 20, () => 'idle')).not.toContain(true)
  expect(model.asked).toHaveLength(asked + 20)

  // Another week later, in which the bot was off, it is good.
  talk.says = question => ({ respond: question === 'useful', confidence: 0.9 })
  await bot.restart('7d')
  expect(await rounds(talk, 20, time => (Math.floor(time / 4) % 2 ? 'idle' : 'useful'))).not.toContain(true)
  expect(bot.log.filter(line => line.includes('the judge is asked again'))).toHaveLength(1)
  expect(await rounds(talk, 8, time => (time % 2 ? 'idle' : 'useful'))).toContain(true)
}, 120_000)

it('a good judge makes the bot speak more often, where people show that it is right', async () => {
  await using talk = await channel(good, { points: 40 })
  // The points and the verdict together are not enough at first.
  const question = (time: number) => (Math.floor(time / 4) % 2 ? 'idle' : 'useful')
  const spoke = await rounds(talk, 48, question)
  expect(spoke.slice(0, 4)).toEqual([false, false, false, false])
  expect(spoke.slice(40, 44)).toEqual([true, true, true, true])
  expect(spoke.filter((_, time) => question(time) === 'idle')).not.toContain(true)
  expect((await report(talk)).join('\n')).toContain('not paused')
}, 120_000)

it('one person alone changes nothing', async () => {
  await using talk = await channel(always)
  const spoke = await rounds(talk, 51, () => 'idle', [PEOPLE[0]])
  expect(spoke).not.toContain(false)
  expect(talk.bot.log.join('\n')).not.toContain('the judge is paused')
  expect((await report(talk)).join('\n')).toMatch(/coefficient of the verdict: 2\.50 .* from 51 votes of 1 people/)
}, 120_000)
