/** A message outside of a turn notifies exactly the people that its plugin names. */
import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import { type BotConfig, Channels, definePlugin, type Person } from 'kikimimi'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kiki, startKiki } from './test-bot.ts'

let discord: DiscordEmulator
let kiki: Kiki

beforeEach(async () => {
  discord = await startDiscord({ guilds: [{ name: 'team', channels: ['general', 'support'] }] })
})
afterEach(async () => {
  await kiki.bot.stop()
  await discord.close()
})

const bodies = () =>
  discord.calls.flatMap(({ method, path, body }) =>
    method === 'POST' && /\/messages$|^\/webhooks\//.test(path) ? [body as Record<string, unknown>] : [],
  )

/** Says a text after each answer, and directly too. */
const pinger = (text: string, whom: (author: Person) => readonly Person[], before = () => {}) =>
  definePlugin({
    name: 'pinger',
    needs: [Channels],
    setup: ctx => ({
      async after({ conversation, message }) {
        const notify = whom(message.author)
        before()
        await ctx.send(conversation, { kind: 'text', text }, { sources: 'none', notify })
        const direct = await ctx.use(Channels).direct(conversation, message.author)
        if (direct) await ctx.send(direct, { kind: 'text', text }, { sources: 'none', notify })
      },
    }),
  })

const EVIL = '⏰ alice: @everyone, @here, <@123456789012345678> and <@&42>'

test('only the people to notify may be mentioned, and in a direct message nobody', async () => {
  kiki = await startKiki(discord, { plugins: [pinger(EVIL, author => [author])] })
  discord.say({ author: 'alice', channel: 'general', text: '@kiki hello' })
  await discord.until(() => discord.posted.length === 3)
  const alice = kiki.turns[0]?.message.author.id
  expect(bodies().slice(1)).toMatchObject([
    {
      content: `⏰ <@${alice}>: @everyone, @here, <@123456789012345678> and <@&42>`,
      allowed_mentions: { parse: [], users: [alice], replied_user: false },
    },
    { content: EVIL, allowed_mentions: { parse: [], replied_user: false } },
  ])
  expect(bodies()[2]?.allowed_mentions).not.toHaveProperty('users')
  expect(bodies()[0]?.allowed_mentions).toEqual({ parse: [], replied_user: false })
  expect(discord.posted.some(({ everyone }) => everyone)).toBe(false)
})

test('a long text has room for the mention', async () => {
  kiki = await startKiki(discord, { plugins: [pinger(`alice: ${'word '.repeat(399)}`.trim(), author => [author])] })
  discord.say({ author: 'alice', channel: 'general', text: '@kiki hello' })
  await discord.until(() => discord.posted.length >= 4)
  expect(bodies()[1]?.content).toMatch(/^<@\d+>: (?:word ?)+$/)
  expect(discord.posted.map(({ text }) => text.length).every(length => length <= 2_000)).toBe(true)
})

test('under the name of a persona, too, and a post whose result is unknown is made once', async () => {
  const fault = () => discord.fail('POST /webhooks/:hook/:token', 'dropped')
  const config: Partial<BotConfig> = {
    persona: { name: 'kiki', channels: { support: { name: 'Mimi', prompt: 'You are Mimi.' } } },
  }
  kiki = await startKiki(discord, { config, plugins: [pinger('alice: eat', author => [author], fault)] })
  discord.say({ author: 'alice', channel: 'support', text: '@kiki hello' })
  await discord.until(() => discord.posted.length >= 3)
  await kiki.bot.drained()
  const alice = kiki.turns[0]?.message.author.id
  expect(discord.posted.filter(({ text }) => text === `<@${alice}>: eat`)).toHaveLength(1)
  expect(bodies()[1]).toMatchObject({ allowed_mentions: { parse: [], users: [alice] } })
})
