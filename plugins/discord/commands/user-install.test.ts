/** Commands in places where the bot is no member: people have added it to their own account, or a server has removed it. */
import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kiki, startKiki, until } from '../test-bot.ts'

let discord: DiscordEmulator
let kiki: Kiki

beforeEach(async () => {
  discord = await startDiscord()
})
afterEach(async () => {
  await kiki.bot.stop()
  await discord.close()
})

async function start(userInstall = true): Promise<void> {
  kiki = await startKiki(discord, { options: { userInstall }, config: { apology: false } })
  await discord.until(() => discord.commands.length > 0)
}

test.each([
  [true, [0, 1], [0, 1, 2]],
  [false, [0], [0, 1]],
])('userInstall: %s', async (userInstall, integration_types, contexts) => {
  await start(userInstall)
  expect(discord.commands).toMatchObject([{ integration_types, contexts }])
})

test.each(['server', 'group', 'direct'] as const)('a question elsewhere is answered through the command: %s', async elsewhere => {
  await start()
  const asked = discord.command({ author: 'alice', name: 'kiki', text: 'are you there?', elsewhere })
  await discord.until(() => asked.answers.length > 0)
  expect(asked).toMatchObject({ ephemeral: false, answers: ['> alice: are you there?\nyes, alice'] })
  // Other people read the answer there.
  expect(kiki.turns.map(({ conversation }) => conversation.visibility)).toEqual(['private'])
  expect(discord.calls.filter(({ method, path }) => method === 'POST' && /^\/channels\/\d+\/messages$/.test(path))).toEqual([])
})

test('a long answer goes on through the command', async () => {
  kiki = await startKiki(discord, {
    options: { userInstall: true },
    answer: () => ({ kind: 'text', text: `${'a'.repeat(1_900)}\n\n${'b'.repeat(1_900)}` }),
  })
  await discord.until(() => discord.commands.length > 0)
  const asked = discord.command({ author: 'alice', name: 'kiki', text: 'tell me all', elsewhere: 'group' })
  await discord.until(() => asked.answers.length > 1)
  expect(asked.answers.map(text => text.trim().at(-1))).toEqual(['a', 'b'])
})

test('a chat command is answered to its author, and people elsewhere set nothing for other servers', async () => {
  await start()
  const asked = discord.command({ author: 'alice', name: 'kiki', text: 'settings listen off', elsewhere: 'group' })
  await discord.until(() => asked.answers.length > 0)
  expect(asked).toMatchObject({ ephemeral: true, answers: ['listen is now false in this channel.'] })
  discord.say({ author: 'bob', text: '@kiki hello' })
  await until(() => discord.posted.some(({ text }) => text === 'yes, bob'))
})

test('an answer that comes too late is not posted', async () => {
  await discord.close()
  discord = await startDiscord({ deadlines: { answerMs: 0 } })
  await start()
  discord.command({ author: 'alice', name: 'kiki', text: 'are you there?', elsewhere: 'server' })
  await until(async () => (await kiki.traces()).length === 1)
  expect(kiki.failure()).toBeUndefined()
  expect(discord.posted).toEqual([])
})

test('the bot is removed from the server while it answers a command', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  kiki = await startKiki(discord, {
    async answer() {
      await promise
      return { kind: 'text', text: 'done' }
    },
  })
  await discord.until(() => discord.commands.length > 0)
  const asked = discord.command({ author: 'alice', name: 'kiki', text: 'think about it' })
  await until(() => kiki.turns.length === 1)
  discord.leave()
  await until(() => kiki.log.some(line => line.includes('no longer in a server')))
  resolve()
  await discord.until(() => asked.answers.length > 0)
  expect(asked.answers).toEqual(['> alice: think about it\ndone'])
  expect(kiki.failure()).toBeUndefined()
})
