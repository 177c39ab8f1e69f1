/** Answers that people see while they are written, and the mark of a question whose answer takes long. */
import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import { type Reply, sleep, systemClock, type Turn } from 'kikimimi'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Kiki, type KikiOptions, startKiki, until } from './test-bot.ts'

let discord: DiscordEmulator
let kiki: Kiki
const TEXT = 'The deploy failed because the disk of the build machine was full.'

beforeEach(async () => {
  discord = await startDiscord()
})
afterEach(async () => {
  await kiki[Symbol.asyncDispose]()
  await discord.close()
})

/** Writes the text in two seconds. */
async function write({ show, signal }: Turn): Promise<Reply> {
  for (const part of [0.3, 0.5, 0.7, 0.9]) {
    show?.({ kind: 'text', text: TEXT.slice(0, Math.round(part * TEXT.length)) })
    await sleep(systemClock, 500, signal)
  }
  return { kind: 'text', text: TEXT }
}

async function start(options: KikiOptions['options'] = {}, answer: KikiOptions['answer'] = write): Promise<void> {
  kiki = await startKiki(discord, { options, answer })
}

const edits = () => discord.calls.filter(({ method, path }) => method === 'PATCH' && path.startsWith('/channels/'))
const texts = () => discord.posted.map(({ text }) => text)

describe('an answer', () => {
  test('is shown while it is written in direct messages, and in a server when it is whole', async () => {
    await start()
    discord.say({ author: 'alice', text: '@kiki why?' })
    await until(() => texts().length === 1)
    expect([texts(), edits()]).toEqual([[TEXT], []])
    discord.say({ author: 'alice', channel: discord.direct('alice'), text: 'why?' })
    await until(() => texts().length === 2)
    expect(texts()[1]).not.toBe(TEXT)
    await until(() => texts()[1] === TEXT)
    const times = edits().map(({ at }) => at.getTime())
    expect(times.length).toBeGreaterThan(0)
    for (const [index, at] of times.slice(1).entries()) expect(at - (times[index] ?? 0)).toBeGreaterThan(950)
  })

  test('is shown while it is written everywhere, or nowhere, when the option says so', async () => {
    await start({ streaming: 'everywhere' })
    discord.say({ author: 'alice', text: '@kiki why?' })
    await until(() => texts()[0] === TEXT)
    expect(edits().length).toBeGreaterThan(0)
    await kiki[Symbol.asyncDispose]()
    const before = edits().length
    await start({ streaming: 'off' })
    discord.say({ author: 'alice', channel: discord.direct('alice'), text: 'why?' })
    await until(() => texts().length === 2)
    expect([texts()[1], edits().length]).toEqual([TEXT, before])
  })

  test('to a command replaces its note, and is not shown before', async () => {
    await start({ streaming: 'everywhere' })
    const asked = discord.command({ author: 'alice', name: 'kiki', text: 'why?' })
    await until(() => asked.answers.length > 0)
    expect(asked.answers).toEqual([expect.stringContaining(TEXT)])
    expect(edits()).toEqual([])
  })
})

describe('a question in a server whose answer takes long', () => {
  const slow = async ({ signal }: Turn): Promise<Reply> => {
    await sleep(systemClock, 4_000, signal)
    return { kind: 'text', text: TEXT }
  }

  test('has a mark until the answer is there', async () => {
    await start({}, slow)
    const asked = discord.say({ author: 'alice', text: '@kiki why?' })
    await until(() => discord.reactions.length === 1)
    expect([discord.reactions[0], texts()]).toMatchObject([{ message: asked, emoji: '👀' }, []])
    await until(() => texts().length === 1 && discord.reactions.length === 0)
  })

  test('has none when the option says so, and none in a direct message', async () => {
    await start({ waiting: false }, slow)
    discord.say({ author: 'alice', text: '@kiki why?' })
    discord.say({ author: 'alice', channel: discord.direct('alice'), text: 'why?' })
    await until(() => texts().length === 2)
    expect(discord.calls.filter(({ path }) => path.includes('/reactions/'))).toEqual([])
  })
})
