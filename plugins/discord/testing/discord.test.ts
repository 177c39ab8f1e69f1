import { Client, type ClientOptions, Events, GatewayDispatchEvents, GatewayIntentBits, Partials } from 'discord.js'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type DiscordEmulator, startDiscord } from './index.ts'

const { Guilds, GuildMessages, GuildMessageReactions, MessageContent, DirectMessages } = GatewayIntentBits

describe('the real discord.js with the emulator', () => {
  let discord: DiscordEmulator
  let client: Client<true>
  let heard: string[]

  beforeEach(async () => {
    discord = await startDiscord({
      guilds: [
        {
          name: 'team',
          channels: ['general', { name: 'ideas', type: 'forum' }, { name: 'staff', private: true }],
          emojis: ['party'],
          roles: ['crew'],
        },
      ],
    })
    heard = []
    client = await login(discord)
    client.on(Events.MessageCreate, message => void heard.push(`${message.author.username}: ${message.cleanContent}`))
  })
  afterEach(async () => {
    await client.destroy()
    await discord.close()
  })

  const text = (name: string) => {
    const found = client.channels.cache.find(channel => 'name' in channel && channel.name === name)
    if (!found?.isSendable()) throw new Error(`no ${name}`)
    return found
  }

  test('knows its channels and their permissions', () => {
    const guild = client.guilds.cache.first()
    const seen = guild?.channels.cache.map(channel => [channel.name, channel.permissionsFor(guild.id)?.has('ViewChannel')])
    expect(seen).toEqual([
      ['general', true],
      ['ideas', true],
      ['staff', false],
    ])
  })

  test('receives messages in channels, threads, forum posts and direct messages', async () => {
    discord.say({ author: 'alice', text: 'hello @kiki' })
    discord.say({ author: 'bob', channel: discord.thread({ channel: 'general', name: 'plans' }), text: 'in a thread' })
    discord.say({ author: 'bob', channel: discord.thread({ channel: 'ideas', name: 'cake' }), text: 'in a post' })
    discord.say({ author: 'carol', channel: discord.direct('carol'), text: 'between us' })
    await discord.until(() => heard.length === 4)
    expect(heard).toEqual(['alice: hello @kiki', 'bob: in a thread', 'bob: in a post', 'carol: between us'])
  })

  test('posts, replies, edits, reacts, types, reads the history', async () => {
    const asked = discord.say({ author: 'alice', text: 'hello' })
    const channel = text('general')
    await channel.sendTyping()
    expect(discord.typing()).toBe(true)
    const posted = await channel.send({ content: 'yes?', reply: { messageReference: asked } })
    expect(discord.typing()).toBe(false)
    await channel.messages.react(asked, '👍')
    await channel.messages.react(asked, `party:${client.guilds.cache.first()?.emojis.cache.first()?.id}`)
    await posted.edit('yes!')
    expect(discord.posted).toMatchObject([{ text: 'yes!', replyTo: asked }])
    expect(discord.reactions.map(({ emoji }) => emoji)).toEqual(['👍', ':party:'])
    const later = ['one', 'two', 'three'].map(said => discord.say({ author: 'alice', text: said }))
    const page = await channel.messages.fetch({ after: posted.id, limit: 2 })
    expect(page.map(({ content }) => content)).toEqual(['two', 'one'])
    expect((await channel.messages.fetch({ before: later[2] ?? '', limit: 2 })).map(({ content }) => content)).toEqual([
      'two',
      'one',
    ])
    expect((await channel.messages.fetch({ around: later[1] ?? '', limit: 3 })).map(({ content }) => content)).toEqual([
      'three',
      'two',
      'one',
    ])
  })

  test('a second message with the same nonce is the first one', async () => {
    const channel = text('general')
    const [first, second] = [1, 2].map(() => channel.send({ content: 'once', nonce: 'n1', enforceNonce: true }))
    expect((await first)?.id).toBe((await second)?.id)
    expect(discord.posted).toHaveLength(1)
  })

  test('in other channels too, and for a few minutes only', async () => {
    const post = (name: string) => text(name).send({ content: 'once', nonce: 'n1', enforceNonce: true })
    const first = await post('general')
    expect((await post('staff')).id).toBe(first.id)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60_000 })
    try {
      expect((await post('general')).id).not.toBe(first.id)
    } finally {
      vi.useRealTimers()
    }
    expect(discord.posted).toHaveLength(2)
  })

  test('delivers a message twice on request', async () => {
    const ids: string[] = []
    client.ws.on(GatewayDispatchEvents.MessageCreate, ({ id }: { id: string }) => void ids.push(id))
    const message = discord.say({ author: 'alice', text: 'hello' })
    discord.redeliver(message)
    await discord.until(() => ids.length === 2)
    expect(ids).toEqual([message, message])
  })

  test('refuses what Discord refuses', async () => {
    await expect(text('general').send('x'.repeat(2_001))).rejects.toMatchObject({ status: 400, code: 50035 })
    await expect(client.channels.fetch('1')).rejects.toMatchObject({ status: 404, code: 10003 })
  })

  test('opens threads and posts', async () => {
    const asked = discord.say({ author: 'alice', text: 'hello' })
    await discord.until(() => heard.length === 1)
    const message = await text('general').messages.fetch(asked)
    const thread = await message.startThread({ name: 'plans' })
    await thread.send('here')
    expect(discord.posted).toMatchObject([{ channel: asked, text: 'here' }])
  })

  test('answers a deferred slash command', async () => {
    await client.application.commands.set([{ name: 'kiki', description: 'Ask' }])
    expect(discord.commands).toMatchObject([{ name: 'kiki' }])
    client.on(Events.InteractionCreate, interaction => {
      if (!interaction.isChatInputCommand()) return
      void interaction.deferReply().then(() => interaction.editReply(interaction.options.getString('text', true).toUpperCase()))
    })
    const used = discord.command({ author: 'alice', name: 'kiki', text: 'hello' })
    await discord.until(() => used.answers.length > 0)
    expect(used).toMatchObject({ deferred: false, answers: ['HELLO'] })
    expect(discord.posted).toMatchObject([{ id: used.original?.id, text: 'HELLO' }])
  })

  test('shows a deferred slash command until the bot deletes it', async () => {
    const changes: string[] = []
    client.on(Events.MessageCreate, ({ flags }) => void changes.push(flags.has('Loading') ? 'thinking' : 'said'))
    client.on(Events.MessageDelete, () => void changes.push('gone'))
    let [deferred, deleted] = [false, false]
    client.on(Events.InteractionCreate, interaction => {
      if (!interaction.isChatInputCommand()) return
      void interaction
        .deferReply()
        .then(() => {
          deferred = used.deferred && discord.posted.length === 0
          return interaction.deleteReply()
        })
        .then(() => interaction.editReply('too late'))
        .catch((error: { code: number }) => {
          deleted = error.code === 10008
        })
    })
    const used = discord.command({ author: 'alice', name: 'kiki', text: 'hello' })
    await discord.until(() => deleted && changes.length === 2)
    expect({ deferred, changes, now: used.deferred }).toEqual({ deferred: true, changes: ['thinking', 'gone'], now: false })
  })

  test('sends reactions to clients with the intent', async () => {
    const seen: string[] = []
    const watch = ({ ws }: Client) => {
      const tell = (what: string) => (data: { emoji?: { name: string } }) => void seen.push(`${what} ${data.emoji?.name}`)
      ws.on(GatewayDispatchEvents.MessageReactionAdd, tell('put'))
      ws.on(GatewayDispatchEvents.MessageReactionRemove, tell('took back'))
      ws.on(GatewayDispatchEvents.MessageReactionRemoveAll, tell('cleared'))
    }
    const message = discord.say({ author: 'alice', text: 'hello' })
    watch(client)
    discord.react(message, 'bob', '🙈')
    discord.say({ author: 'alice', text: 'anybody?' })
    await discord.until(() => heard.length === 2)
    expect(seen).toEqual([])
    const asking = await login(discord, discord.token, [GuildMessageReactions])
    watch(asking)
    discord.react(message, 'bob', '👍')
    discord.react(message, 'bob', ':party:')
    discord.unreact(message, 'bob', '👍')
    discord.clearReactions(message)
    await discord.until(() => seen.length === 4)
    expect(seen).toEqual(['put 👍', 'put party', 'took back 👍', 'cleared undefined'])
    await asking.destroy()
  })

  test('has roles, and one of them belongs to the bot', async () => {
    const guild = client.guilds.cache.first()
    const mentioned: string[] = []
    client.on(Events.MessageCreate, ({ mentions }) => void mentioned.push(...mentions.roles.map(({ name }) => name)))
    discord.say({ author: 'alice', text: 'hello @&crew and @&kiki' })
    await discord.until(() => mentioned.length === 2)
    expect(mentioned).toEqual(['crew', 'kiki'])
    expect(guild?.members.me?.roles.botRole?.name).toBe('kiki')
  })

  test('serves uploaded files to anybody', async () => {
    const urls: string[] = []
    client.on(Events.MessageCreate, ({ attachments }) => void urls.push(...attachments.map(({ url }) => url)))
    const data = Buffer.from('a cat')
    discord.say({ author: 'alice', text: 'look', attachments: [{ name: 'cat.png', type: 'image/png', data }] })
    await discord.until(() => urls.length > 0)
    const fetched = await fetch(urls[0] ?? '')
    expect([fetched.headers.get('content-type'), await fetched.text()]).toEqual(['image/png', 'a cat'])
  })

  test('hides channels from the bot', async () => {
    const hidden = discord.channel({ name: 'vault', hidden: true })
    discord.say({ author: 'alice', channel: hidden, text: 'a secret' })
    discord.say({ author: 'alice', text: 'hello' })
    await discord.until(() => heard.length > 0)
    expect(heard).toEqual(['alice: hello'])
    await expect(client.channels.fetch(hidden, { force: true })).rejects.toMatchObject({ status: 403, code: 50001 })
  })

  test.each(['socket', 1001, 4000, 4009, 'reconnect'] as const)('%s: resumes with the missed events', async how => {
    discord.cut(how)
    discord.say({ author: 'alice', text: 'meanwhile' })
    await discord.until(() => heard.length > 0)
    discord.say({ author: 'alice', text: 'after' })
    await discord.until(() => heard.length > 1)
    expect(heard).toEqual(['alice: meanwhile', 'alice: after'])
    expect(discord.calls.map(({ method }) => method)).toContain('RESUME')
  })

  test('fails on request, and records the calls', async () => {
    discord.fail('POST /channels/:id/messages', { status: 403, code: 50001, message: 'Missing Access' })
    discord.fail('POST /channels/:id/messages', { status: 429, retryAfter: 0.01 })
    discord.fail('POST /channels/:id/messages', { status: 500 }, 2)
    await expect(text('general').send('hello')).rejects.toMatchObject({ status: 403, code: 50001 })
    await text('general').send('again')
    expect(discord.posted.map(posted => posted.text)).toEqual(['again'])
    expect(discord.calls.filter(({ path }) => path.endsWith('/messages')).map(({ status }) => status)).toEqual([
      403, 429, 500, 500, 200,
    ])
  })
})

test('disconnects a client that sends no heartbeats', async () => {
  await using discord = await startDiscord({ heartbeatMs: 100 })
  const socket = new WebSocket(discord.apiUrl.replace(/^http/, 'ws'))
  const { promise: closed, resolve } = Promise.withResolvers<number>()
  socket.addEventListener('close', ({ code }) => resolve(code))
  socket.addEventListener('open', () => socket.send(JSON.stringify({ op: 2, d: { token: discord.token, intents: 0 } })))
  await discord.until(() => discord.online === 1)
  expect(await closed).toBe(4009)
  await discord.until(() => discord.online === 0)
})

test('withholds content from a client without the intent, except in direct messages and mentions', async () => {
  await using discord = await startDiscord()
  const client = new Client({
    rest: { api: discord.apiUrl },
    intents: [Guilds, GuildMessages, DirectMessages],
    partials: [Partials.Channel],
  })
  const heard: string[] = []
  client.on(Events.MessageCreate, ({ content, attachments }) => void heard.push(`${content}|${attachments.size}`))
  await client.login(discord.token)
  await discord.until(() => client.isReady())
  discord.say({ author: 'bob', text: 'hello', attachments: [{ name: 'a.txt', data: Buffer.from('a') }] })
  discord.say({ author: 'bob', text: 'hello @kiki' })
  discord.say({ author: 'bob', text: 'between us', channel: discord.direct('bob') })
  await discord.until(() => heard.length === 3)
  expect(heard).toEqual(['|0', `hello <@${discord.bot.id}>|0`, 'between us|0'])
  await client.destroy()
})

test('refuses a wrong token and a disabled intent', async () => {
  await using discord = await startDiscord()
  await expect(login(discord, 'wrong')).rejects.toMatchObject({ code: 'TokenInvalid' })
  discord.refuse(4014)
  await expect(login(discord)).rejects.toThrow('disallowed intents')
})

test('each shard has its own guilds, and shard 0 the direct messages; an early identify is refused', async () => {
  await using discord = await startDiscord({ shards: 2, maxConcurrency: 1, guilds: [{ name: 'one' }, { name: 'two' }] })
  const clients = await Promise.all([0, 1].map(id => login(discord, discord.token, [], { shards: [id], shardCount: 2 })))
  expect(discord.calls.filter(({ method }) => method === 'IDENTIFY')).toHaveLength(3)
  expect(discord.online).toBe(2)
  expect(clients.map(({ guilds }) => guilds.cache.map(({ name }) => name))).toEqual([['one'], ['two']])
  const heard: number[] = []
  for (const [shard, client] of clients.entries()) client.on(Events.MessageCreate, () => void heard.push(shard))
  discord.say({ author: 'alice', channel: discord.direct('alice'), text: 'hello' })
  await discord.until(() => heard.length > 0)
  expect(heard).toEqual([0])
  for (const client of clients) await client.destroy()
})

async function login(
  discord: DiscordEmulator,
  token = discord.token,
  more: readonly GatewayIntentBits[] = [],
  which: Pick<ClientOptions, 'shards' | 'shardCount'> = { shards: 'auto' },
): Promise<Client<true>> {
  const client = new Client({
    rest: { api: discord.apiUrl },
    ...which,
    intents: [Guilds, GuildMessages, MessageContent, DirectMessages, ...more],
    partials: [Partials.Channel],
  })
  const ready = new Promise<Client<true>>(resolve => client.once(Events.ClientReady, resolve))
  await client.login(token)
  return ready
}
