import { expect, test } from 'vitest'
import { type App, type Decision, definePlugin } from './plugin.ts'
import { type TestBot, testBot } from './testing/index.ts'

const DEV = 'test/team/dev'
const LATER: Decision = { kind: 'full', why: 'lets others go first', delayMs: 60_000 }
const PACING = { minWait: '10s', jitter: 0 } as const

const apps: App[] = []

const patient = definePlugin({
  name: 'patient',
  setup(app) {
    apps.unshift(app)
    return {
      decide: ({ message }) => (message.text.includes('never') ? { kind: 'silent', why: 'never' } : LATER),
      respond: ({ message }) => ({ kind: 'text', text: `about: ${message.text}` }),
    }
  },
})

/** Seconds from now, where, and why. */
async function upcoming(bot: TestBot, channel?: string) {
  const turns = (await apps[0]?.operator.upcoming.list(channel)) ?? []
  return turns.map(({ conversation, at, decision }) => [(at.getTime() - bot.clock.now()) / 1_000, conversation, decision?.why])
}

const open = () => testBot({ plugins: [patient], pacing: PACING })

test('what waits to be judged, and what will be said, is told with its time', async () => {
  await using bot = await open()
  await bot.say('alice', 'the train leaves at ten', { channel: 'dev' })
  expect(await upcoming(bot)).toEqual([[10, DEV, undefined]])
  await bot.pass('10s')
  await bot.say('bob', 'good morning', { channel: 'dev', thread: 't1' })
  await bot.say('bob', 'good morning', { channel: 'ops' })
  await bot.pass('4s')
  expect(await upcoming(bot, DEV)).toEqual([
    [6, `${DEV}/t1`, undefined],
    [56, DEV, 'lets others go first'],
  ])
  expect(await upcoming(bot)).toHaveLength(3)
  await bot.pass('2m')
  expect(await upcoming(bot)).toEqual([])
})

test('an answer that a newer message has called off is only to be judged', async () => {
  await using bot = await open()
  await bot.say('alice', 'the train leaves at ten', { channel: 'dev' })
  await bot.pass('65s')
  await bot.say('bob', 'I know', { channel: 'dev' })
  expect(await upcoming(bot)).toEqual([[5, DEV, undefined]])
  expect(await apps[0]?.operator.upcoming.callOff(DEV)).toBe(false)
})

test('an answer is called off for good, and what is said next is judged', async () => {
  await using bot = await open()
  await bot.say('alice', 'the train leaves at ten', { channel: 'dev' })
  await bot.pass('20s')
  expect(await apps[0]?.operator.upcoming.callOff(DEV)).toBe(true)
  expect(await apps[0]?.operator.upcoming.callOff(DEV)).toBe(false)
  await bot.pass('5m')
  expect(bot.sent).toEqual([])
  await bot.say('bob', 'which one?', { channel: 'dev' })
  await bot.pass('2m')
  expect(bot.sent).toEqual(['about: which one?'])
})

test('an answer is given at once, and once', async () => {
  await using bot = await open()
  await bot.say('alice', 'the train leaves at ten', { channel: 'dev' })
  await bot.pass('20s')
  expect(await apps[0]?.operator.upcoming.hasten(DEV)).toBe(true)
  await bot.pass('1s')
  expect(bot.sent).toEqual(['about: the train leaves at ten'])
  await bot.pass('5m')
  expect(bot.sent).toHaveLength(1)
  expect(await apps[0]?.operator.upcoming.hasten(DEV)).toBe(false)
})

test('where nothing is to be said there is nothing to call off', async () => {
  await using bot = await open()
  await bot.say('alice', 'never mind', { channel: 'dev' })
  expect(await apps[0]?.operator.upcoming.hasten(DEV)).toBe(false)
  await bot.pass('1m')
  expect(await upcoming(bot)).toEqual([])
})
