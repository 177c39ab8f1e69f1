/** Faults of a server, of its permissions and of people, as the person or the operator sees them. */
import { type DiscordEmulator, type DiscordOptions, startDiscord } from '@kikimimi/discord/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { type Kiki, type KikiOptions, startKiki, until } from './test-bot.ts'

let discord: DiscordEmulator
let kiki: Kiki | undefined

afterEach(async () => {
  await kiki?.bot.stop()
  kiki = undefined
  await discord.close()
})

async function start(options: DiscordOptions, given?: KikiOptions): Promise<Kiki> {
  discord = await startDiscord(options)
  kiki = await startKiki(discord, given)
  return kiki
}
const answers = () => discord.posted.map(({ text }) => text)
const posts = () => discord.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'))
const team = (channel: NonNullable<NonNullable<DiscordOptions['guilds']>[number]['channels']>[number]): DiscordOptions => ({
  guilds: [{ name: 'team', channels: ['general', channel] }],
})

/** Outcome and reason of each turn, oldest first, after this number of turns. */
async function outcomes({ traces }: Kiki, turns: number) {
  await until(async () => (await traces()).length >= turns)
  return (await traces()).map(({ outcome, why }) => [outcome, why]).toReversed()
}

describe('a missing permission is told in the trace, and other channels work', () => {
  test.each([
    ['SendMessages', false],
    ['SendMessagesInThreads', true],
  ] as const)('%s', async (permission, isThread) => {
    const bot = await start(team({ name: 'staff', denied: [permission] }))
    const where = isThread ? discord.thread({ channel: 'staff', name: 'plans' }) : 'staff'
    discord.say({ author: 'alice', channel: where, text: '@kiki hello' })
    expect(await outcomes(bot, 1)).toEqual([['failed', expect.stringContaining('the bot may not: give its role Send Messages')]])
    discord.say({ author: 'bob', text: '@kiki hello' })
    await discord.until(() => answers().length > 0)
    expect(answers()).toEqual(['yes, bob'])
    expect(posts()).toHaveLength(2)
  })

  test('AddReactions', async () => {
    const bot = await start(team({ name: 'staff', denied: ['AddReactions'] }), {
      answer: () => ({ kind: 'reaction', emoji: '👍' }),
    })
    discord.say({ author: 'alice', channel: 'staff', text: '@kiki hello' })
    expect(await outcomes(bot, 1)).toEqual([['failed', expect.stringContaining('Add Reactions')]])
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => discord.reactions.length === 1)
  })
})

test('a person who takes no direct messages is told in the trace, and sees no typing', async () => {
  const bot = await start({})
  const channel = discord.direct('dora')
  discord.closeDirect('dora')
  for (const text of ['hello', 'are you there?']) {
    const before = bot.turns.length
    discord.say({ author: 'dora', channel, text })
    await until(() => bot.turns.length > before && posts().length > before)
  }
  const refused = ['failed', expect.stringContaining('this person takes no direct messages from the bot')]
  expect(await outcomes(bot, 2)).toEqual([refused, refused])
  expect(discord.calls.filter(({ path }) => path.endsWith('/typing'))).toHaveLength(1)
  expect(await bot.unready()).toBeUndefined()
})

describe('slow mode', () => {
  const ask = () => discord.say({ author: 'alice', channel: 'slow', text: '@kiki hello' })

  test('of a short time delays an answer', async () => {
    const bot = await start(team({ name: 'slow', slowMode: 1 }))
    ask()
    await discord.until(() => answers().length === 1)
    ask()
    await discord.until(() => answers().length === 2)
    expect((await outcomes(bot, 2)).map(([outcome]) => outcome)).toEqual(['replied', 'replied'])
    expect(posts().map(({ status }) => status)).toEqual([200, 429, 200])
  })

  test('of a long time makes the bot give up an answer, with the reason', async () => {
    const bot = await start(team({ name: 'slow', slowMode: 600 }))
    ask()
    await discord.until(() => answers().length === 1)
    ask()
    const [, second] = await outcomes(bot, 2)
    expect(second).toEqual(['failed', expect.stringMatching(/Discord asks to wait for (?:599|60[01]) s/)])
    expect(posts().map(({ status }) => status)).toEqual([200, 429])
  })
})

test('a long answer keeps the rate limit of the channel: no call is refused, and nothing is lost', async () => {
  const words = Array.from({ length: 900 }, (_, index) => `word${index}`)
  await start({}, { answer: () => ({ kind: 'text', text: words.join(' ') }) })
  discord.limit('POST /channels/:id/messages', { calls: 2, ms: 400 })
  discord.say({ author: 'alice', text: '@kiki tell me all' })
  await discord.until(() => answers().some(text => text.includes('word899')))
  expect(
    answers()
      .join(' ')
      .match(/word\d+/g),
  ).toEqual(words)
  expect(posts().length).toBeGreaterThan(3)
  expect(new Set(posts().map(({ status }) => status))).toEqual(new Set([200]))
})

describe('a thread that is archived', () => {
  test('is open again when a person writes in it, also if the bot never heard of it', async () => {
    discord = await startDiscord()
    const thread = discord.thread({ channel: 'general', name: 'plans' })
    discord.archive(thread)
    kiki = await startKiki(discord)
    discord.say({ author: 'alice', channel: thread, text: '@kiki hello' })
    await discord.until(() => answers().length === 1)
    expect(kiki.turns).toMatchObject([{ conversation: { name: 'general', thread, details: { threadName: 'plans' } } }])
  })

  test.each([
    ['during the turn gets the answer, which opens it', false, ['replied', undefined]],
    [
      'and locked during the turn gets none, and the trace says so',
      true,
      ['failed', expect.stringContaining('the thread is locked')],
    ],
  ])('%s', async (_, locked, outcome) => {
    const thinking = Promise.withResolvers<void>()
    const bot = await start({}, { answer: () => thinking.promise.then(() => ({ kind: 'text', text: 'done' })) })
    const thread = discord.thread({ channel: 'general', name: 'plans' })
    discord.say({ author: 'alice', channel: thread, text: '@kiki hello' })
    await until(() => bot.turns.length === 1)
    discord.archive(thread, { locked })
    thinking.resolve()
    expect(await outcomes(bot, 1)).toEqual([outcome])
    expect(answers()).toEqual(locked ? [] : ['done'])
  })

  test('takes no reaction, and the trace says so', async () => {
    const thinking = Promise.withResolvers<void>()
    const bot = await start({}, { answer: () => thinking.promise.then(() => ({ kind: 'reaction', emoji: '👍' })) })
    const thread = discord.thread({ channel: 'general', name: 'plans' })
    discord.say({ author: 'alice', channel: thread, text: '@kiki hello' })
    await until(() => bot.turns.length === 1)
    discord.archive(thread)
    thinking.resolve()
    expect(await outcomes(bot, 1)).toEqual([['failed', expect.stringContaining('the thread or post is closed')]])
  })
})

describe('the Message Content Intent', () => {
  test('that is off ends the start with the remedy', async () => {
    discord = await startDiscord({ flags: 0 })
    await expect(startKiki(discord)).rejects.toThrow('Switch on Bot → Message Content Intent at https://discord.com')
  })

  test('that is switched off later gives one warning with the remedy; mentions are still answered', async () => {
    const bot = await start({})
    discord.content(false)
    for (const text of ['hello', 'anybody?']) discord.say({ author: 'bob', text })
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => answers().length === 1)
    expect(bot.log.filter(line => line.includes('"level":"warn"'))).toEqual([
      expect.stringContaining('a message has no content. The bot may not read messages. Switch on Bot → Message Content Intent'),
    ])
  })

  test('that is on gives no warning for a sticker, a file, a poll or a notice', async () => {
    const bot = await start({})
    discord.say({ author: 'bob', text: '', stickers: ['wave'] })
    discord.say({ author: 'bob', text: '', attachments: [{ name: 'a.txt', data: Buffer.from('a') }] })
    discord.say({ author: 'bob', text: '', poll: { question: 'Lunch?', answers: ['yes'] } })
    discord.join('carol')
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => answers().length === 1)
    expect(bot.log.filter(line => line.includes('"level":"warn"'))).toEqual([])
  })
})

test('an outage of a server is logged, and the bot answers there afterwards', async () => {
  const bot = await start({})
  const logged = (text: string) => bot.log.filter(line => line.includes(text) && line.includes('"server":"team"'))
  discord.outage(true)
  await until(() => logged('Discord has an outage: a server is not available').length === 1)
  expect(await bot.unready()).toBeUndefined()
  discord.outage(false)
  await until(() => logged('a server is available').length === 1)
  discord.say({ author: 'alice', text: '@kiki hello' })
  await discord.until(() => answers().length === 1)
  expect(bot.turns[0]?.conversation.details?.workspaceName).toBe('team')
})

describe('heartbeats', () => {
  test('that Discord no longer acknowledges make the bot connect again; nothing is lost', async () => {
    await start({ heartbeatMs: 300 })
    discord.cut('deaf')
    await discord.until(() => discord.calls.some(({ method }) => method === 'RESUME'))
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => answers().length === 1)
    expect(discord.calls.filter(({ method }) => method === 'IDENTIFY')).toHaveLength(1)
  })

  test('are sent in time, so the connection stays', async () => {
    await start({ heartbeatMs: 200 })
    const beats = () => discord.calls.filter(({ method }) => method === 'HEARTBEAT').length
    await discord.until(() => beats() > 4)
    expect(discord.online).toBe(1)
    expect(discord.calls.some(({ method }) => method === 'RESUME')).toBe(false)
  })
})

describe('the time limits of a slash command', () => {
  const command = () => discord.command({ author: 'alice', name: 'kiki', text: 'hello' })

  test('an acknowledgement that comes too late is logged, and the answer is posted in the channel', async () => {
    const bot = await start({ deadlines: { acknowledgeMs: -1 } })
    const used = command()
    await discord.until(() => answers().length === 1)
    expect(used.answers).toEqual([])
    expect(answers()).toEqual(['> alice: hello\nyes, alice'])
    expect(bot.log.filter(line => line.includes('could not be acknowledged'))).toEqual([
      expect.stringContaining('Unknown interaction'),
    ])
  })

  test('an answer that comes too late is posted in the channel', async () => {
    const bot = await start({ deadlines: { answerMs: -1 } })
    const used = command()
    await discord.until(() => answers().length === 1)
    expect(used.answers).toEqual([])
    expect(answers()).toEqual(['> alice: hello\nyes, alice'])
    expect(bot.failure()).toBeUndefined()
  })
})
