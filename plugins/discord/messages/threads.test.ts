/** Long answers in threads, with the real client on the Discord emulator. */
import discordPlugin from '@kikimimi/discord'
import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import reply from '@kikimimi/reply'
import { lendTestDatabase, scriptedModel } from 'kikimimi/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kiki, startKiki, until } from '../test-bot.ts'

const LONG = ['**The deploy** of `api`', ...Array(50).fill('It failed because the disk of the build machine was full.')].join(
  '\n',
)

let discord: DiscordEmulator
let kiki: Kiki
let ends: AsyncDisposableStack
let answer = LONG

beforeEach(async () => {
  answer = LONG
  ends = new AsyncDisposableStack()
  discord = ends.use(
    await startDiscord({
      guilds: [{ name: 'team', channels: ['general', { name: 'closed', denied: ['CreatePublicThreads'] }] }],
    }),
  )
  const { db } = ends.use(await lendTestDatabase([discordPlugin()]))
  const models = { chat: scriptedModel(() => answer) }
  kiki = ends.use(
    await startKiki(discord, {
      options: { threads: true },
      plugins: [reply()],
      answer: () => undefined,
      config: { models },
      parts: { db },
    }),
  )
})
afterEach(() => ends.disposeAsync())

const posted = () => discord.posted.map(({ channel, text }) => [channel, text.length > 100 ? 'long' : text])

/** The statuses of the calls that open threads. */
const opened = () => discord.calls.filter(({ path }) => path.endsWith('/threads')).map(({ status }) => status)

async function ask(channel = 'general'): Promise<string> {
  const before = discord.posted.length
  const id = discord.say({ author: 'alice', channel, text: '@kiki what happened?' })
  await until(() => discord.posted.length > before)
  return id
}

test('a long answer is posted in a thread on its question, which has the name of its first line', async () => {
  const asked = await ask()
  await until(() => discord.posted.length === 2)
  expect(posted()).toEqual([
    [asked, 'long'],
    [asked, 'long'],
  ])
  expect(opened()).toEqual([201])
  answer = 'Yes.'
  discord.say({ author: 'alice', channel: asked, text: '@kiki really?' })
  await until(() => discord.posted.length === 3)
  expect(posted().at(-1)).toEqual([asked, 'Yes.'])
  expect(kiki.turns.at(-1)?.conversation).toMatchObject({ thread: asked, details: { threadName: 'The deploy of api' } })
  expect(kiki.turns.at(-1)?.history.filter(({ own }) => own)).toHaveLength(2)
})

test('a short answer, one in a thread and one in a direct message stay where the question is', async () => {
  const thread = discord.thread({ channel: 'general', name: 'plans' })
  const direct = discord.direct('dora')
  for (const channel of [thread, direct]) {
    await ask(channel)
    await until(() => discord.posted.filter(one => one.channel === channel).length === 2)
  }
  answer = 'Yes.'
  await ask()
  expect(posted().at(-1)?.[1]).toBe('Yes.')
  expect(opened()).toEqual([])
})

test('where the bot may not open threads, the answer is posted in the channel', async () => {
  const asked = await ask('closed')
  await until(() => discord.posted.length === 2)
  expect(new Set(posted().map(([channel]) => channel)).has(asked)).toBe(false)
  expect(opened()).toEqual([403])
})

test('a thread of which the answer was lost is used, and a post of which the answer was lost is not repeated', async () => {
  discord.fail('POST /channels/:id/messages/:message/threads', { status: 500, afterwards: true })
  discord.fail('POST /channels/:id/messages', { status: 500, afterwards: true })
  const asked = await ask()
  await until(() => discord.posted.length === 2)
  expect(posted()).toEqual([
    [asked, 'long'],
    [asked, 'long'],
  ])
  expect(opened()).toEqual([500, 400])
})

test('a message has an address, and the message that a thread hangs on has it in the channel above', async () => {
  const asked = await ask()
  await until(() => discord.posted.length === 2)
  answer = 'Yes.'
  discord.say({ author: 'alice', channel: asked, text: '@kiki really?' })
  await until(() => discord.posted.length === 3)
  const { conversation, message } = kiki.turns.at(-1) ?? {}
  if (!conversation || !message) throw new Error('no turn')
  const link = (id: string) => kiki.platform.link?.(conversation, id, AbortSignal.abort())
  const server = `https://discord.com/channels/${conversation.workspace}`
  expect(link(message.id)).toBe(`${server}/${asked}/${message.id}`)
  expect(link(asked)).toBe(`${server}/${conversation.channel}/${asked}`)
})
