import { expect, test } from 'vitest'
import { type Decision, definePlugin, Operator, type PluginContext } from '../../api/index.ts'
import { type TestBot, testBot } from '../../testing/index.ts'

const DEV = 'test/team/dev'
const LATER: Decision = { kind: 'full', why: 'lets others go first', delayMs: 60_000 }
const PACING = { minWait: '10s', jitter: 0 } as const

const apps: PluginContext[] = []

const patient = definePlugin({
  name: 'patient',
  setup(ctx) {
    apps.unshift(ctx)
    return {
      decide: ({ message }) => (message.text.includes('never') ? { kind: 'silent', why: 'never' } : LATER),
      respond: ({ message }) => ({ kind: 'text', text: `about: ${message.text}` }),
    }
  },
})

/** Seconds from now, conversation, and reason. */
async function upcoming(bot: TestBot, channel?: string) {
  const turns = (await apps[0]?.use(Operator, 'optional')?.upcoming.list(channel)) ?? []
  return turns.map(({ conversation, at, decision }) => [(at.getTime() - bot.clock.now()) / 1_000, conversation, decision?.why])
}

const open = () => testBot({ plugins: [patient], pacing: PACING })

test('waiting turns and delayed answers are listed with their time', async () => {
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

test('a delayed answer that a newer message has cancelled is listed as a waiting turn', async () => {
  await using bot = await open()
  await bot.say('alice', 'the train leaves at ten', { channel: 'dev' })
  await bot.pass('65s')
  await bot.say('bob', 'I know', { channel: 'dev' })
  expect(await upcoming(bot)).toEqual([[5, DEV, undefined]])
  expect(await apps[0]?.use(Operator, 'optional')?.upcoming.cancel(DEV)).toBe(false)
})

test('a cancelled answer is not sent, and the next message is judged', async () => {
  await using bot = await open()
  await bot.say('alice', 'the train leaves at ten', { channel: 'dev' })
  await bot.pass('20s')
  expect(await apps[0]?.use(Operator, 'optional')?.upcoming.cancel(DEV)).toBe(true)
  expect(await apps[0]?.use(Operator, 'optional')?.upcoming.cancel(DEV)).toBe(false)
  await bot.pass('5m')
  expect(bot.sent).toEqual([])
  await bot.say('bob', 'which one?', { channel: 'dev' })
  await bot.pass('2m')
  expect(bot.sent).toEqual(['about: which one?'])
})

test('an answer is sent at once, and once', async () => {
  await using bot = await open()
  await bot.say('alice', 'the train leaves at ten', { channel: 'dev' })
  await bot.pass('20s')
  expect(await apps[0]?.use(Operator, 'optional')?.upcoming.runNow(DEV)).toBe(true)
  await bot.pass('1s')
  expect(bot.sent).toEqual(['about: the train leaves at ten'])
  await bot.pass('5m')
  expect(bot.sent).toHaveLength(1)
  expect(await apps[0]?.use(Operator, 'optional')?.upcoming.runNow(DEV)).toBe(false)
})

test('without a delayed answer there is nothing to cancel', async () => {
  await using bot = await open()
  await bot.say('alice', 'never mind', { channel: 'dev' })
  expect(await apps[0]?.use(Operator, 'optional')?.upcoming.runNow(DEV)).toBe(false)
  await bot.pass('1m')
  expect(await upcoming(bot)).toEqual([])
})

test('an answer is found and cancelled among many waiting turns', async () => {
  await using bot = await open()
  await bot.say('alice', 'the train leaves at ten', { channel: 'dev' })
  await bot.pass('20s')
  for (let thread = 0; thread < 201; thread++) await bot.say('bob', 'good morning', { channel: 'dev', thread: `t${thread}` })
  expect(await upcoming(bot, DEV)).toHaveLength(200)
  expect(await apps[0]?.use(Operator, 'optional')?.upcoming.answers()).toMatchObject([
    { conversation: DEV, decision: { why: 'lets others go first' } },
  ])
  expect(await apps[0]?.use(Operator, 'optional')?.upcoming.cancel(DEV)).toBe(true)
  expect(await apps[0]?.use(Operator, 'optional')?.upcoming.answers()).toEqual([])
})

test('an answer is cancelled while it is being made, and not after it is sent', async () => {
  const told: unknown[] = []
  const cancel = async () => void told.push(await apps[0]?.use(Operator, 'optional')?.upcoming.cancel(DEV))
  const late = definePlugin({
    name: 'late',
    setup: () => ({
      respond: async ({ message }) => {
        if (message.text.includes('bus')) await cancel()
        return undefined
      },
      after: async ({ message }, { outcome }) => {
        if (message.text.includes('train') && outcome === 'replied') await cancel()
      },
    }),
  })
  await using bot = await testBot({ plugins: [late, patient], pacing: PACING })
  const say = async (text: string) => {
    await bot.say('alice', text, { channel: 'dev' })
    await bot.pass('20s')
    await bot.pass('5m')
  }
  await say('the bus leaves at nine')
  expect(told).toEqual([true])
  expect(bot.sent).toEqual([])
  expect(await bot.trace()).toMatchObject({ outcome: 'cancelled', why: 'it was cancelled' })
  await say('the train leaves at ten')
  expect(told).toEqual([true, false])
  expect(bot.sent).toEqual(['about: the train leaves at ten'])
})
