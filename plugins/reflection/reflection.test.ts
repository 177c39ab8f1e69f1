import judgeRules from '@kikimimi/judge-rules'
import reply from '@kikimimi/reply'
import { promptOf, testBot } from 'kikimimi/testing'
import { describe, expect, test } from 'vitest'
import reflection from './index.ts'
import { options } from './options.ts'
import { answer, found, reflecting } from './test-bot.ts'

describe('a place is processed', () => {
  test('after ten minutes without messages', async () => {
    await using r = await reflecting()
    await r.talk(10)
    await r.bot.pass('9m')
    expect(r.model.asked).toHaveLength(0)
    await r.bot.pass('2m')
    expect(r.model.asked).toHaveLength(1)
    expect(await r.contents()).toEqual(Array.from({ length: 10 }, (_, at) => `I note ${at + 1}`))
  })

  test('each message restarts the wait, in threads too', async () => {
    await using r = await reflecting()
    await r.talk(10)
    await r.bot.pass('8m')
    await r.talk(1, { thread: 't1' })
    await r.bot.pass('8m')
    expect(r.model.asked).toHaveLength(0)
    await r.bot.pass('3m')
    expect(r.model.asked).toHaveLength(1)
    expect(await r.contents()).toHaveLength(11)
  })

  test('fewer than ten messages wait for more', async () => {
    await using r = await reflecting()
    await r.talk(9)
    await r.bot.pass('25m')
    expect(r.model.asked).toHaveLength(0)
    await r.talk(1)
    await r.bot.pass('11m')
    expect(r.model.asked).toHaveLength(1)
  })

  test('with more than a hundred unread messages, even in a lively conversation', async () => {
    await using r = await reflecting()
    for (let round = 0; round < 10; round++) {
      await r.talk(10)
      await r.bot.pass('20s')
    }
    expect(r.model.asked).toHaveLength(0)
    await r.talk(1)
    await r.bot.pass('20s')
    expect(r.model.asked).toHaveLength(1)
    // No single message is left over.
    expect(promptOf(r.model.asked[0])).toContain('I note 101')
  })

  test('as the options say', async () => {
    await using r = await reflecting(undefined, { lull: '1m', minMessages: 1, maxMessages: 3 })
    await r.talk(1)
    await r.bot.pass('150s')
    expect(r.model.asked).toHaveLength(1)
    await r.talk(4)
    await r.bot.pass('30s')
    expect(r.model.asked).toHaveLength(2)
  })

  test('not because of messages of bots', async () => {
    await using r = await reflecting(undefined, {}, { listen: { bots: true } })
    await r.talk(9)
    for (let at = 0; at < 3; at++) await r.bot.say('robot', 'the build is green', { bot: true })
    await r.bot.bot.receive(r.bot.platform, {
      ...{ id: 'own', author: r.bot.platform.me, text: 'I say so', at: new Date(r.bot.clock.now()) },
      conversation: { platform: 'test', workspace: 'team', channel: 'general', name: 'general', visibility: 'public' },
    })
    await r.bot.pass('15m')
    expect(r.model.asked).toHaveLength(0)
  })
})

describe('each message is processed once', () => {
  test('across a restart', async () => {
    await using r = await reflecting(undefined, {}, { storage: 'pglite' })
    await r.talk(10)
    await r.bot.restart()
    await r.bot.pass('11m')
    expect(r.model.asked).toHaveLength(1)
    await r.bot.restart()
    await r.talk(10)
    await r.bot.pass('15m')
    expect(r.model.asked).toHaveLength(2)
    expect(promptOf(r.model.asked[1])).not.toMatch(/^I note 10$/m)
    expect(await r.contents()).toHaveLength(20)
  })

  test('after a stop during the model call', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting: Parameters<typeof reflecting>[0] = async ({ lines, count }) => {
      if (count === 1) await promise
      return answer(lines.map(({ text, id = '' }) => found(text, { message: id })))
    }
    await using r = await reflecting(waiting, {}, { storage: 'pglite' })
    await r.talk(10)
    await r.bot.pass('11m')
    expect(r.model.asked).toHaveLength(1)
    const restarted = r.bot.restart()
    resolve()
    await restarted
    await r.bot.pass('11m')
    expect(await r.contents()).toHaveLength(10)
    expect((await r.facts()).flatMap(({ sources }) => sources)).toHaveLength(10)
  })

  test('in batches, oldest first', async () => {
    await using r = await reflecting(undefined, { maxMessages: 20 })
    const read = () => r.model.asked.map(request => (promptOf(request).match(/^I note \d+$/gm) ?? []).length)
    await r.talk(45)
    await r.bot.pass('1m')
    expect(read()).toEqual([20, 25])
    // At most twenty facts per batch.
    expect(await r.contents()).toHaveLength(40)
  })

  test('messages from before the installation are not', async () => {
    await using r = await reflecting(undefined, { lull: '1m' }, { storage: 'pglite' })
    await r.talk(20)
    // As if it had never run.
    await r.bot.db.script(`delete from kikimimi.follower`)
    await r.bot.restart()
    await r.bot.pass('3m')
    expect(r.model.asked).toHaveLength(0)
    await r.talk(10)
    await r.bot.pass('3m')
    expect(r.model.asked).toHaveLength(1)
    expect(promptOf(r.model.asked[0])).not.toMatch(/^I note 20$/m)
  })
})

test('a reply does not wait for it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const thinker = () => promise.then(() => answer([]))
  await using r = await reflecting(thinker, { lull: '1m' }, { also: [judgeRules(), reply()] })
  await r.talk(10)
  await r.bot.pass('150s')
  expect(r.model.asked).toHaveLength(1)
  await r.bot.say('alice', '@kiki are you there?')
  expect(r.bot.sent).toEqual(['I see.'])
  resolve()
})

test('the defaults', () => {
  expect(options.parse(undefined)).toEqual({
    lull: 10 * 60_000,
    maxMessages: 100,
    minMessages: 10,
    instructions: '',
    schema: {},
    profiles: true,
  })
})

test('an invalid option and a missing plugin are refused at the start', async () => {
  await expect(testBot({ plugins: [reflection({ minMessages: 0 })] })).rejects.toThrow(/\[reflection\].*\n?.*minMessages/)
  await expect(testBot({ plugins: [reflection()] })).rejects.toThrow(/\[reflection\] needs the service "facts"/)
})
