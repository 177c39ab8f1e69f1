import { readFile } from 'node:fs/promises'
import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { invitations } from '../../packages/cli/commands/invite.ts'
import discordPlugin from './index.ts'

let discord: DiscordEmulator

beforeEach(async () => {
  discord = await startDiscord()
})
afterEach(() => discord.close())

async function invite(options: Parameters<typeof discordPlugin>[0] = {}) {
  const plugin = discordPlugin({ token: discord.token, apiUrl: discord.apiUrl, timeout: '500ms', ...options })
  const [invitation] = await invitations({ persona: { name: 'kiki' }, plugins: [plugin] })
  return invitation
}

test('asks Discord who the bot is, and leads to it with all it needs there', async () => {
  const told = await invite()
  const [sentence = '', link = ''] = told?.text?.split('\n') ?? []
  expect(sentence).toContain('choose the server')
  expect(link).toBe(
    `https://discord.com/oauth2/authorize?client_id=${discord.bot.id}&scope=bot+applications.commands&permissions=274877975616`,
  )
})

test('goes by the environment where bot.config.ts says nothing', async () => {
  vi.stubEnv('DISCORD_TOKEN', ` Bot ${discord.token}\n`)
  vi.stubEnv('DISCORD_API_URL', discord.apiUrl)
  const [invitation] = await invitations({ persona: { name: 'kiki' }, plugins: [discordPlugin] })
  expect(invitation?.text).toContain(`client_id=${discord.bot.id}`)
})

test('the guide tells of the same link', async () => {
  const guide = await readFile(new URL('../../docs/discord.md', import.meta.url), 'utf8')
  const told = await invite()
  const [, link = ''] = told?.text?.split('\n') ?? []
  expect(guide).toContain(link.replace(discord.bot.id, 'APPLICATION_ID'))
})

test.each<[string, Parameters<typeof invite>[0], RegExp]>([
  ['no token', { token: '' }, /^\[discord\] has no token\. Set DISCORD_TOKEN/],
  ['a wrong token', { token: 'wrong' }, /does not accept the bot's token\. Copy a new one from Bot → Reset Token/],
  ['nobody there', { apiUrl: 'http://127.0.0.1:9/api' }, /cannot be reached at http:\/\/127\.0\.0\.1:9\/api \(/],
])('%s: says what to do', async (_, options, sentence) => {
  expect(await invite(options)).toEqual({ plugin: 'discord', problem: expect.stringMatching(sentence) })
})

test.each<[string, Parameters<DiscordEmulator['fail']>[1], RegExp]>([
  ['no answer', 'hang', /cannot be reached at .*\(Discord did not answer in time\)/],
  ['503', { status: 503 }, /cannot be reached at .*\(Discord.* 503/],
  ['403', { status: 403, code: 40002, message: 'Verify your account' }, /refused the login: .*Verify your account/],
])('%s from Discord: says what to do', async (_, fault, sentence) => {
  discord.fail('GET *', fault)
  expect(await invite()).toEqual({ plugin: 'discord', problem: expect.stringMatching(sentence) })
})
