import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import { type Conversation, conversationId } from 'kikimimi'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Kiki, startKiki } from '../test-bot.ts'

let discord: DiscordEmulator
let kiki: Kiki

beforeEach(async () => {
  discord = await startDiscord({
    guilds: [
      {
        name: 'team',
        channels: [
          ...['general', { name: 'ideas', type: 'forum' as const }, { name: 'vault', hidden: true }],
          { name: 'closed', denied: ['ReadMessageHistory' as const] },
        ],
      },
    ],
  })
  kiki = await startKiki(discord)
})
afterEach(async () => {
  await kiki.bot.stop()
  await discord.close()
})

const { signal } = new AbortController()
const read = () =>
  discord.calls.filter(({ method, path }) => method === 'GET' && path.includes('/messages')).map(({ path }) => path)

/** A channel, or a thread in it. */
async function place(name: string, thread?: string): Promise<Conversation> {
  const places = (await kiki.platform.channels?.(signal)) ?? []
  const found = places.find(one => one.name === name && one.thread === thread)
  const { details: _, ...unknown } = places[0] ?? { platform: 'discord', workspace: '', name: '', visibility: 'public' }
  const made = found ?? { ...unknown, name, channel: discord.id(name), ...(thread !== undefined && { thread }) }
  return { id: conversationId(made), ...made }
}
const message = async (where: Conversation, id: string) => kiki.platform.message?.(where, id, signal)
const history = async (where: Conversation, limit = 10) => {
  return (await kiki.platform.history?.(where, { before: discord.snowflake(), limit }, signal)) ?? []
}

describe('one message', () => {
  test('of a channel and of a thread', async () => {
    const thread = discord.thread({ channel: 'general', name: 'plans' })
    const [above, inside] = ['general', thread].map(channel =>
      discord.say({ author: 'bob', channel, text: 'hello', unheard: true }),
    )
    const [general, plans] = [await place('general'), await place('general', thread)]
    expect(await message(general, above ?? '')).toMatchObject({ id: above, text: 'hello', author: { name: 'bob' } })
    expect((await message(general, above ?? ''))?.conversation).not.toHaveProperty('thread')
    expect(await message(plans, inside ?? '')).toMatchObject({ id: inside, conversation: { thread } })
  })

  test('a thread hangs on a message of the channel above it', async () => {
    const root = discord.say({ author: 'bob', text: 'the kettle is broken', unheard: true })
    const thread = discord.thread({ channel: 'general', name: 'kettle', from: root })
    const found = await message(await place('general', thread), root)
    expect(found).toMatchObject({ id: root, text: 'the kettle is broken', conversation: { channel: discord.id('general') } })
    expect(found?.conversation).not.toHaveProperty('thread')
    expect(read()).toEqual([`/channels/${discord.id('general')}/messages/${root}`])
  })

  test('the first message of a forum post is in the post', async () => {
    const post = discord.thread({ channel: 'ideas', name: 'cake', text: 'what do we bake?' })
    expect(await message(await place('ideas', post), post)).toMatchObject({
      id: post,
      text: 'what do we bake?',
      conversation: { thread: post },
    })
  })

  test('that was deleted is not there', async () => {
    const gone = discord.say({ author: 'bob', text: 'hello', unheard: true })
    discord.delete(gone)
    expect(await message(await place('general'), gone)).toBeUndefined()
  })

  test('that the bot may not read is refused with the remedy', async () => {
    const hidden = discord.say({ author: 'bob', channel: 'vault', text: 'a secret' })
    const old = discord.say({ author: 'bob', channel: 'closed', text: 'an old one' })
    await expect(message(await place('vault'), hidden)).rejects.toMatchObject({
      code: 'PLATFORM_REFUSED',
      message: expect.stringContaining('the bot cannot see the channel: give its role View Channel there'),
    })
    await expect(message(await place('closed'), old)).rejects.toMatchObject({
      code: 'PLATFORM_REFUSED',
      message: expect.stringContaining('give its role Read Message History'),
    })
  })

  test('of a bot whose channels another process knows is refused by Discord', async () => {
    discord.fail('GET /channels/:id/messages/:message', { status: 403, code: 50013, message: 'Missing Permissions' })
    await expect(message(await place('general'), discord.snowflake())).rejects.toMatchObject({
      code: 'PLATFORM_REFUSED',
      message: expect.stringContaining('the bot may not: give its role'),
    })
  })
})

describe('the history', () => {
  test('of a thread begins with the message that it hangs on', async () => {
    const root = discord.say({ author: 'bob', text: 'the kettle is broken', unheard: true })
    const thread = discord.thread({ channel: 'general', name: 'kettle', from: root, author: 'carol' })
    discord.say({ author: 'dora', channel: thread, text: 'since Tuesday' })
    expect(
      (await history(await place('general', thread))).map(({ id, author, text }) => [id === root, author.name, text]),
    ).toEqual([
      [true, 'bob', 'the kettle is broken'],
      [false, 'dora', 'since Tuesday'],
    ])
  })

  test('of a channel without permission to read it is an error, although Discord returns no messages', async () => {
    discord.say({ author: 'bob', channel: 'closed', text: 'an old one' })
    await expect(history(await place('closed'))).rejects.toThrow(
      'the bot may not read earlier messages: give its role Read Message History',
    )
    expect(read()).toEqual([])
  })
})

describe('a message of the bot whose posting is unknown', () => {
  const since = new Date(Date.now() - 1_000)
  const find = async (text: string, over: { readonly since?: Date; readonly replyTo?: string } = {}) =>
    kiki.platform.find?.(await place('general'), { text, nonce: 'n9', since, ...over }, signal)

  test('is found by its author, its text, the message that it quotes, and its time', async () => {
    const asked = discord.say({ author: 'bob', text: 'the kettle is broken', unheard: true })
    const posted = await kiki.platform.send(await place('general'), { text: 'I see', nonce: 'n1', replyTo: asked }, signal)
    expect(await find('I see', { replyTo: asked })).toEqual({ id: posted.id })
    expect(await find('I see')).toBeUndefined()
    expect(await find('I', { replyTo: asked })).toBeUndefined()
    expect(await find('the kettle is broken')).toBeUndefined()
    expect(await find('I see', { replyTo: asked, since: new Date(Date.now() + 60_000) })).toBeUndefined()
  })

  test('is not searched when Discord does not tell: that is an error', async () => {
    discord.fail('GET /channels/:id/messages', { status: 403, code: 50013, message: 'Missing Permissions' })
    await expect(find('I see')).rejects.toMatchObject({ code: 'PLATFORM_REFUSED' })
  })
})

describe('a rate limit', () => {
  const ROUTES = ['GET /channels/:id/messages', 'GET /channels/:id/messages/:message'] as const

  test.each(ROUTES)('%s: a long one is an error that says how long it lasts, and no further request is made', async route => {
    discord.limit(route, { calls: 2, ms: 60_000 })
    const general = await place('general')
    const said = discord.say({ author: 'bob', text: 'hello', unheard: true })
    const ask = () => (route === ROUTES[0] ? history(general) : message(general, said))
    // discord.js learns the limit from the first response.
    for (const _ of [1, 2]) await ask()
    const error = await ask().catch((thrown: Error & { retryAfterMs?: number }) => thrown)
    expect(error).toMatchObject({
      code: 'PLATFORM_REFUSED',
      message: expect.stringMatching(/Discord asks to wait for (?:59|6[01]) s/),
    })
    expect(Reflect.get(Object(error), 'retryAfterMs')).toBeGreaterThan(55_000)
    expect(read()).toHaveLength(2)
  })

  test('of missed messages is waited for', async () => {
    discord.limit(ROUTES[0], { calls: 2, ms: 1_500 })
    const general = await place('general')
    const [first = '', second] = ['one', 'two'].map(text => discord.say({ author: 'bob', text, unheard: true }))
    const after = async () => (await kiki.platform.history?.(general, { after: first, limit: 10 }, signal))?.map(({ id }) => id)
    expect([await after(), await after(), await after()]).toEqual([[second], [second], [second]])
    expect(read()).toHaveLength(3)
  })
})
