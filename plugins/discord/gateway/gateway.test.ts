import { type Cut, type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endIdentifyLimit, type Kiki, startKiki, until } from '../test-bot.ts'

let discord: DiscordEmulator
let kiki: Kiki

beforeEach(async () => {
  discord = await startDiscord({ guilds: [{ name: 'team', channels: ['general', 'dev'] }] })
  kiki = await startKiki(discord)
})
afterEach(async () => {
  await kiki.bot.stop()
  await discord.close()
  expect(kiki.log.join('\n')).not.toContain(discord.token)
})

const answers = () => discord.posted.map(({ text }) => text)
const sent = (method: string) => discord.calls.filter(call => call.method === method)
const logged = (text: string) => kiki.log.filter(line => line.includes(text))

describe('an error that no reconnect can repair ends the bot with a message', () => {
  test.each([
    [4004, "does not accept the bot's token"],
    [4010, "Set shards: 'auto'"],
    [4012, 'Update discord.js'],
    [4013, 'Update discord.js'],
    [4014, 'Message Content Intent'],
  ])('%i', async (code, sentence) => {
    expect(await kiki.unready()).toBeUndefined()
    discord.cut(code)
    await until(() => kiki.failure() !== undefined)
    expect(kiki.failure()).toMatchObject({ code: 'PLATFORM_LOST' })
    expect(kiki.failure()?.message).toContain(sentence)
    expect(await kiki.unready()).toContain(sentence)
    expect(logged(`(Discord: ${code})`)).toEqual([expect.stringContaining('"level":"error"')])
  })

  test('one 401 on any route', async () => {
    discord.fail('POST /channels/:id/typing', { status: 401 })
    discord.say({ author: 'alice', text: '@kiki hello' })
    await until(() => kiki.failure() !== undefined)
    expect(kiki.failure()).toMatchObject({ code: 'PLATFORM_LOST' })
    expect(kiki.failure()?.message).toContain("no longer accepts the bot's token. Copy a new one")
    expect(await kiki.unready()).toContain("no longer accepts the bot's token")
    expect(logged("no longer accepts the bot's token")).toEqual([expect.stringContaining('"level":"error"')])
  })
})

describe('more shards', () => {
  test('the bot divides itself when Discord recommends or requires it, without an exit, and nothing is lost or answered twice', async () => {
    await using place = await startDiscord({ guilds: ['team', 'club', 'den'].map(name => ({ name, channels: [name] })) })
    await using bot = await startKiki(place)
    const ask = async (author: string) => {
      const wanted = place.posted.length + 3
      for (const channel of ['team', 'club', 'den']) place.say({ author, channel, text: '@kiki hello' })
      await place.until(() => place.posted.length >= wanted)
    }
    await ask('alice')
    place.reshard(3, { required: true })
    await ask('bob')
    await until(() => place.online === 3)
    await until(async () => (await bot.unready()) === undefined)
    await ask('carol')
    expect(place.posted.map(({ text }) => text).toSorted()).toEqual(
      ['alice', 'bob', 'carol'].flatMap(name => Array(3).fill(`yes, ${name}`)),
    )
    expect(bot.failure()).toBeUndefined()
    const places = await bot.platform.channels?.(new AbortController().signal)
    expect(places?.map(({ name }) => name).toSorted()).toEqual(['club', 'den', 'team'])
  })

  test('a command after it is answered once', async () => {
    discord.reshard(2, { required: true })
    await until(() => discord.online === 2)
    const asked = discord.command({ author: 'alice', name: 'kiki', text: 'hello' })
    await discord.until(() => asked.answers.length > 0)
    expect(asked.answers).toEqual(['> alice: hello\nyes, alice'])
    expect(discord.commands).toHaveLength(1)
  })

  test('with a fixed number of shards, the bot ends with a message', async () => {
    await using place = await startDiscord()
    await using bot = await startKiki(place, { options: { shards: 1 } })
    place.reshard(2, { required: true })
    await until(() => bot.failure() !== undefined)
    expect(bot.failure()?.message).toContain("Set shards: 'auto'")
  })
})

test.each<Cut>(['socket', 1001, 4000, 4009, 'reconnect', 'invalid, resumable'])(
  '%s: nothing is lost, nothing answered twice',
  async how => {
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
    expect(sent('IDENTIFY')).toHaveLength(1)
    expect(await kiki.unready()).toBeUndefined()
  },
)

describe('a lost session: missed messages are read from the history and answered once', () => {
  test.each<Cut>([1000, 4003, 4007, 4008, 'invalid'])('%s', async how => {
    await using place = await startDiscord({ guilds: [{ name: 'team', channels: ['general', 'dev'] }] })
    await using bot = await startKiki(place)
    place.say({ author: 'alice', text: '@kiki hello' })
    place.say({ author: 'alice', channel: 'dev', text: 'nothing new here' })
    await place.until(() => place.posted.length === 1)
    endIdentifyLimit()
    place.cut(how)
    place.say({ author: 'bob', text: 'the code is 42' })
    place.say({ author: 'alice', text: '@kiki what is it?' })
    await place.until(() => place.posted.length === 2)
    expect(bot.turns[1]?.history.map(({ text }) => text)).toEqual([
      '@kiki hello',
      'yes, alice',
      'the code is 42',
      '@kiki what is it?',
    ])
    await until(() => bot.log.some(line => line.includes('read missed messages')))
    expect(place.posted.map(({ text }) => text)).toEqual(['yes, alice', 'yes, alice'])
    expect(place.calls.filter(({ method }) => method === 'IDENTIFY')).toHaveLength(2)
    expect(await bot.unready()).toBeUndefined()
  })
})

describe('Discord is down', () => {
  test('the bot reports it, and answers mentions of that time later', async () => {
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => answers().length === 1)
    endIdentifyLimit()
    discord.down(true)
    await until(async () => (await kiki.unready()) === 'no connection to Discord (shard 0)')
    discord.say({ author: 'bob', text: '@kiki are you there?' })
    expect(logged('lost the connection, trying again')).toHaveLength(1)
    expect(kiki.failure()).toBeUndefined()
    // Long enough for discord.js to try in vain.
    await new Promise(resolve => setTimeout(resolve, 700))
    discord.down(false)
    await discord.until(() => answers().length === 2)
    await until(async () => (await kiki.unready()) === undefined)
    expect(answers()).toEqual(['yes, alice', 'yes, bob'])
  })

  test('a bot that is stopped meanwhile ends at once, and does not connect again', async () => {
    discord.down(true)
    await until(async () => (await kiki.unready()) !== undefined)
    const begin = performance.now()
    await kiki.bot.stop()
    expect(performance.now() - begin).toBeLessThan(1_000)
    discord.down(false)
    // discord.js tries every half second.
    await new Promise(resolve => setTimeout(resolve, 1_500))
    expect(sent('IDENTIFY')).toHaveLength(1)
    expect(discord.online).toBe(0)
  })

  test('a bot that is stopped does not wait for a silent connection', async () => {
    discord.cut('silent')
    const begin = performance.now()
    await kiki.bot.stop()
    expect(performance.now() - begin).toBeLessThan(4_000)
  })
})
