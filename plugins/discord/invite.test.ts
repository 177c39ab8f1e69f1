import { readFile } from 'node:fs/promises'
import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import { definePlugin } from 'kikimimi'
import { invitePlugin } from 'kikimimi/testing'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import discordPlugin from './index.ts'

let discord: DiscordEmulator

beforeEach(async () => {
  discord = await startDiscord()
})
afterEach(() => discord.close())

const invite = (options: Parameters<typeof discordPlugin>[0] = {}) =>
  invitePlugin(discordPlugin({ token: discord.token, apiUrl: discord.apiUrl, timeout: '500ms', ...options }))

test('asks Discord for the account and returns a link with all permissions', async () => {
  const told = await invite()
  const [sentence = '', link = ''] = told.split('\n')
  expect(sentence).toContain('choose the server')
  expect(link).toBe(
    `https://discord.com/oauth2/authorize?client_id=${discord.bot.id}&scope=bot+applications.commands&permissions=563224831396928`,
  )
})

test('asks for the permissions of voice channels when the plugin voice is used', async () => {
  const voice = definePlugin({ name: 'voice', setup() {} })
  const link = await invitePlugin(discordPlugin({ token: discord.token, apiUrl: discord.apiUrl }), { plugins: [voice] })
  expect(link).toContain(`&permissions=${563_224_831_396_928 + 1_048_576 + 2_097_152}`)
})

test('asks for Manage Webhooks when a place has a persona with another name', async () => {
  const named = (name: string) => ({ persona: { name: 'kiki', channels: { support: { name } } } })
  const plugin = () => discordPlugin({ token: discord.token, apiUrl: discord.apiUrl })
  expect(await invitePlugin(plugin(), named('Mimi'))).toContain(`&permissions=${563_224_831_396_928 + 536_870_912}`)
  expect(await invitePlugin(plugin(), named('kiki'))).toContain('&permissions=563224831396928')
})

test('uses the environment without options', async () => {
  vi.stubEnv('DISCORD_TOKEN', ` Bot ${discord.token}\n`)
  vi.stubEnv('DISCORD_API_URL', discord.apiUrl)
  expect(await invitePlugin(discordPlugin)).toContain(`client_id=${discord.bot.id}`)
})

test('the guide has the same link', async () => {
  const guide = await readFile(new URL('../../docs/discord.md', import.meta.url), 'utf8')
  const told = await invite()
  const [, link = ''] = told.split('\n')
  expect(guide).toContain(link.replace(discord.bot.id, 'APPLICATION_ID'))
})

test.each<[string, Parameters<typeof invite>[0], RegExp]>([
  ['no token', { token: '' }, /^\[discord\] has no token\. Set DISCORD_TOKEN/],
  ['a wrong token', { token: 'wrong' }, /does not accept the bot's token\. Copy a new one from Bot → Reset Token/],
  ['nobody there', { apiUrl: 'http://127.0.0.1:9/api' }, /cannot be reached at http:\/\/127\.0\.0\.1:9\/api \(/],
])('%s: gives the remedy', async (_, options, sentence) => {
  await expect(invite(options)).rejects.toThrow(sentence)
})

test.each<[string, Parameters<DiscordEmulator['fail']>[1], RegExp]>([
  ['no answer', 'hang', /cannot be reached at .*\(Discord did not answer in time\)/],
  ['503', { status: 503 }, /cannot be reached at .*\(Discord.* 503/],
  ['403', { status: 403, code: 40002, message: 'Verify your account' }, /refused the login: .*Verify your account/],
])('%s from Discord: gives the remedy', async (_, fault, sentence) => {
  discord.fail('GET *', fault)
  await expect(invite()).rejects.toThrow(sentence)
})
