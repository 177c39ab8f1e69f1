import { type DiscordOptions, startDiscord } from '@kikimimi/discord/testing'
import { ApplicationFlags } from 'discord-api-types/v10'
import { checkPlugin } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import discordPlugin from './index.ts'

type Options = Parameters<typeof discordPlugin>[0]

async function checked(world: DiscordOptions = {}, options: Options = {}) {
  await using discord = await startDiscord(world)
  const findings = await checkPlugin(
    discordPlugin({ token: discord.token, apiUrl: discord.apiUrl, timeout: '500ms', ...options }),
  )
  expect(JSON.stringify(findings)).not.toContain(discord.token)
  // The check does not connect to the gateway.
  expect(
    discord.calls.map(({ method, path }) => `${method} ${path}`).filter(call => !/^GET \/(applications|users)\/@me/.test(call)),
  ).toEqual([])
  return findings
}

const { GatewayMessageContent, GatewayPresence, GatewayGuildMembersLimited } = ApplicationFlags

test('a complete setup', async () => {
  expect(await checked({ guilds: [{ name: 'team' }, { name: 'friends' }] })).toEqual([
    { what: 'discord: the token is that of kiki' },
    { what: 'discord: Message Content Intent is on' },
    { what: 'discord: in 2 servers' },
  ])
})

test('without the Message Content Intent, and with unnecessary ones', async () => {
  expect(await checked({ flags: GatewayPresence | GatewayGuildMembersLimited })).toEqual([
    { what: 'discord: the token is that of kiki' },
    {
      what: 'discord: Message Content Intent',
      problem: expect.stringMatching(/^The bot may not read messages\. Switch on Bot → Message Content Intent at https:/),
    },
    { what: 'discord: Server Members Intent is on, and the bot does not need it' },
    { what: 'discord: Presence Intent is on, and the bot does not need it' },
    { what: 'discord: in 1 server' },
  ])
})

test('without a server', async () => {
  const [last] = (await checked({ flags: GatewayMessageContent, guilds: [] })).slice(-1)
  expect(last).toEqual({ what: 'discord: servers', problem: expect.stringContaining('npm run kikimimi -- invite') })
})

test.each<[string, Options, RegExp]>([
  ['no token', { token: '' }, /^has no token\. Set DISCORD_TOKEN/],
  ['a wrong token', { token: 'MTA.of-somebody.else' }, /^Discord does not accept the bot's token\. Copy a new one(?!.*MTA)/],
  ['nobody there', { apiUrl: 'http://127.0.0.1:9/api' }, /^Discord cannot be reached at http:\/\/127\.0\.0\.1:9\/api \(/],
])('%s: gives the remedy', async (_, options, problem) => {
  expect(await checked({}, options)).toEqual([{ what: 'discord', problem: expect.stringMatching(problem) }])
})
