import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import { definePlugin, type Turn } from 'kikimimi'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Kiki, startKiki, until } from '../test-bot.ts'

let discord: DiscordEmulator
let kiki: Kiki

beforeEach(async () => {
  discord = await startDiscord({
    guilds: [
      {
        name: 'team',
        channels: [
          { name: 'general', topic: 'all about trains' },
          { name: 'ideas', type: 'forum', topic: 'one idea in a post', tags: ['cake', 'open'] },
        ],
        roles: ['crew'],
      },
    ],
  })
  kiki = await startKiki(discord)
})
afterEach(async () => {
  await kiki.bot.stop()
  await discord.close()
})

/** The turn of a new call. */
async function asked(channel?: string): Promise<Turn> {
  const before = kiki.turns.length
  discord.say({ author: 'alice', text: '@kiki and?', ...(channel !== undefined && { channel }) })
  await until(() => kiki.turns.length > before)
  const turn = kiki.turns.at(-1)
  if (!turn) throw new Error('there is no turn')
  return turn
}

describe('the place of a message', () => {
  test('has the server and the topic of its channel', async () => {
    expect((await asked()).conversation).toMatchObject({
      name: 'general',
      details: { workspaceName: 'team', topic: 'all about trains' },
    })
  })

  test('a thread has its name and the message that it hangs on besides', async () => {
    const root = discord.say({ author: 'bob', text: 'the kettle is broken' })
    const { conversation, history } = await asked(discord.thread({ channel: 'general', name: 'kettle', from: root }))
    expect(conversation).toMatchObject({ name: 'general', thread: root })
    expect(conversation.details).toEqual({ workspaceName: 'team', topic: 'all about trains', threadName: 'kettle', root })
    expect(history.map(({ text }) => text)).toEqual(['@kiki and?'])
  })

  test('a post of a forum has its title and tags', async () => {
    const post = discord.thread({ channel: 'ideas', name: 'a birthday', author: 'bob', text: 'what do we bake?', tags: ['cake'] })
    const { conversation, history } = await asked(post)
    expect(conversation).toMatchObject({ name: 'ideas', thread: post })
    expect(conversation.details).toMatchObject({
      topic: 'one idea in a post',
      threadName: 'a birthday',
      tags: ['cake'],
      root: post,
    })
    expect(history.map(({ id, text }) => [id === post, text])).toEqual([
      [true, 'what do we bake?'],
      [false, '@kiki and?'],
    ])
  })

  test('a private thread hangs on no message', async () => {
    const { conversation } = await asked(discord.thread({ channel: 'general', name: 'surprise', private: true }))
    expect(conversation.details).toEqual({ workspaceName: 'team', topic: 'all about trains', threadName: 'surprise' })
  })

  test.each([
    ['a channel', {}, 'public'],
    ['a channel that only a role can see', { private: true, shownTo: ['crew'] }, 'private'],
    ['a channel that a role cannot see', { hiddenFrom: ['crew'] }, 'private'],
  ] as const)('%s, its threads and its private threads: who reads them', async (_, options, visibility) => {
    const channel = discord.channel({ name: 'attic', ...options })
    expect((await asked(channel)).conversation.visibility).toBe(visibility)
    const open = (await asked(discord.thread({ channel, name: 'open' }))).conversation
    expect(open).toMatchObject({ visibility, readers: { own: false } })
    const closed = (await asked(discord.thread({ channel, name: 'closed', private: true }))).conversation
    expect(closed).toMatchObject({ visibility: 'private', readers: { own: true } })
  })

  test('no request is made for it', async () => {
    await asked()
    expect(discord.calls.filter(({ method, path }) => method === 'GET' && !/^\/gateway\/bot$|\/messages$/.test(path))).toEqual([])
  })

  test('follows renamed channels, threads and servers without a new message', async () => {
    const judged: Turn['conversation'][] = []
    const judge = definePlugin({ name: 'judge', setup: () => ({ score: ({ conversation }) => void judged.push(conversation) }) })
    await kiki.bot.stop()
    kiki = await startKiki(discord, { plugins: [judge()], config: { pacing: { minWait: '500ms', jitter: 0 } } })
    const thread = discord.thread({ channel: 'general', name: 'plans' })
    discord.say({ author: 'bob', text: 'hello' })
    discord.say({ author: 'bob', channel: thread, text: 'hello' })
    discord.renameGuild('crew')
    discord.change('general', { name: 'trains', topic: 'and ships' })
    discord.change(thread, { name: 'travel plans' })
    await until(() => judged.length === 2)
    const top = { workspaceName: 'crew', topic: 'and ships' }
    expect(judged.find(one => one.thread === undefined)).toMatchObject({ name: 'trains', details: top })
    expect(judged.find(one => one.thread === thread)).toMatchObject({
      name: 'trains',
      details: { ...top, threadName: 'travel plans', root: thread },
    })
  })
})

test('a post of a followed channel answers nothing, and nothing is asked for', async () => {
  await kiki.bot.stop()
  const heard: unknown[] = []
  const ear = definePlugin({ name: 'ear', setup: () => ({ filter: ({ text, replyTo }) => void heard.push([text, replyTo]) }) })
  kiki = await startKiki(discord, { plugins: [ear()], config: { listen: { bots: true } } })
  discord.say({ author: 'News', text: 'Version 9 is out', followed: true })
  discord.say({ author: 'alice', text: '@kiki what is new?' })
  await until(() => kiki.turns.length === 1)
  expect(heard[0]).toEqual(['Version 9 is out', undefined])
  expect(discord.calls.filter(({ method, path }) => method === 'GET' && /\/messages\/\d+$/.test(path))).toEqual([])
})

describe('a message that answers another one carries it', () => {
  let replies: unknown[]
  beforeEach(async () => {
    await kiki.bot.stop()
    replies = []
    const ear = definePlugin({ name: 'ear', setup: () => ({ filter: ({ replyTo }) => void replies.push(replyTo) }) })
    kiki = await startKiki(discord, { plugins: [ear()] })
  })

  test('with its author, its text, its files and what it shows', async () => {
    const file = { name: 'map.png', type: 'image/png', url: 'https://cdn.discordapp.com/map.png' }
    const embeds = [{ title: 'Map', url: 'https://map.test' }]
    const target = discord.say({ author: 'bob', text: 'it is 300 m, @alice', unheard: true, attachments: [file], embeds })
    discord.say({ author: 'alice', text: '@kiki is that correct?', replyTo: target })
    await until(() => replies.length > 0)
    expect(replies[0]).toMatchObject({
      id: target,
      message: {
        id: target,
        author: { name: 'bob' },
        text: 'it is 300 m, @alice',
        attachments: [file],
        parts: [{ kind: 'card', title: 'Map', url: 'https://map.test' }],
      },
    })
  })

  test('unless it was deleted', async () => {
    const target = discord.say({ author: 'bob', text: 'it is 300 m', unheard: true })
    discord.delete(target)
    discord.say({ author: 'alice', text: '@kiki is that correct?', replyTo: target })
    await until(() => replies.length > 0)
    expect(replies[0]).toEqual({ id: target })
  })
})

describe('what a message shows besides its text', () => {
  const parts = async () => (await asked()).history.slice(0, -1).map(({ text, parts }) => ({ text, parts }))

  test('embeds, with names instead of ids', async () => {
    discord.say({ author: 'bob', text: 'hello' })
    discord.say({
      author: 'alice',
      text: '',
      embeds: [
        {
          title: 'Build 7',
          description: 'failed, see <@&1>',
          fields: [{ name: 'tests', value: '3 of 200 failed' }],
          author: { name: 'CI' },
          footer: { text: 'main' },
          url: 'https://ci.test/7',
        },
      ],
    })
    expect((await parts()).at(-1)).toEqual({
      text: '',
      parts: [
        {
          kind: 'card',
          title: 'Build 7',
          author: 'CI',
          text: 'failed, see <@&1>\ntests: 3 of 200 failed\nmain',
          url: 'https://ci.test/7',
        },
      ],
    })
  })

  test('pictures of embeds are files, at the address of Discord', async () => {
    const proxy_url = 'https://images-ext-1.discordapp.net/external/abc/https/cats.test/tama.PNG'
    discord.say({
      author: 'bob',
      text: 'https://cats.test/tama.PNG',
      embeds: [{ image: { url: 'https://cats.test/tama.PNG', proxy_url } }],
    })
    const [message] = (await asked()).history
    expect(message).toMatchObject({ attachments: [{ url: proxy_url, type: 'image/png', name: 'tama.PNG' }] })
    expect(message?.parts ?? []).toEqual([])
  })

  test('a poll, with its votes', async () => {
    const poll = discord.say({ author: 'bob', text: '', poll: { question: 'Lunch?', answers: ['soup', 'rice 2'] } })
    expect(await parts()).toMatchObject([{ parts: [{ kind: 'poll', title: 'Lunch?', text: 'soup: 0\nrice 2: 0' }] }])
    for (const author of ['alice', 'carol', 'dora']) discord.vote(poll, author, 2)
    discord.vote(poll, 'dora', 2, true)
    discord.vote(poll, 'dora', 1)
    const [message] = (await asked()).history
    expect(message?.parts).toEqual([{ kind: 'poll', title: 'Lunch?', text: 'soup: 1\nrice 2: 2' }])
  })

  test('a forwarded message, with what it shows; it mentions nobody', async () => {
    const original = discord.say({ author: 'bob', text: 'ask @kiki', embeds: [{ title: 'a card' }], unheard: true })
    discord.say({ author: 'alice', text: '', forward: original })
    const [message] = (await asked()).history
    expect(message).toMatchObject({
      text: '',
      mentions: [],
      parts: [
        { kind: 'forward', text: 'ask @kiki' },
        { kind: 'card', title: 'a card' },
      ],
    })
    expect(kiki.turns).toHaveLength(1)
  })

  test('stickers and voice messages', async () => {
    const voice = { name: 'voice-message.ogg', type: 'audio/ogg', url: 'https://cdn.discordapp.com/v.ogg' }
    discord.say({ author: 'bob', text: '', stickers: ['wave'] })
    discord.say({ author: 'bob', text: '', attachments: [voice] })
    const [sticker, spoken] = (await asked()).history
    expect(sticker).toMatchObject({
      parts: [{ kind: 'sticker', title: 'wave' }],
      attachments: [{ name: 'wave', type: 'image/png' }],
    })
    expect(spoken).toMatchObject({ attachments: [voice] })
  })

  test('pinned messages, new threads and new members', async () => {
    discord.pin(discord.say({ author: 'bob', text: 'the code is 42' }), 'carol')
    discord.join('dora')
    const [, pinned, joined] = (await asked()).history
    expect(pinned).toMatchObject({ author: { name: 'carol' }, text: '', parts: [{ kind: 'event', title: 'pinned a message' }] })
    expect(joined).toMatchObject({ author: { name: 'dora' }, parts: [{ kind: 'event', title: 'joined the server' }] })
  })

  test('a pin in a direct conversation is not answered', async () => {
    const channel = discord.direct('dora')
    const first = discord.say({ author: 'dora', channel, text: 'hello' })
    await discord.until(() => discord.posted.length === 1)
    discord.pin(first, 'dora')
    discord.say({ author: 'dora', channel, text: 'bye' })
    await discord.until(() => discord.posted.length === 2)
    expect(kiki.turns.flatMap(({ messages }) => messages.map(({ text }) => text))).toEqual(['hello', 'bye'])
  })
})

describe('an edited message', () => {
  test('gets the preview of its link, which Discord adds later', async () => {
    const said = discord.say({ author: 'bob', text: 'https://trains.test' })
    discord.unfurl(said, [{ title: 'Trains', description: 'all departures' }])
    const [message] = (await asked()).history
    expect(message).toMatchObject({
      text: 'https://trains.test',
      parts: [{ kind: 'card', title: 'Trains', text: 'all departures' }],
    })
  })

  test('is answered once if it mentions the bot now, and not again for a preview', async () => {
    const said = discord.say({ author: 'bob', text: 'when is the train?' })
    discord.edit(said, '@kiki when is the train?')
    await discord.until(() => discord.posted.length === 1)
    discord.unfurl(said, [{ title: 'Trains' }])
    await asked()
    expect(kiki.turns.map(({ message }) => message.text)).toEqual(['@kiki when is the train?', '@kiki and?'])
  })

  test('deletions of many messages at once are noticed', async () => {
    const ids = ['spam one', 'spam two'].map(text => discord.say({ author: 'bob', text }))
    discord.say({ author: 'carol', text: 'what was that?' })
    discord.deleteMany(ids)
    expect((await asked()).history.map(({ text }) => text)).toEqual(['what was that?', '@kiki and?'])
  })
})
