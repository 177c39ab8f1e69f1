/** Who may call the bot on Discord: ranks and roles, with the real client on the emulator. */
import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import facts from '@kikimimi/facts'
import remember from '@kikimimi/remember'
import reply from '@kikimimi/reply'
import type { BotConfig } from 'kikimimi'
import { openTestDatabase, scriptedModel } from 'kikimimi/testing'
import { afterEach, expect, test } from 'vitest'
import { type Kiki, type KikiOptions, startKiki } from './test-bot.ts'

let discord: DiscordEmulator
let kiki: Kiki
const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  await kiki[Symbol.asyncDispose]()
  await discord.close()
  for (const end of ends.splice(0)) await end()
})

async function start(access: BotConfig['access'], more: KikiOptions = {}): Promise<void> {
  discord = await startDiscord({ guilds: [{ name: 'team', channels: ['general', 'dev'], roles: ['trusted', 'other'] }] })
  kiki = await startKiki(discord, { ...more, config: { access: access ?? {}, ...more.config } })
}

/** Whether the bot answers a call. Its turn has ended. */
async function answers(author: string, how: Partial<Parameters<DiscordEmulator['say']>[0]> = {}): Promise<boolean> {
  const [before, turns] = [discord.posted.length, (await kiki.traces()).length]
  discord.say({ author, text: 'hello @kiki', ...how })
  await expect.poll(async () => (await kiki.traces()).length).toBeGreaterThan(turns)
  return discord.posted.length > before
}

const why = async () => (await kiki.traces())[0]?.decision?.why

test.each([
  [['role:trusted'], { alice: true, ada: false, gus: false }],
  [['admins'], { alice: false, ada: true, gus: false }],
  [['members'], { alice: true, ada: true, gus: true }],
  [['guests'], { alice: false, ada: false, gus: false }],
  [['role:gone'], { alice: false, ada: false, gus: false }],
  ['nobody', { alice: false, ada: false, gus: false }],
  ['everyone', { alice: true, ada: true, gus: true }],
])('%j', async (call, expected) => {
  await start({ call })
  discord.role('alice', 'trusted')
  const found = { alice: await answers('alice'), ada: await answers('ada', { admin: true }), gus: await answers('gus') }
  expect(found).toEqual(expected)
})

test('a role by its id survives another name; by its name it does not, and nobody has a deleted one', async () => {
  await start({ call: ['role:trusted'] })
  discord.role('alice', 'trusted')
  expect(await answers('alice')).toBe(true)
  discord.renameRole('trusted', 'friends')
  await expect.poll(() => answers('alice')).toBe(false)
  expect(await why()).toBe('access.call: only role:trusted, #general')
  discord.renameRole('friends', 'trusted')
  await expect.poll(() => answers('alice')).toBe(true)
  discord.deleteRole('trusted')
  await expect.poll(() => answers('alice')).toBe(false)
})

test('a person who has lost the role a moment ago is refused: the message itself says so', async () => {
  await start({ call: ['role:trusted'] })
  discord.role('alice', 'trusted')
  expect(await answers('alice')).toBe(true)
  discord.role('alice', 'trusted', false)
  expect(await answers('alice')).toBe(false)
  expect(discord.calls.filter(({ path }) => /members/.test(path))).toEqual([])
})

test('a slash command is answered to its author alone, in the language of the author', async () => {
  await start({ call: ['role:trusted'] })
  const refused = discord.command({ author: 'gus', name: 'kiki', text: '何がありましたか？', locale: 'ja' })
  await expect.poll(() => refused.answers.length).toBe(1)
  expect(refused).toMatchObject({ ephemeral: true })
  expect(refused.answers[0]).toMatch(/^ここでは、あなたは私を呼び出せません/)
  discord.role('alice', 'trusted')
  const answered = discord.command({ author: 'alice', name: 'kiki', text: 'what is new?' })
  await expect.poll(() => answered.answers.length).toBe(1)
  expect(answered).toMatchObject({ ephemeral: false })
  const again = discord.command({ author: 'gus', name: 'kiki', text: 'again' })
  await expect.poll(() => again.answers).toEqual([expect.stringMatching(/^You may not call me here/)])
})

test('an entry of the menu of a message is a call or an order, and is answered to the person alone', async () => {
  const db = await openTestDatabase()
  ends.push(() => db.close())
  const [plugins, models] = [[facts(), remember(), reply()], { chat: scriptedModel('It is about the disk.') }]
  await start({}, { plugins, parts: { db }, config: { access: { call: ['role:trusted'], orders: ['admins'] }, models } })
  discord.role('alice', 'trusted')
  const id = discord.say({ author: 'bob', text: 'It is full again.' })
  await expect.poll(async () => (await db.query('select 1 from kikimimi.message where id = $1', [id])).rowCount).toBe(1)
  const told = async (person: string, entry: string) => {
    const used = discord.useMenu(id, person, entry)
    await expect.poll(() => used.answers.length).toBe(1)
    return used.answers[0]
  }
  expect(await told('gus', 'Explain this')).toMatch(/^You may not call me here/)
  expect(await told('gus', 'Remember this')).toMatch(/^You may not give me this order/)
  expect(await told('alice', 'Remember this')).toMatch(/^You may not give me this order/)
  expect((await db.query('select 1 from facts.fact')).rowCount).toBe(0)
  expect(await told('alice', 'Explain this')).toBe('It is about the disk.')
  expect(discord.posted).toEqual([])
})

test('an edit that adds a call', async () => {
  await start({ call: ['role:trusted'] })
  discord.role('alice', 'trusted')
  const [mine, other] = [
    discord.say({ author: 'alice', text: 'hello' }),
    discord.say({ author: 'gus', text: 'hello', channel: 'dev' }),
  ]
  await expect.poll(async () => (await kiki.traces()).length).toBe(2)
  discord.edit(mine, 'hello @kiki')
  discord.edit(other, 'hello @kiki')
  await expect.poll(() => discord.posted.length).toBe(1)
  expect(discord.posted[0]?.text).toBe('yes, alice')
})

test('another bot has no rank, and a direct message has no roles', async () => {
  await start({ call: ['members'] }, { config: { access: { call: ['members'] }, listen: { bots: true } } })
  expect(await answers('hook', { bot: true })).toBe(false)
  const turns = (await kiki.traces()).length
  discord.say({ author: 'alice', text: 'hello', channel: discord.direct('alice') })
  await expect.poll(async () => (await kiki.traces()).length).toBe(turns + 1)
  expect(await why()).toBe('access.call: only members, in a direct message')
  expect(discord.posted).toEqual([])
})
