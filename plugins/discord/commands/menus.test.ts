/** The menus of messages, with the real client on the Discord emulator. */
import discordPlugin from '@kikimimi/discord'
import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import facts from '@kikimimi/facts'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import { type LentDatabase, lendTestDatabase, promptOf, scriptedModel } from 'kikimimi/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startKiki, until } from '../test-bot.ts'

let discord: DiscordEmulator
let ends: AsyncDisposableStack
let db: LentDatabase['db']
const model = scriptedModel('It is about the disk.')

beforeEach(async () => {
  ends = new AsyncDisposableStack()
  const plugins = [facts(), remember(), reply()]
  db = ends.use(await lendTestDatabase([discordPlugin(), ...plugins])).db
  discord = ends.use(await startDiscord())
  ends.use(await startKiki(discord, { plugins, config: { models: { chat: model } }, parts: { db } }))
})
afterEach(() => ends.disposeAsync())

/** A message that the bot has recorded. */
async function said(text: string): Promise<string> {
  const id = discord.say({ author: 'bob', text })
  await until(async () => (await db.query('select 1 from kikimimi.message where id = $1', [id])).rows.length > 0)
  return id
}

test('the entries are registered, with their titles', async () => {
  await until(() => discord.commands.length >= 3)
  expect(discord.commands).toMatchObject([
    { name: 'kiki' },
    { name: 'Remember this', type: 3, name_localizations: { ja: 'これを覚えて' } },
    { name: 'Explain this', type: 3 },
  ])
})

test('a message is remembered, and the person alone reads so', async () => {
  const id = await said('The key is under the mat.')
  await until(() => discord.commands.length >= 3)
  const used = discord.useMenu(id, 'alice', 'Remember this')
  await until(() => used.answers.length > 0)
  expect(used.answers).toEqual(['I’ll remember that.'])
  const { rows } = await db.query<{ content: string }>('select content from facts.fact')
  expect(rows).toMatchObject([{ content: expect.stringContaining('The key is under the mat') }])
  expect(discord.posted).toEqual([])
})

test('a message is explained, and the person alone reads so', async () => {
  const id = await said('It is full again.')
  const used = discord.useMenu(id, 'alice', 'Explain this')
  await until(() => used.answers.length > 0)
  expect(used.answers).toEqual(['It is about the disk.'])
  expect(promptOf(model.asked.at(-1))).toContain('It is full again.')
  expect(discord.posted).toEqual([])
})

test('an unknown entry, and a message that the bot has not heard, do no harm', async () => {
  const unheard = discord.say({ author: 'bob', text: 'from before', unheard: true })
  discord.useMenu(unheard, 'alice', 'Of another program')
  const used = discord.useMenu(unheard, 'alice', 'Remember this')
  await until(() => used.answers.length > 0)
  expect(used.answers).toEqual(['I do not have that message any more.'])
})
