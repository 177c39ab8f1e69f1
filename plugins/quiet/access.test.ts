import { definePlugin } from 'kikimimi'
import { testBot } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import quiet from './index.ts'

const answers = definePlugin({
  name: 'answers',
  setup: () => ({ respond: ({ addressed }) => (addressed ? { kind: 'text', text: 'answered' } : undefined) }),
})

test('only people who may give orders make the bot quiet, and end it', async () => {
  const access = { orders: ['person:ada'], channels: { closed: { call: ['person:ada'], orders: 'everyone' } } } as const
  await using bot = await testBot({ plugins: [quiet(), answers], pacing: { minWait: '4s', jitter: 0 }, access })
  const isQuiet = async (channel = 'general') => ((await bot.command('bob', 'status', { channel })) ?? '').includes('quiet')
  const say = async (author: string, text: string, channel = 'general') => {
    await bot.say(author, text, { channel })
    await bot.pass('10s')
  }
  await say('bob', '@kiki be quiet')
  expect(await isQuiet()).toBe(false)
  expect(await bot.command('bob', 'quiet 1h', { moderator: true })).toMatch(/^You may not give me this order/)
  await say('ada', '@kiki be quiet')
  expect(await isQuiet()).toBe(true)
  expect(bot.posted.at(-1)).toMatchObject({ kind: 'reaction', emoji: '👌' })
  // A call of a person who may not lift the mute is answered, and lifts nothing.
  await say('bob', '@kiki hello')
  expect(bot.sent.at(-1)).toBe('answered')
  expect(await isQuiet()).toBe(true)
  await say('ada', '@kiki you may talk again')
  expect(await isQuiet()).toBe(false)
  // A refused call gives no order either.
  await say('bob', '@kiki be quiet', 'closed')
  expect(await isQuiet('closed')).toBe(false)
})
