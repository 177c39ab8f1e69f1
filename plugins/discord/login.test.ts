import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import { VirtualClock } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Kiki, startKiki } from './test-bot.ts'

let discord: DiscordEmulator
let kiki: Kiki | undefined
let told: string[]

beforeEach(async () => {
  told = []
  discord = await startDiscord()
})
afterEach(async () => {
  await kiki?.bot.stop()
  const log = kiki?.log ?? []
  kiki = undefined
  await discord.close()
  expect([...told, ...log].join('\n')).not.toContain(discord.token)
})

const failure = async (start: Promise<Kiki>) => {
  const error = await start.then(
    () => new Error('it started'),
    (thrown: Error) => thrown,
  )
  told.push(error.message, String(error.stack))
  return error
}
const retries = () => kiki?.log.filter(line => line.includes('could not log in, trying again')) ?? []
const answered = async () => {
  discord.say({ author: 'alice', text: '@kiki hello' })
  await discord.until(() => discord.posted.length > 0)
  expect(discord.posted).toMatchObject([{ text: 'yes, alice' }])
  expect(await kiki?.unready()).toBeUndefined()
}

test('a bot in no server says how it gets into one', async () => {
  await using empty = await startDiscord({ guilds: [] })
  kiki = await startKiki(empty)
  expect(kiki.log.filter(line => line.includes('in no server'))).toEqual([expect.stringContaining('npm run kikimimi -- invite')])
})

describe('a login that cannot succeed ends the start with the remedy', () => {
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
    [4010, "Set shards: 'auto'"],
    [4011, "Set shards: 'auto'"],
    [4013, 'Update discord.js'],
    [4014, 'Switch on Bot → Message Content Intent at https://discord.com/developers/applications'],
  ])('%i: %s', async (code, sentence) => {
    discord.refuse(code)
    const error = await failure(startKiki(discord))
    expect(error).toMatchObject({ code: 'PLATFORM_START_FAILED' })
    expect(error.message).toContain(sentence)
    expect(error.message).toContain(`(Discord: ${code})`)
  })
})

describe('a login that may succeed later is tried again', () => {
  test.each<[string, Parameters<DiscordEmulator['fail']>[1]]>([
    ['503', { status: 503 }],
    ['a destroyed socket', 'socket'],
    ['429 without Retry-After', { status: 429 }],
    ['no answer', 'hang'],
  ])('%s', async (_, fault) => {
    discord.fail('GET /gateway/bot', fault)
    kiki = await startKiki(discord, { options: { timeout: '500ms' } })
    await answered()
    expect(retries()).toHaveLength(1)
  })

  test('Discord is down and comes back', async () => {
    discord.down(true)
    const starting = startKiki(discord)
    setTimeout(() => discord.down(false), 700)
    kiki = await starting
    await answered()
    expect(retries().length).toBeGreaterThan(0)
  })

  test('an invalid session', async () => {
    discord.refuse('invalid')
    kiki = await startKiki(discord)
    await answered()
  })

  test('for 45 s, then the start ends with an error', async () => {
    discord.down(true)
    const clock = new VirtualClock()
    const ticking = setInterval(() => void clock.advance(clock.now() + 200, { settle: async () => {} }), 2)
    try {
      const error = await failure(startKiki(discord, { parts: { clock } }))
      expect(error).toMatchObject({ code: 'PLATFORM_START_FAILED' })
      expect(error.message).toMatch(
        /^\[discord\] Discord cannot be reached at http:\/\/127\.0\.0\.1:\d+\/api \((?:the connection failed|no answer)/,
      )
      expect(error.message).toContain('https://discordstatus.com')
    } finally {
      clearInterval(ticking)
    }
    // It tried for as long as possible, and reported the error before the kernel's deadline.
    expect(clock.now()).toBeGreaterThan(30_000)
    expect(clock.now()).toBeLessThan(50_000)
  })
})
