/** A persona of a channel posts under its own name and picture. */
import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import type { BotConfig, Reply, Turn } from 'kikimimi'
import type { Outgoing } from 'kikimimi/platform'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kiki, type KikiOptions, startKiki, until } from './test-bot.ts'

const picture = 'https://pictures.test/mimi.png'
const EXECUTE = 'POST /webhooks/:hook/:token'

let discord: DiscordEmulator
let kiki: Kiki

const config = (name = 'Mimi'): Partial<BotConfig> => ({
  persona: {
    name: 'kiki',
    channels: { support: { name, prompt: 'You are Mimi.', picture }, sales: { name: 'Momo' } },
  },
})
const start = async (given: KikiOptions = {}) => {
  kiki = await startKiki(discord, { config: config(), ...given })
}

beforeEach(async () => {
  discord = await startDiscord({ guilds: [{ name: 'team', channels: ['general', 'support', 'sales'] }] })
})
afterEach(async () => {
  await kiki.bot.stop()
  await discord.close()
  expect(kiki.log.join('\n')).not.toContain('webhook-')
})

const ask = (channel: string, text = '@kiki hello') => discord.say({ author: 'alice', channel, text })
const shown = () => discord.posted.map(({ channel, as, text }) => [channel, as, text])
const made = () => discord.calls.filter(({ method, path }) => method === 'POST' && path.endsWith('/webhooks'))
const signal = () => AbortSignal.timeout(5_000)

/** The conversation of the latest turn. */
function conversation() {
  const turn = kiki.turns.at(-1)
  if (!turn) throw new Error('There was no turn.')
  return turn.conversation
}

/** Posts what the bot would post as the persona of the place. */
const post = (message: Partial<Outgoing>) =>
  kiki.platform.send(
    conversation(),
    { text: 'hi', nonce: discord.snowflake(), as: { name: 'Mimi', picture }, ...message },
    signal(),
  )

test('people see the names of two personas, and a message of them is one of the bot', async () => {
  await start()
  for (const channel of ['support', 'sales', 'general']) ask(channel)
  await discord.until(() => discord.posted.length === 3)
  expect(shown()).toEqual(
    expect.arrayContaining([
      [discord.id('support'), { name: 'Mimi', picture }, 'yes, alice'],
      [discord.id('sales'), { name: 'Momo' }, 'yes, alice'],
      [discord.id('general'), undefined, 'yes, alice'],
    ]),
  )
  const replyTo = discord.posted.find(({ as }) => as?.name === 'Mimi')?.id ?? ''
  discord.say({ author: 'alice', channel: 'support', text: 'and you?', replyTo })
  await until(() => kiki.turns.length === 4)
  expect(kiki.turns[3]).toMatchObject({ addressed: 'reply', persona: { name: 'Mimi' } })
  await discord.until(() => discord.posted.length === 4)
  const thread = discord.thread({ channel: 'support', name: 'plans' })
  ask(thread)
  await discord.until(() => discord.posted.length === 5)
  expect(shown().at(-1)).toEqual([thread, { name: 'Mimi', picture }, 'yes, alice'])
  expect(made()).toHaveLength(2)
  discord.react(replyTo, 'alice', '👍')
  ask('support', '@kiki who are you?')
  await until(() => kiki.turns.length === 6)
  const own = kiki.turns[5]?.history.filter(message => message.own) ?? []
  expect(own.map(({ author }) => author.name)).toEqual(['Mimi', 'Mimi'])
  expect(own[0]?.reactions).toMatchObject([{ emoji: '👍' }])
})

test('a quoted question is a small line with a link, which stays when the message is edited', async () => {
  await start()
  const question = ask('support')
  await discord.until(() => discord.posted.length === 1)
  const { id } = await post({ replyTo: question })
  const { workspace, channel } = conversation()
  const line = `-# ↪ https://discord.com/channels/${workspace}/${channel}/${question}\n`
  const text = () => discord.posted.find(one => one.id === id)?.text
  expect(text()).toBe(`${line}hi`)
  expect(await kiki.platform.edit?.(conversation(), id, { text: 'hello' }, signal())).toBe(true)
  expect(text()).toBe(`${line}hello`)
  const read = await kiki.platform.message?.(conversation(), id, signal())
  expect(read).toMatchObject({ text: 'hello', replyTo: { id: question }, author: { id: discord.bot.id, name: 'Mimi' } })
  const long = await post({ text: 'a'.repeat(2_000), replyTo: question })
  expect(discord.posted.find(one => one.id === long.id)?.text).toHaveLength(2_000)
})

test('after a restart it knows its messages, edits and deletes them, and does not answer them', async () => {
  await start()
  ask('support')
  await discord.until(() => discord.posted.length === 1)
  const [first] = discord.posted
  await kiki.bot.stop()
  await start()
  ask('support', '@kiki again')
  await discord.until(() => discord.posted.length === 2)
  expect(made()).toHaveLength(1)
  const id = first?.id ?? ''
  expect(await kiki.platform.edit?.(conversation(), id, { text: 'edited' }, signal())).toBe(true)
  expect(discord.posted[0]?.text).toBe('edited')
  const read = await kiki.platform.history?.(conversation(), { limit: 10 }, signal())
  expect(read?.map(({ author }) => author.name)).toEqual(['alice', 'Mimi', 'alice', 'Mimi'])
  await kiki.platform.delete?.(conversation(), id, signal())
  expect(discord.posted).toHaveLength(1)
  expect(kiki.turns).toHaveLength(1)
})

test('a webhook that was deleted is made again', async () => {
  await start()
  ask('support')
  await discord.until(() => discord.posted.length === 1)
  discord.deleteWebhooks('support')
  ask('support', '@kiki again')
  await discord.until(() => discord.posted.length === 2)
  expect(shown().map(([, as]) => as)).toEqual([
    { name: 'Mimi', picture },
    { name: 'Mimi', picture },
  ])
  expect(made()).toHaveLength(2)
  await expect(kiki.platform.edit?.(conversation(), discord.posted[0]?.id ?? '', { text: 'late' }, signal())).rejects.toThrow(
    '50005',
  )
})

test.each<[string, () => Promise<void>, RegExp]>([
  [
    'the permission',
    async () => {
      await discord.close()
      discord = await startDiscord({ guilds: [{ name: 'team', channels: [{ name: 'support', denied: ['ManageWebhooks'] }] }] })
      await start()
    },
    /Give its role Manage Webhooks there/,
  ],
  [
    'room for a webhook',
    async () => {
      await start()
      discord.fail('POST /channels/:id/webhooks', {
        status: 400,
        code: 30007,
        message: 'Maximum number of webhooks reached (15)',
      })
    },
    /Delete one of the webhooks/,
  ],
  ['a name that Discord takes', () => start({ config: config('Discordia') }), /Discord refuses the name or the picture/],
])('without %s it posts under its own name, and the log says so once', async (_, begin, told) => {
  await begin()
  ask('support')
  await discord.until(() => discord.posted.length === 1)
  ask('support', '@kiki again')
  await discord.until(() => discord.posted.length === 2)
  expect(shown().map(([, as]) => as)).toEqual([undefined, undefined])
  expect(kiki.log.filter(line => told.test(line))).toHaveLength(1)
})

test.each<[string, Parameters<DiscordEmulator['fail']>[1], number]>([
  ['before it was posted', 'socket', 2],
  ['after it was posted', 'dropped', 1],
  ['and an error, after it was posted', { status: 500, afterwards: true }, 1],
])('a connection that is lost %s: the message is posted once', async (_, fault, attempts) => {
  await start()
  ask('support')
  await discord.until(() => discord.posted.length === 1)
  // The same words, a moment before: it is another message.
  discord.fail(EXECUTE, fault)
  ask('support')
  await until(async () => (await kiki.traces()).length === 2)
  expect(shown().map(([, , text]) => text)).toEqual(['yes, alice', 'yes, alice'])
  expect((await kiki.traces()).map(({ outcome }) => outcome)).toEqual(['replied', 'replied'])
  const posts = discord.calls.filter(({ method, path }) => method === 'POST' && path.startsWith('/webhooks/'))
  expect(posts).toHaveLength(1 + attempts)
})

test('a message of which Discord does not say whether it is posted is not sent again', async () => {
  await start()
  ask('support')
  await discord.until(() => discord.posted.length === 1)
  discord.fail(EXECUTE, 'dropped')
  discord.fail('GET /channels/:id/messages', { status: 403, code: 50013, message: 'Missing Permissions' })
  await expect(post({ text: 'once' })).rejects.toMatchObject({ code: 'PLATFORM_UNAVAILABLE' })
  expect(shown().filter(([, , text]) => text === 'once')).toHaveLength(1)
  const about = { text: 'once', nonce: 'n', since: new Date(Date.now() - 5_000) }
  expect(await kiki.platform.find?.(conversation(), about, signal())).toEqual({ id: discord.posted.at(-1)?.id })
  const { idempotent } = kiki.platform
  expect(typeof idempotent === 'function' && idempotent(conversation())).toBe(false)
})

test('people see an answer while it is written', async () => {
  const answer = async ({ show }: Turn): Promise<Reply> => {
    show?.({ kind: 'text', text: 'The deploy failed because the disk' })
    await discord.until(() => discord.posted.length === 1)
    return { kind: 'text', text: 'The deploy failed because the disk was full.' }
  }
  await start({ options: { streaming: 'everywhere' }, answer })
  ask('support')
  await discord.until(() => discord.posted[0]?.text === 'The deploy failed because the disk was full.')
  expect(shown()).toHaveLength(1)
  expect(discord.posted[0]?.as).toEqual({ name: 'Mimi', picture })
  expect(discord.calls.some(({ method, path }) => method === 'PATCH' && path.startsWith('/webhooks/'))).toBe(true)
  expect(discord.calls.some(({ status }) => status >= 400)).toBe(false)
})
