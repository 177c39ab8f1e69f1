import { type DiscordEmulator, type DiscordOptions, startDiscord } from '@kikimimi/discord/testing'
import { definePlugin, Tools, type Turn } from 'kikimimi'
import { afterEach, describe, expect, test } from 'vitest'
import { type Kiki, startKiki } from '../test-bot.ts'

const POLL = { question: 'Which cake?', answers: ['cheese', 'apple'] }

let discord: DiscordEmulator
let kiki: Kiki
/** The result of the tool, or its error. */
let results: string[]

afterEach(async () => {
  await kiki.bot.stop()
  await discord.close()
})

/** Makes this poll in each turn. */
async function start(input: unknown = POLL, options: DiscordOptions = {}): Promise<void> {
  discord = await startDiscord(options)
  results = []
  const pollster = definePlugin({
    name: 'pollster',
    needs: [Tools],
    setup: ctx => ({
      async respond(turn: Turn) {
        const tool = ctx.use(Tools).all.find(({ name }) => name === 'make_poll')
        if (!turn.message.text.includes('poll')) return undefined
        const made = await tool?.invoke(input, { turn, signal: turn.signal }).catch((error: Error) => error.message)
        results.push(String(made))
        return { kind: 'silent', why: 'made a poll' }
      },
    }),
  })
  kiki = await startKiki(discord, {
    plugins: [pollster()],
    config: { apology: false },
    answer: ({ message }) => (message.text.includes('poll') ? undefined : { kind: 'text', text: 'ok' }),
  })
}
const posts = () => discord.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'))
async function ask(channel?: string): Promise<void> {
  const before = results.length
  discord.say({ author: 'alice', text: '@kiki make a poll', ...(channel !== undefined && { channel }) })
  await discord.until(() => results.length > before)
}

test.each(['channel', 'thread', 'direct'] as const)('is posted in a %s', async kind => {
  await start({ ...POLL, hours: 48, several: true })
  const place = {
    channel: () => discord.id('general'),
    thread: () => discord.thread({ channel: 'general', name: 'cakes' }),
    direct: () => discord.direct('alice'),
  }[kind]()
  await ask(place)
  expect(posts()).toMatchObject([
    {
      path: `/channels/${place}/messages`,
      status: 200,
      body: { poll: { question: { text: 'Which cake?' }, duration: 48, allow_multiselect: true } },
    },
  ])
  expect(results).toEqual([expect.stringMatching(/^The poll is posted \(message \d+\)\. It ends in 48 h\.$/)])
})

test('its votes and its result are known to the bot', async () => {
  await start()
  await ask()
  const id = discord.posted.at(-1)?.id ?? ''
  discord.vote(id, 'alice', 2)
  discord.endPoll(id, { winner: 'apple', votes: 1 })
  discord.say({ author: 'bob', text: '@kiki who won?' })
  await discord.until(() => discord.posted.some(({ text }) => text === 'ok'))
  const parts = kiki.turns.at(-1)?.history.flatMap(({ own, parts = [] }) => (own ? parts : []))
  expect(parts).toMatchObject([
    { kind: 'poll', title: 'Which cake?', text: 'cheese: 0\napple: 1' },
    { kind: 'event', title: 'ended the poll', text: 'Which cake?\napple: 1' },
  ])
})

describe('what Discord does not accept is refused before the call', () => {
  const long = (count: number) => 'x'.repeat(count)
  test.each([
    ['a question of 301 characters', { ...POLL, question: long(301) }, /300/],
    ['an empty question', { ...POLL, question: ' ' }, /question/],
    ['an answer of 56 characters', { ...POLL, answers: [long(56), 'b'] }, /55/],
    ['eleven answers', { ...POLL, answers: Array.from({ length: 11 }, (_, index) => `${index}`) }, /10/],
    ['one answer', { ...POLL, answers: ['yes'] }, /2/],
    ['equal answers', { ...POLL, answers: ['yes', 'yes'] }, /different/],
    ['more than 32 days', { ...POLL, hours: 769 }, /768/],
    ['another field', { ...POLL, colour: 'red' }, /colour/],
  ])('%s', async (_, input, why) => {
    await start(input)
    await ask()
    expect(results).toEqual([expect.stringMatching(why)])
    expect(posts()).toEqual([])
  })
})

test('a missing permission is explained', async () => {
  await start(POLL, { guilds: [{ name: 'team', channels: [{ name: 'general', denied: ['SendPolls'] }] }] })
  await ask()
  expect(results).toEqual([expect.stringMatching(/the bot may not/)])
})

test('the largest poll is posted', async () => {
  await start({
    question: 'q'.repeat(300),
    answers: Array.from({ length: 10 }, (_, index) => `${index}`.padEnd(55, 'a')),
    hours: 768,
  })
  await ask()
  expect(posts()).toMatchObject([{ status: 200 }])
})
