import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kiki, startKiki, until } from '../test-bot.ts'

let discord: DiscordEmulator
let kiki: Kiki

beforeEach(async () => {
  discord = await startDiscord({ guilds: [{ name: 'team', channels: ['general'], emojis: ['party'] }] })
  kiki = await startKiki(discord)
})
afterEach(async () => {
  await kiki.bot.stop()
  await discord.close()
})

/** The reactions to the first message in the next turn: each emoji with its people. */
async function seen(channel = 'general'): Promise<Record<string, readonly (string | undefined)[]>> {
  const asked = discord.say({ author: 'alice', channel, text: '@kiki what do you see?' })
  // The messages before it belong to an earlier turn.
  const answering = () => kiki.turns.find(({ messages }) => messages.some(({ id }) => id === asked))
  await until(() => answering() !== undefined)
  const { history = [], me } = answering() ?? {}
  const names = new Map(history.map(({ author }) => [author.id, author.name]))
  if (me) names.set(me.id, me.name)
  return Object.fromEntries((history[0]?.reactions ?? []).map(({ emoji, by }) => [emoji, by.map(id => names.get(id))]))
}

const lunch = (channel = 'general') => {
  const message = discord.say({ author: 'alice', channel, text: 'who is up for lunch?' })
  discord.say({ author: 'bob', channel, text: 'let me see' })
  return message
}

test('contains people and emoji, a server’s own by name', async () => {
  const message = lunch()
  discord.react(message, 'alice', '👍')
  discord.react(message, 'bob', '👍')
  discord.react(message, 'bob', ':party:')
  expect(await seen()).toEqual({ '👍': ['alice', 'bob'], ':party:': ['bob'] })
  expect(kiki.turns).toHaveLength(1)
})

test('removes reactions', async () => {
  const message = lunch()
  discord.react(message, 'alice', '👍')
  discord.react(message, 'bob', '👍')
  discord.unreact(message, 'alice', '👍')
  expect(await seen()).toEqual({ '👍': ['bob'] })
})

test.each([
  ['all', undefined, {}],
  ['all with an emoji', ':party:', { '👍': ['alice'] }],
])('removes %s when a moderator clears reactions', async (_, emoji, left) => {
  const message = lunch()
  discord.react(message, 'alice', '👍')
  discord.react(message, 'alice', ':party:')
  discord.react(message, 'bob', ':party:')
  discord.clearReactions(message, emoji)
  expect(await seen()).toEqual(left)
})

test('contains those of the bot', async () => {
  await kiki.bot.stop()
  kiki = await startKiki(discord, { answer: () => ({ kind: 'reaction', emoji: '👍' }) })
  discord.say({ author: 'alice', text: '@kiki we did it' })
  await discord.until(() => discord.reactions.length === 1)
  expect(await seen()).toEqual({ '👍': ['kiki'] })
})

test('in a thread and in a direct message too', async () => {
  for (const channel of [discord.thread({ channel: 'general', name: 'plans' }), discord.direct('alice')]) {
    discord.react(lunch(channel), 'bob', '🍜')
    expect(await seen(channel)).toEqual({ '🍜': ['bob'] })
  }
})

test('ignores unknown messages', async () => {
  await kiki.bot.stop()
  const message = lunch()
  kiki = await startKiki(discord)
  discord.react(message, 'alice', '👍')
  discord.clearReactions(message)
  expect(await seen()).toEqual({})
  expect(kiki.log.filter(line => /"level":"(?:warn|error)"/.test(line))).toEqual([])
})
