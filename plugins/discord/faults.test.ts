import { type DiscordEmulator, startDiscord } from 'kikimimi/testing/discord'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Kiki, startKiki } from './kiki.ts'

const POST = 'POST /channels/:id/messages'

let discord: DiscordEmulator
let kiki: Kiki | undefined
let told: string[]

beforeEach(async () => {
  told = []
  discord = await startDiscord({ guilds: [{ name: 'team', channels: ['general', 'dev'] }] })
})
afterEach(async () => {
  await kiki?.bot.stop()
  const log = kiki?.log ?? []
  kiki = undefined
  await discord.close()
  expect([...told, ...log].join('\n')).not.toContain(discord.token)
})

const answers = () => discord.posted.map(({ text }) => text)
const posts = () => discord.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/messages'))
const failure = async (start: Promise<Kiki>) => {
  const error = await start.then(
    () => new Error('it started'),
    (thrown: Error) => thrown,
  )
  told.push(error.message, String(error.stack))
  return error
}

describe('a login that cannot succeed ends the start, and says what to do', () => {
  test('a wrong token', async () => {
    const error = await failure(startKiki(discord, { options: { token: 'wrong' } }))
    expect(error).toMatchObject({ code: 'PLATFORM_START_FAILED' })
    expect(error.message).toContain("does not accept the bot's token. Copy a new one from Bot → Reset Token")
    expect(error.message).not.toContain('wrong')
  })

  test('no token', async () => {
    const error = await failure(startKiki(discord, { options: { token: '' } }))
    expect(error.message).toContain('[discord] has no token. Set DISCORD_TOKEN')
  })

  test.each([
    [4004, "does not accept the bot's token"],
    [4010, 'every id in "shards" must be below its count'],
    [4011, "Set shards: 'auto'"],
    [4013, 'Update discord.js'],
    [4014, 'Switch on Bot → Message Content Intent at https://discord.com/developers/applications'],
  ])('%i: %s', async (code, sentence) => {
    discord.refuse(code)
    const error = await failure(startKiki(discord))
    expect(error).toMatchObject({ code: 'PLATFORM_START_FAILED' })
    expect(error.message).toContain(sentence)
  })
})

test.each<[string, Parameters<DiscordEmulator['fail']>[1]]>([
  ['503', { status: 503 }],
  ['a destroyed socket', 'socket'],
  ['429 without Retry-After', { status: 429 }],
])('%s at login: tries again until Discord is back', async (_, fault) => {
  discord.fail('GET /gateway/bot', fault)
  kiki = await startKiki(discord)
  discord.say({ author: 'alice', text: '@kiki hello' })
  await discord.until(() => answers().length === 1)
  expect(kiki.log.filter(line => line.includes('could not log in, trying again'))).toHaveLength(1)
})

describe('what no reconnecting helps ends the bot, with a sentence', () => {
  test.each([
    [4004, "does not accept the bot's token"],
    [4010, 'every id in "shards" must be below its count'],
    [4014, 'Message Content Intent'],
  ])('%i later', async (code, sentence) => {
    kiki = await startKiki(discord)
    discord.cut(code)
    await discord.until(() => kiki?.failure() !== undefined)
    expect(kiki.failure()?.message).toContain(sentence)
  })

  test('one 401 on any route', async () => {
    kiki = await startKiki(discord)
    discord.fail('POST /channels/:id/typing', { status: 401 })
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => kiki?.failure() !== undefined)
    expect(kiki.failure()).toMatchObject({ code: 'PLATFORM_LOST' })
    expect(kiki.failure()?.message).toContain("no longer accepts the bot's token")
  })
})

test.each(['socket', 1001, 4000, 4009, 'reconnect', 'invalid, resumable'] as const)(
  '%s: nothing is lost, nothing answered twice',
  async how => {
    kiki = await startKiki(discord)
    discord.say({ author: 'alice', text: '@kiki before' })
    await discord.until(() => answers().length === 1)
    discord.cut(how)
    discord.say({ author: 'bob', text: '@kiki meanwhile' })
    await discord.until(() => answers().length === 2)
    discord.say({ author: 'carol', text: '@kiki after' })
    await discord.until(() => answers().length === 3)
    expect(answers()).toEqual(['yes, alice', 'yes, bob', 'yes, carol'])
    expect(kiki.turns.flatMap(({ messages }) => messages.map(({ text }) => text))).toEqual([
      '@kiki before',
      '@kiki meanwhile',
      '@kiki after',
    ])
    expect(discord.calls.filter(({ method }) => method === 'IDENTIFY')).toHaveLength(1)
  },
)

test('1000, 4003, 4007, 4008, an invalid session, Discord gone: what was missed is read from the history, and answered', async () => {
  const ends = [1000, 4003, 4007, 4008, 'invalid', 'gone'] as const
  const missed = async (how: (typeof ends)[number]) => {
    await using place = await startDiscord({ guilds: [{ name: 'team', channels: ['general', 'dev'] }] })
    await using bot = await startKiki(place)
    place.say({ author: 'alice', text: '@kiki hello' })
    place.say({ author: 'alice', channel: 'dev', text: 'nothing new here' })
    await place.until(() => place.posted.length === 1)
    if (how === 'gone') place.down(true)
    else place.cut(how)
    place.say({ author: 'bob', text: 'the code is 42' })
    place.say({ author: 'alice', text: '@kiki what is it?' })
    if (how === 'gone') {
      // Long enough for discord.js to try in vain.
      await new Promise(resolve => setTimeout(resolve, 700))
      place.down(false)
    }
    await place.until(() => place.posted.length === 2)
    expect(place.calls.filter(({ method }) => method === 'IDENTIFY')).toHaveLength(2)
    return bot.turns[1]?.history.map(({ text }) => text)
  }
  for (const history of await Promise.all(ends.map(missed))) {
    expect(history).toEqual(['@kiki hello', 'yes, alice', 'the code is 42', '@kiki what is it?'])
  }
})

describe('a message that does not get through at once is posted once', () => {
  test.each<[string, Parameters<DiscordEmulator['fail']>[1], number]>([
    ['429 with Retry-After', { status: 429, retryAfter: 0.2 }, 1],
    ['429 without Retry-After', { status: 429 }, 2],
    ['500', { status: 500 }, 2],
    ['503', { status: 503 }, 1],
    ['a destroyed socket', 'socket', 1],
    ['no answer', 'hang', 1],
    ['an error after it was posted', { status: 500, afterwards: true }, 1],
  ])('%s', async (_, fault, times) => {
    kiki = await startKiki(discord, { options: { timeout: '300ms' } })
    discord.fail(POST, fault, times)
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => answers().length === 1 && posts().at(-1)?.status === 200)
    expect(posts()).toHaveLength(times + 1)
    expect(answers()).toEqual(['yes, alice'])
    expect(await outcomes(kiki, 1)).toEqual([['replied', undefined]])
  })
})

describe('a channel that Discord refuses', () => {
  test.each<[string, Parameters<DiscordEmulator['fail']>[1], string]>([
    [
      '403',
      { status: 403, code: 50001, message: 'Missing Access' },
      'the bot cannot see the channel: give its role View Channel there',
    ],
    ['404', { status: 404, code: 10003, message: 'Unknown Channel' }, 'the channel is gone'],
    ['400', { status: 400, code: 50035, message: 'Invalid Form Body' }, 'Invalid Form Body'],
  ])('%s: is told in the trace and left alone, and the others go on', async (_, fault, why) => {
    kiki = await startKiki(discord)
    discord.fail(POST, fault)
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => posts().length === 1)
    discord.say({ author: 'bob', channel: 'dev', text: '@kiki hello' })
    await discord.until(() => answers().length === 1)
    expect(answers()).toEqual(['yes, bob'])
    const failed = (await outcomes(kiki, 2)).find(([outcome]) => outcome === 'failed')
    expect(failed?.[1]).toContain(why)
    expect(posts()).toHaveLength(2)
    expect(kiki.failure()).toBeUndefined()
  })

  test('is not typed in again until somebody opens it', async () => {
    kiki = await startKiki(discord)
    discord.fail(POST, { status: 403, code: 50013, message: 'Missing Permissions' })
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => posts().length === 1)
    const typed = () => discord.calls.filter(({ path }) => path.endsWith('/typing')).length
    const before = typed()
    discord.say({ author: 'alice', text: '@kiki are you there?' })
    await discord.until(() => answers().length === 1)
    expect(typed()).toBe(before)
    discord.say({ author: 'alice', text: '@kiki thanks' })
    await discord.until(() => answers().length === 2)
    expect(typed()).toBe(before + 1)
  })
})

/** Outcome and reason of each turn, oldest first, once there are so many. */
async function outcomes({ traces }: Kiki, turns: number) {
  let all = await traces()
  while (all.length < turns) {
    await new Promise(resolve => setTimeout(resolve, 5))
    all = await traces()
  }
  return all.map(({ outcome, why }) => [outcome, why]).toReversed()
}
