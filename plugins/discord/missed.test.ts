import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { endIdentifyLimit, type Kiki, startKiki } from './test-bot.ts'

let discord: DiscordEmulator
let kiki: Kiki

beforeEach(async () => {
  discord = await startDiscord({
    guilds: [
      {
        name: 'team',
        channels: [
          ...['general', 'quiet', 'empty'],
          { name: 'news', type: 'announcement' },
          { name: 'ideas', type: 'forum' },
          { name: 'lounge', type: 'voice' },
          { name: 'hall', type: 'stage' },
          { name: 'vault', hidden: true },
          { name: 'office', type: 'voice', locked: true },
        ],
      },
    ],
  })
  kiki = await startKiki(discord, {
    answer: ({ message: { author, text } }) =>
      text.includes('hooray') ? { kind: 'reaction', emoji: '🎉' } : { kind: 'text', text: `yes, ${author.name}` },
  })
  discord.say({ author: 'alice', text: '@kiki hello' })
  await discord.until(() => discord.posted.length === 1)
})
afterEach(async () => {
  await kiki.bot.stop()
  await discord.close()
})

/** Loses the session. Resolves when the bot is connected again and has sent this number of answers. */
async function whileAway(talk: () => void, count: number): Promise<void> {
  endIdentifyLimit()
  discord.cut('invalid')
  talk()
  await discord.until(() => discord.posted.length === 1 + count)
  await discord.until(() => kiki.log.some(line => line.includes('read missed messages')))
}

const answers = () =>
  discord.posted
    .slice(1)
    .map(({ channel, text }) => [channel, text])
    .toSorted()

test('a mention in a thread that was opened during the outage is answered once', async () => {
  let [thread, post] = ['', '']
  await whileAway(() => {
    thread = discord.thread({ channel: 'general', name: 'plans' })
    post = discord.thread({ channel: 'ideas', name: 'cake' })
    discord.say({ author: 'bob', channel: thread, text: 'the code is 42' })
    discord.say({ author: 'alice', channel: thread, text: '@kiki what is it?' })
    discord.say({ author: 'carol', channel: post, text: '@kiki and you?' })
  }, 2)
  discord.say({ author: 'dora', channel: thread, text: '@kiki thanks' })
  await discord.until(() => discord.posted.length === 4)
  expect(answers()).toEqual(
    [
      [thread, 'yes, alice'],
      [thread, 'yes, dora'],
      [post, 'yes, carol'],
    ].toSorted(),
  )
  const heard = kiki.turns.find(({ message }) => message.author.name === 'alice' && message.text.includes('what is it'))
  expect(heard?.history.map(({ text }) => text)).toEqual(['the code is 42', '@kiki what is it?'])
})

test('so is one in a channel without earlier messages, and in a new channel', async () => {
  const channels = ['quiet', 'news', 'lounge', 'hall', 'made']
  await whileAway(() => {
    discord.channel({ name: 'made' })
    for (const channel of channels) discord.say({ author: 'alice', channel, text: '@kiki hello?' })
  }, 5)
  expect(
    kiki.turns
      .slice(1)
      .map(({ conversation }) => conversation.name)
      .toSorted(),
  ).toEqual(channels.toSorted())
})

test('STOP from the time of the outage is neither obeyed nor answered', async () => {
  await whileAway(() => {
    for (const text of ['@kiki STOP', '@kiki START', '@kiki STOP']) {
      discord.say({ author: 'alice', channel: 'quiet', text, admin: true })
    }
    discord.say({ author: 'bob', text: '@kiki hello?' })
  }, 1)
  discord.say({ author: 'carol', channel: 'quiet', text: '@kiki hello?' })
  await discord.until(() => discord.posted.length === 3)
  expect(answers().map(([, text]) => text)).toEqual(['yes, bob', 'yes, carol'])
})

test('channels that it cannot see are not read', async () => {
  await whileAway(() => discord.say({ author: 'alice', channel: 'quiet', text: '@kiki hello?' }), 1)
  const read = discord.calls.filter(({ method, path }) => method === 'GET' && path.endsWith('/messages'))
  expect(new Set(read.map(({ status }) => status))).toEqual(new Set([200]))
})

test('a thread that was deleted or closed meanwhile is skipped', async () => {
  const thread = discord.thread({ channel: 'general', name: 'plans' })
  await whileAway(() => {
    discord.deleteChannel(thread)
    discord.say({ author: 'alice', text: '@kiki still there?' })
  }, 1)
  expect(discord.calls.filter(({ path }) => path.startsWith(`/channels/${thread}`))).toEqual([])
})

test.each([
  ['react', 'PUT /channels/:id/messages/:message/reactions/:emoji/@me'],
  ['speak', 'POST /channels/:id/messages'],
])('a channel in which the bot may not %s is still read', async (_, route) => {
  discord.fail(route, { status: 403, code: 50013, message: 'Missing Permissions' })
  discord.say({ author: 'alice', text: route.startsWith('PUT') ? '@kiki hooray' : '@kiki hello?' })
  await discord.until(() => kiki.log.some(line => line.includes('could not send')))
  await whileAway(() => discord.say({ author: 'bob', text: '@kiki are you there?' }), 1)
  expect(answers().map(([, text]) => text)).toEqual(['yes, bob'])
})
