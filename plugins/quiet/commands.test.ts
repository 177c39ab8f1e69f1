import { definePlugin } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import quiet from './index.ts'

const BOSS = { moderator: true }

const eager = definePlugin({
  name: 'eager',
  setup: () => ({
    decide: () => ({ kind: 'full', why: 'eager' }),
    respond: ({ message }) => ({ kind: 'text', text: `about: ${message.text}` }),
  }),
})

const kiki = (locale: 'en' | 'ja' = 'en', options?: Parameters<typeof quiet>[0]) =>
  testBot({ plugins: [quiet(options), eager], pacing: { minWait: '4s', jitter: 0 }, locale })

type Bot = Awaited<ReturnType<typeof kiki>>

async function spoke(bot: Bot, channel = 'general'): Promise<boolean> {
  const before = bot.sent.length
  await bot.say('alice', 'I like trains', { channel })
  await bot.pass('10s')
  return bot.sent.length > before
}

test.each<['en' | 'ja', string, string, number]>([
  ['en', 'quiet', 'I’ll be quiet here for an hour. I still answer when I am addressed.', 60],
  ['en', 'quiet 30m', 'I’ll be quiet here for 30 minutes. I still answer when I am addressed.', 30],
  ['en', 'quiet for two hours', 'I’ll be quiet here for 2 hours. I still answer when I am addressed.', 120],
  [
    'en',
    'quiet 99 days',
    'I can be quiet for 31 days at most, so I’ll be quiet here until Thursday, 5 February 2026 at 10:00. I still answer when I am addressed.',
    31 * 24 * 60,
  ],
  ['ja', 'quiet', '1時間、ここでは静かにしています。呼ばれたら答えます。', 60],
  ['ja', 'quiet 15分', '15分、ここでは静かにしています。呼ばれたら答えます。', 15],
])('%s: /kiki %s mutes only this channel', async (locale, command, answer, minutes) => {
  await using bot = await kiki(locale)
  expect(await bot.command('alice', command, BOSS)).toBe(answer)
  expect(await spoke(bot)).toBe(false)
  expect(await spoke(bot, 'dev')).toBe(true)
  await bot.pass(`${minutes}m`)
  expect(await spoke(bot)).toBe(true)
})

test.each([
  ['en', 'I may talk here again.'],
  ['ja', 'またここで話します。'],
] as const)('%s: /kiki talk ends it, also where it was spoken', async (locale, answer) => {
  await using bot = await kiki(locale)
  await bot.say('alice', '@kiki be quiet')
  expect(await spoke(bot)).toBe(false)
  expect(await bot.command('bob', 'talk', BOSS)).toBe(answer)
  expect(await spoke(bot)).toBe(true)
})

test('only moderators can give the command; anyone can ask in words', async () => {
  await using bot = await kiki()
  expect(await bot.command('alice', 'quiet')).toMatch(/^That is for those who may manage this channel/)
  expect(await spoke(bot)).toBe(true)
})

test.each(['quiet please', 'quiet down you two', 'talk about trains'])('other text is a message to the bot: %s', async text => {
  await using bot = await kiki()
  expect(await bot.command('alice', text, BOSS)).toBeUndefined()
})

test('status reports the mute and the quiet hours', async () => {
  await using bot = await kiki('en', { hours: { from: '20:00', to: '06:00' } })
  expect(await bot.command('alice', 'status')).not.toMatch(/quiet/)
  await bot.command('alice', 'quiet', BOSS)
  await bot.pass('20m')
  expect(await bot.command('alice', 'status')).toContain('I was asked to be quiet here. That ends in 40 minutes.')
  expect(await bot.command('alice', 'status', { locale: 'ja' })).toContain('頼まれて静かにしています。あと40分です。')
  await bot.pass('12h')
  expect(await bot.command('alice', 'status')).toContain('These are my quiet hours here.')
  expect(await bot.command('alice', 'status', { locale: 'ja' })).toContain('今は静かにする時間帯です。')
})
