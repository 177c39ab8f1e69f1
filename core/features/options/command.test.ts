import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { definePlugin } from '../../api/index.ts'
import { type TestBot, testBot } from '../../testing/index.ts'

const ADMIN = { admin: true }

/** Answers with its options. */
const telling = definePlugin({
  name: 'telling',
  options: z
    .strictObject({
      volume: z.number().min(0).max(11).default(3).describe('How loud it is.'),
      mood: z.enum(['calm', 'wild']).default('calm'),
      loud: z.boolean().default(false),
      words: z.array(z.string()).default([]),
      fixed: z.number().default(1),
    })
    .prefault({}),
  scoped: ['volume', 'mood', 'loud', 'words'],
  setup: ctx => ({
    respond: ({ conversation }) => ({ kind: 'text', text: JSON.stringify(ctx.optionsFor(conversation)) }),
  }),
})

const kiki = () => testBot({ plugins: [telling({ volume: 4 })], pacing: { minWait: '1s', jitter: 0 } })
const command = (bot: TestBot, text: string, given: Parameters<TestBot['command']>[2] = ADMIN) => bot.command('bob', text, given)

async function told(bot: TestBot, channel = 'general') {
  await bot.say('alice', '@kiki well?', { channel })
  return JSON.parse(bot.sent.at(-1) ?? '{}') as Record<string, unknown>
}

describe('/kiki settings', () => {
  test('lists what can differ, its value and its source', async () => {
    await using bot = await kiki()
    expect(await command(bot, 'settings')).toMatch(
      /^My options in general:\n(?:• access\.\w+ = .*\n){5}• listen = true \(default\)\n• telling\.loud = false/,
    )
    expect(await command(bot, 'settings')).toContain('• telling.volume = 4 (bot.config.ts)')
    expect(await command(bot, 'settings')).not.toContain('fixed')
    expect(await command(bot, 'settings volume')).toBe('• telling.volume = 4 (bot.config.ts)\nHow loud it is.')
  })

  test('sets a value for all channels, or for one, and resets it', async () => {
    await using bot = await kiki()
    expect(await command(bot, 'settings volume 7')).toBe('telling.volume is now 7 on this whole server.')
    expect((await told(bot)).volume).toBe(7)
    expect((await told(bot, 'dev')).volume).toBe(7)
    expect(await command(bot, 'settings telling.volume 2 here')).toBe('telling.volume is now 2 in this channel.')
    expect((await told(bot)).volume).toBe(2)
    expect((await told(bot, 'dev')).volume).toBe(7)
    expect(await command(bot, 'settings volume 9')).toContain('This channel has its own value, 2')
    expect((await told(bot, 'dev')).volume).toBe(9)
    expect(await command(bot, 'settings volume')).toContain('= 2 (set for this channel by bob)')
    expect(await command(bot, 'settings reset volume here')).toBe('telling.volume is 9 here again (set for the server by bob).')
    expect(await command(bot, 'settings reset volume')).toBe('telling.volume is 4 here again (bot.config.ts).')
    expect((await told(bot, 'dev')).volume).toBe(4)
  })

  test('reset removes everything that people set here', async () => {
    await using bot = await kiki()
    await command(bot, 'settings volume 7')
    await command(bot, 'settings mood wild here')
    expect(await command(bot, 'settings reset')).toBe('2 settings are removed. What bot.config.ts says applies again.')
    expect(await told(bot)).toMatchObject({ volume: 4, mood: 'calm' })
  })

  test('survives a restart', async () => {
    await using bot = await testBot({ plugins: [telling()], storage: 'pglite', pacing: { minWait: '1s', jitter: 0 } })
    await command(bot, 'settings loud on')
    await bot.restart()
    expect((await told(bot)).loud).toBe(true)
  })

  test.each([
    ['settings loud on', { loud: true }],
    ['settings loud off', { loud: false }],
    ['settings mood wild', { mood: 'wild' }],
    ['settings words tea, green tea、cake', { words: ['tea', 'green tea', 'cake'] }],
  ])('understands %s', async (text, expected) => {
    await using bot = await kiki()
    expect(await command(bot, text)).toContain('is now')
    expect(await told(bot)).toMatchObject(expected)
  })

  test.each([
    ['settings volume 60', /^telling\.volume cannot be 60: .*11/],
    ['settings volume loud', /^telling\.volume cannot be loud: .*number/],
    ['settings mood angry', /^telling\.mood cannot be angry: .*calm/],
    ['settings loud maybe', /^telling\.loud cannot be maybe: .*boolean/],
    ['settings volum 6', 'I have no option “volum”. Did you mean “volume”?'],
    ['settings xyzzy', 'I have no option “xyzzy”. /kiki settings lists them.'],
    ['settings fixed 2', 'I have no option “fixed”. /kiki settings lists them.'],
    ['settings reset nothing', 'I have no option “nothing”. /kiki settings lists them.'],
  ])('refuses %s, and says why', async (text, expected) => {
    await using bot = await kiki()
    const before = await told(bot)
    expect(await command(bot, text)).toMatch(expected)
    expect(await told(bot)).toEqual(before)
  })

  test('is for admins', async () => {
    await using bot = await kiki()
    expect(await command(bot, 'settings volume 7', { moderator: true })).toMatch(/^That is for those who may manage the whole/)
    expect((await told(bot)).volume).toBe(4)
  })

  test('a person in a direct conversation changes only that conversation', async () => {
    await using bot = await kiki()
    expect(await command(bot, 'settings volume 7', { admin: true, channel: 'dm', visibility: 'direct' })).toBe(
      'telling.volume is now 7 in this channel.',
    )
    expect((await told(bot)).volume).toBe(4)
  })

  test('other text is a message to the bot', async () => {
    await using bot = await kiki()
    expect(await command(bot, 'settings are hard to find here')).toBeUndefined()
  })

  test('listen stops the bot from reading a channel', async () => {
    await using bot = await kiki()
    await command(bot, 'settings listen off here')
    await bot.say('alice', '@kiki well?')
    expect(bot.sent).toEqual([])
    expect(await command(bot, 'status')).toContain('do not')
    expect((await told(bot, 'dev')).volume).toBe(4)
    await command(bot, 'settings reset listen')
    expect((await told(bot)).volume).toBe(4)
  })

  test('has a name and texts in Japanese', async () => {
    await using bot = await kiki()
    expect(await command(bot, '設定 volume 7', { admin: true, locale: 'ja' })).toBe(
      'サーバー全体で telling.volume を 7 にしました。',
    )
  })
})
