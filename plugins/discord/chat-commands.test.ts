import { type DiscordEmulator, startDiscord, type Used } from '@kikimimi/discord/testing'
import { definePlugin } from 'kikimimi'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import addressing from '../addressing/index.ts'
import judgeRules from '../judge-rules/index.ts'
import quiet from '../quiet/index.ts'
import { type Kiki, type KikiOptions, startKiki, until } from './test-bot.ts'

let discord: DiscordEmulator
let kiki: Kiki

beforeEach(async () => {
  discord = await startDiscord({ guilds: [{ name: 'team', channels: ['general', { name: 'vault', hidden: true }] }] })
})
afterEach(async () => {
  await kiki.bot.stop()
  await discord.close()
})

const start = async (given: KikiOptions = {}) => {
  kiki = await startKiki(discord, { plugins: [quiet(), addressing(), judgeRules()], ...given })
}

/** The answer that only its author sees. */
async function ask(text: string, more: Partial<Used> = {}): Promise<string | undefined> {
  const asked = discord.command({ author: 'alice', name: 'kiki', text, ...more })
  await discord.until(() => asked.answers.length > 0)
  expect(asked).toMatchObject({ ephemeral: true, deferred: false })
  return asked.answers[0]
}

test.each([
  ['en-GB', 'help', /^What you can tell me with \/kiki:/],
  ['ja', 'help', /^\/kiki に続けて使えるコマンド：/],
  ['de', 'status', /^I hear the messages in #general\./],
  ['ja', 'status', /^#general の会話を聞いています。/],
  ['ja', 'why', /^ここではまだ何も判断していません。/],
])('a command is answered to its author only, in %s: %s', async (locale, text, answer) => {
  await start()
  expect(await ask(text, { locale })).toMatch(answer)
  expect(discord.posted).toEqual([])
  expect(kiki.turns).toEqual([])
})

test('works in a channel that the bot cannot see, and in a direct message, where everybody is an admin', async () => {
  await start()
  expect(await ask('status', { channel: 'vault' })).toContain('I do not listen here.')
  const direct = discord.direct('alice')
  expect(await ask('quiet 10m', { channel: direct })).toContain('for 10 minutes')
  expect(await ask('stop', { channel: direct })).toMatch(/^I am stopped/)
  expect(await ask('status', { channel: 'general' })).not.toContain('STOPPED')
})

describe('autocompletion', () => {
  test.each([
    ['st', 'en-US', [/^status: my state/, 'stop: I say nothing at all in this workspace', 'start: ends stop']],
    ['sta', 'ja', [/^status: 今の状態/, 'start: stop を解除します']],
    ['when is lu', 'en-US', ['when is lu']],
  ])('Discord suggests commands with the same beginning, or the text itself: %s, %s', async (text, locale, names) => {
    await start({ plugins: [] })
    const typed = discord.command({ author: 'alice', name: 'kiki', text, locale, typing: true })
    await discord.until(() => typed.choices !== undefined)
    expect(typed.choices).toEqual(names.map(name => expect.stringMatching(name)))
    expect([typed.answers, kiki.turns]).toEqual([[], []])
  })
})

test('people without permission are told: non-moderators, and moderators for commands of admins', async () => {
  await start()
  for (const text of ['quiet', 'talk', 'chattiness lively']) {
    expect(await ask(text)).toMatch(/^That is for those who may manage this channel/)
    expect(await ask(text, { moderator: true })).not.toMatch(/^That is for/)
  }
  for (const text of ['stop', 'start']) {
    expect(await ask(text, { moderator: true })).toMatch(/^That is for those who may manage the whole workspace/)
    expect(await ask(text, { admin: true })).not.toMatch(/^That is for/)
  }
})

test('other text is a public message to the bot', async () => {
  await start()
  const asked = discord.command({ author: 'alice', name: 'kiki', text: 'why is the sky blue?' })
  await discord.until(() => asked.answers.length > 0)
  expect(asked).toMatchObject({ ephemeral: false, answers: ['> alice: why is the sky blue?\nyes, alice'] })
})

test('a command that is delivered twice is answered once', async () => {
  await start()
  const asked = discord.command({ author: 'alice', name: 'kiki', text: 'status' })
  discord.redeliver(asked.id)
  await discord.until(() => asked.answers.length > 0)
  await ask('help')
  expect(asked.answers).toHaveLength(1)
  expect(kiki.turns).toEqual([])
})

test('STOP, by the command and by a message of an admin', async () => {
  await start()
  const says = async (text: string, admin = false) => {
    const before = discord.posted.length
    const id = discord.say({ author: 'bob', text, admin })
    await until(async () => (await kiki.bot.traces(1))[0]?.trigger === id)
    return discord.posted.length - before
  }
  expect(await says('@kiki hello')).toBe(1)
  expect(await ask('stop', { admin: true })).toMatch(/^I am stopped/)
  expect(await says('@kiki hello')).toBe(0)
  expect(await ask('start', { admin: true })).toBe('I may speak again.')
  expect(await says('@kiki STOP')).toBe(1)
  await says('@kiki STOP', true)
  expect(await says('@kiki hello')).toBe(0)
  expect(await says('@kiki START', true)).toBe(1)
})

test('STOP does not wait for earlier events', async () => {
  const filtering = Promise.withResolvers<void>()
  const slow = definePlugin({
    name: 'slow',
    setup: () => ({ filter: ({ text }) => (text === 'wait' ? filtering.promise : undefined) }),
  })
  await start({ plugins: [slow] })
  discord.say({ author: 'alice', text: 'wait' })
  discord.say({ author: 'alice', text: '@kiki STOP', admin: true })
  await until(async () => (await ask('status'))?.includes('STOPPED by alice') === true)
  expect(kiki.log.filter(line => line.includes('filter failed'))).toEqual([])
  filtering.resolve()
})
