import { testBot } from 'kikimimi/testing'
import { expect, it } from 'vitest'
import { definePlugin } from '../../api/index.ts'

const answers = definePlugin({
  name: 'answers',
  setup: () => ({ respond: () => ({ kind: 'text', text: 'That is what I think, robo. And what do you think?' }) }),
})

const LINE = '@kiki that is interesting. What else do you think about it?'

/** Each message comes so long after the answer before it. */
async function talk(
  bot: Awaited<ReturnType<typeof testBot>>,
  times: number,
  ms: number,
  text = LINE,
  where = {},
): Promise<number> {
  const before = bot.sent.length
  for (let count = 0; count < times; count++) {
    await bot.pass(`${ms}ms`)
    await bot.say('robo', text, where)
  }
  return bot.sent.length - before
}

it('stops to answer an account that writes faster than people type, until somebody else writes or it slows down', async () => {
  await using bot = await testBot({ plugins: [answers] })
  expect(await talk(bot, 20, 400)).toBe(5)
  expect((await bot.trace()).decision).toMatchObject({ kind: 'silent', why: expect.stringContaining('faster than people type') })
  await bot.say('alice', '@kiki what is going on here?')
  expect(await talk(bot, 20, 400)).toBe(4)
  await bot.pass('1m')
  expect(await talk(bot, 1, 60_000)).toBe(1)
})

it('stops later when the other bot takes its time', async () => {
  await using bot = await testBot({ plugins: [answers] })
  expect(await talk(bot, 40, 2_900, LINE.repeat(5))).toBe(5)
  await bot.say('alice', '@kiki hello')
  expect(await talk(bot, 20, 10_000, LINE.repeat(5))).toBe(14)
})

it.each([
  ['types', 8_000, LINE, {}],
  ['writes briefly and fast', 400, '@kiki and then?', {}],
  ['pastes long texts', 16_000, `@kiki translate this: ${LINE.repeat(9)}`, {}],
  ['writes directly', 400, LINE, { channel: 'dm', visibility: 'direct' }],
] as const)('answers a person who %s as long as nobody else writes', async (_what, ms, text, where) => {
  await using bot = await testBot({ plugins: [answers] })
  expect(await talk(bot, 25, ms, text, where)).toBe(25)
})

it('answers people who talk to each other fast between its words', async () => {
  await using bot = await testBot({ plugins: [answers] })
  const line = 'that is interesting, bob. What else do you think about it?'
  for (let count = 0; count < 25; count++) {
    await bot.say(count % 2 ? 'alice' : 'bob', '@kiki and then?')
    await bot.pass('400ms')
    await bot.say(count % 2 ? 'bob' : 'alice', line)
  }
  expect(bot.sent).toHaveLength(25)
})
