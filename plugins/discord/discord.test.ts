import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import reply from '@kikimimi/reply'
import { scriptedModel } from 'kikimimi/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Kiki, startKiki } from './test-bot.ts'

describe('a bot in Discord', () => {
  let discord: DiscordEmulator
  let kiki: Kiki

  beforeEach(async () => {
    discord = await startDiscord({
      guilds: [
        {
          name: 'team',
          channels: ['general', { name: 'staff', private: true }, { name: 'ideas', type: 'forum' }],
          emojis: ['party'],
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

  const answers = () => discord.posted.map(({ text }) => text)

  test('answers in the thread, post or direct message of the question', async () => {
    const thread = discord.thread({ channel: 'general', name: 'plans' })
    const post = discord.thread({ channel: 'ideas', name: 'cake' })
    const hidden = discord.thread({ channel: 'general', name: 'surprise', private: true })
    const direct = discord.direct('dora')
    discord.say({ author: 'alice', channel: thread, text: '@kiki here?' })
    discord.say({ author: 'bob', channel: post, text: '@kiki and here?' })
    discord.say({ author: 'carol', channel: hidden, text: '@kiki and in secret?' })
    discord.say({ author: 'dora', channel: direct, text: 'and between us?' })
    await discord.until(() => discord.posted.length === 4)
    expect(discord.posted.map(({ channel, text }) => [channel, text]).toSorted()).toEqual(
      [
        [thread, 'yes, alice'],
        [post, 'yes, bob'],
        [hidden, 'yes, carol'],
        [direct, 'yes, dora'],
      ].toSorted(),
    )
    const seen = Object.fromEntries(kiki.turns.map(({ message, conversation }) => [message.author.name, conversation]))
    expect(seen.alice).toMatchObject({ name: 'general', thread, visibility: 'public' })
    expect(seen.bob).toMatchObject({ name: 'ideas', thread: post, visibility: 'public' })
    expect(seen.carol).toMatchObject({ name: 'general', thread: hidden, visibility: 'private' })
    expect(seen.dora).toMatchObject({ name: 'dora', workspace: '', channel: direct, visibility: 'direct' })
  })

  test('a channel that @everyone cannot view is private; a channel created later is heard', async () => {
    discord.say({ author: 'alice', channel: 'staff', text: '@kiki' })
    discord.say({ author: 'alice', channel: discord.channel({ name: 'new' }), text: '@kiki' })
    await discord.until(() => kiki.turns.length === 2)
    expect(kiki.turns.map(({ conversation: { name, visibility } }) => [name, visibility])).toEqual([
      ['staff', 'private'],
      ['new', 'public'],
    ])
  })

  test('replaces ids by names, and knows mentioned people', async () => {
    discord.say({ author: 'bob', text: 'hello' })
    discord.say({ author: 'alice', text: '@kiki ask @bob, not @everyone <:party:123456789>' })
    await discord.until(() => kiki.turns.length === 1)
    const { text, mentions } = kiki.turns[0]?.message ?? {}
    expect(text).toBe('@kiki ask @bob, not @everyone :party:')
    expect(mentions?.map(({ name }) => name)).toEqual(['kiki', 'bob'])
  })

  test('a mention of its own role addresses it; other roles, @everyone and @here do not', async () => {
    for (const text of ['@&crew lunch!', '@everyone lunch!', '@here lunch!']) discord.say({ author: 'bob', text })
    discord.say({ author: 'alice', text: '@&kiki lunch?' })
    await discord.until(() => discord.posted.length > 0)
    expect(answers()).toEqual(['yes, alice'])
    const [{ addressed, history = [] } = {}] = kiki.turns
    expect(addressed).toBe('mention')
    expect(history.map(({ text, addressed }) => [text, addressed])).toEqual([
      ['@crew lunch!', undefined],
      ['@everyone lunch!', undefined],
      ['@here lunch!', undefined],
      ['@kiki lunch?', 'mention'],
    ])
  })

  test('a reply to its message addresses it, and its answer quotes the trigger', async () => {
    const quoting = await startKiki(await another(), {
      answer: turn => ({ kind: 'text', text: 'quoted', replyTo: turn.message.id }),
    })
    const asked = discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => discord.posted.length === 1)
    const reply = discord.say({ author: 'alice', text: 'really?', replyTo: discord.posted[0]?.id ?? '' })
    await discord.until(() => discord.posted.length === 2)
    expect(discord.posted.map(({ text, replyTo }) => [text, replyTo])).toEqual([
      ['quoted', asked],
      ['quoted', reply],
    ])
    expect(quoting.turns.map(({ addressed }) => addressed)).toEqual(['mention', 'reply'])
    await quoting.bot.stop()
  })

  test('receives edits and deletions', async () => {
    const first = discord.say({ author: 'alice', text: 'the meeting is at nine' })
    const second = discord.say({ author: 'bob', text: 'my number is 12345' })
    discord.edit(first, 'the meeting is at ten')
    discord.delete(second)
    discord.say({ author: 'alice', text: '@kiki when is it?' })
    await discord.until(() => discord.posted.length === 1)
    expect(kiki.turns[0]?.history.map(({ text }) => text)).toEqual(['the meeting is at ten', '@kiki when is it?'])
  })

  test('also in a direct message, of which Discord gives only the channel', async () => {
    const channel = discord.direct('dora')
    const secret = discord.say({ author: 'dora', channel, text: 'my number is 12345' })
    await discord.until(() => discord.posted.length === 1)
    discord.delete(secret)
    discord.say({ author: 'dora', channel, text: 'are you there?' })
    await discord.until(() => discord.posted.length === 2)
    expect(kiki.turns[1]?.history.map(({ text }) => text)).toEqual(['yes, dora', 'are you there?'])
    expect(kiki.turns[1]?.conversation).toMatchObject({ name: 'dora', visibility: 'direct' })
  })

  test('receives files', async () => {
    const file = { name: 'cat.png', type: 'image/png', url: 'https://cdn.test/cat.png' }
    discord.say({ author: 'alice', text: '@kiki look', attachments: [file] })
    await discord.until(() => kiki.turns.length === 1)
    expect(kiki.turns[0]?.message.attachments).toEqual([file])
  })

  test('shows pictures to a model with vision', async () => {
    const model = scriptedModel('A cat!')
    await kiki.bot.stop()
    kiki = await startKiki(discord, { answer: () => undefined, plugins: [reply()], config: { models: { chat: model } } })
    const files = [
      { name: 'cat.png', type: 'image/png', data: Buffer.from('iVBORw0KGgo=', 'base64') },
      // An address in the network of the bot, where no message may lead it.
      { name: 'router.png', type: 'image/png', url: 'http://127.0.0.1:9/router.png' },
    ]
    discord.say({ author: 'alice', text: '@kiki what is this?', attachments: files })
    await discord.until(() => discord.posted.length > 0)
    expect(answers()).toEqual(['A cat!'])
    expect(model.asked[0]?.messages.at(-1)).toMatchObject({ images: ['data:image/png;base64,iVBORw0KGgo='] })
    expect(kiki.log.filter(line => line.includes('a file is left out'))).toEqual([
      expect.stringContaining('it is not a file of Discord'),
    ])
  })

  test('ignores other bots', async () => {
    discord.say({ author: 'robo', bot: true, text: '@kiki hello' })
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => discord.posted.length > 0)
    expect(answers()).toEqual(['yes, alice'])
  })

  test('never notifies people by accident', async () => {
    await kiki.bot.stop()
    kiki = await startKiki(discord, { answer: () => ({ kind: 'text', text: 'wake up @everyone' }) })
    discord.say({ author: 'alice', text: '@kiki' })
    await discord.until(() => discord.posted.length === 1)
    expect(discord.posted).toMatchObject([{ text: 'wake up @everyone', everyone: false }])
  })

  test('reacts with the server’s own emoji, by name', async () => {
    await kiki.bot.stop()
    kiki = await startKiki(discord, { answer: () => ({ kind: 'reaction', emoji: ':party:' }) })
    discord.say({ author: 'alice', text: '@kiki we did it' })
    await discord.until(() => discord.reactions.length === 1)
    expect(discord.reactions).toMatchObject([{ emoji: ':party:' }])
  })

  /** A second bot with its own answer replaces the bot of this test. */
  async function another(): Promise<DiscordEmulator> {
    await kiki.bot.stop()
    return discord
  }
})
