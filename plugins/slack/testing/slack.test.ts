import { App, LogLevel, SocketModeReceiver } from '@slack/bolt'
import {
  type ConversationsHistoryResponse,
  type UsersConversationsResponse,
  WebClient,
  type WebClientOptions,
} from '@slack/web-api'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type SlackEmulator, startSlack } from './index.ts'

let slack: SlackEmulator
beforeEach(async () => {
  slack = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
})
afterEach(() => slack.close())

const quiet = { debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, setName() {}, getLevel: () => LogLevel.ERROR }

async function startApp() {
  const app = new App({
    token: slack.botToken,
    receiver: new SocketModeReceiver({
      appToken: slack.appToken,
      installerOptions: { clientOptions: { slackApiUrl: slack.apiUrl } },
      // Also the wait before a reconnect.
      clientPingTimeout: 300,
      logger: quiet,
    }),
    deferInitialization: true,
    clientOptions: { slackApiUrl: slack.apiUrl },
    logger: quiet,
  })
  const heard: { type: string; text?: string; retry: unknown }[] = []
  app.event(/.*/, async ({ event, context }) => {
    heard.push({ type: event.type, ...('text' in event && { text: String(event.text) }), retry: context.retryNum })
  })
  await app.init()
  await app.start()
  return { heard, [Symbol.asyncDispose]: async () => void (await app.stop()) }
}

test('a connected app receives messages, and a mention twice', async () => {
  await using app = await startApp()
  await slack.say({ author: 'alice', channel: 'general', text: 'a < b', mention: true })
  expect(app.heard.map(({ type, text }) => [type, text])).toEqual([
    ['message', '<@UKIKI> a &lt; b'],
    ['app_mention', '<@UKIKI> a &lt; b'],
  ])
  expect(slack.calls.map(({ method }) => method)).toEqual(['auth.test', 'apps.connections.open'])
})

test('an event is delivered again, marked as a retry', async () => {
  await using app = await startApp()
  await slack.say({ author: 'alice', channel: 'general', text: 'hello' })
  await slack.redeliver()
  expect(app.heard.map(({ retry }) => retry)).toEqual([0, 1])
})

test('edits, deletions and reactions are delivered', async () => {
  await using app = await startApp()
  const { ts } = await slack.say({ author: 'alice', channel: 'general', text: 'helo' })
  await slack.edit('general', ts, 'hello')
  await slack.react('bob', 'general', ts, 'wave')
  await slack.unreact('bob', 'general', ts, 'wave')
  await slack.delete('general', ts)
  expect(app.heard.map(({ type }) => type)).toEqual(['message', 'message', 'reaction_added', 'reaction_removed', 'message'])
})

test('changes of a channel are delivered', async () => {
  await using app = await startApp()
  slack.channel('general')
  await slack.rename('general', 'lobby')
  await slack.archive('lobby')
  await slack.unarchive('lobby')
  await slack.leave('lobby')
  await slack.join('lobby')
  await slack.makePrivate('lobby')
  await slack.deleteChannel('lobby')
  expect(app.heard.map(({ type }) => type)).toEqual([
    ...['channel_rename', 'channel_archive', 'channel_unarchive', 'channel_left', 'member_joined_channel'],
    ...['message', 'group_deleted'],
  ])
})

test('a command can be answered at once, and five times later, for everybody or for its author', async () => {
  const app = new App({
    token: slack.botToken,
    receiver: new SocketModeReceiver({
      appToken: slack.appToken,
      installerOptions: { clientOptions: { slackApiUrl: slack.apiUrl } },
      logger: quiet,
    }),
    clientOptions: { slackApiUrl: slack.apiUrl },
    logger: quiet,
  })
  let answered = 0
  app.command('/dice', async ({ ack, respond }) => {
    await ack({ response_type: 'in_channel' })
    await respond({ response_type: 'in_channel', text: 'four' })
    await respond('you win')
    for (answered = 2; answered < 10; answered++) await respond('again')
  })
  app.error(async () => {})
  await app.start()
  await slack.command('alice', 'general', '/dice', 'one')
  await expect.poll(() => slack.seen('general').length).toBe(6)
  await app.stop()
  expect(answered).toBe(5)
  expect(slack.seen('general').slice(0, 3)).toEqual([
    { author: 'alice', text: '/dice one' },
    { author: 'kiki', text: 'four' },
    { author: 'kiki', text: 'you win', onlyFor: 'alice' },
  ])
})

test('a file needs the token; other requests get the login page', async () => {
  const content = Buffer.from('iVBORw0KGgo=', 'base64')
  const files = [{ name: 'a cat.png', mimetype: 'image/png', content }]
  const said = await slack.say({ author: 'alice', channel: 'general', text: 'look', files })
  const url = said.files?.[0]?.url_private ?? ''
  const seen = await fetch(url, { headers: { authorization: `Bearer ${slack.botToken}` } })
  expect(Buffer.from(await seen.arrayBuffer())).toEqual(content)
  const unseen = await fetch(url)
  expect([unseen.status, unseen.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
})

test('the client connects again after a cut and after a refresh request', async () => {
  await using _app = await startApp()
  slack.refresh()
  await expect.poll(() => slack.connected).toBe(false)
  await expect.poll(() => slack.connected).toBe(true)
  slack.cut()
  await expect.poll(() => slack.connected).toBe(false)
  await expect.poll(() => slack.connected).toBe(true)
  expect(slack.connections).toBe(3)
})

describe('the Web API', () => {
  const connect = (more: WebClientOptions = {}) =>
    new WebClient(slack.botToken, {
      slackApiUrl: slack.apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: quiet,
      ...more,
    })
  let client: WebClient
  beforeEach(() => {
    client = connect()
  })

  test('stores messages, threads and reactions', async () => {
    const { id } = slack.channel('general')
    const { ts = '' } = await client.chat.postMessage({ channel: id, text: 'one' })
    await client.chat.postMessage({ channel: id, text: 'under it', thread_ts: ts })
    await client.reactions.add({ channel: id, timestamp: ts, name: 'wave' })
    const { messages } = await client.conversations.history({ channel: id })
    expect(messages).toMatchObject([{ text: 'one', reply_count: 1, reactions: [{ name: 'wave' }] }])
    const thread = await client.conversations.replies({ channel: id, ts })
    expect(thread.messages?.map(({ text }) => text)).toEqual(['one', 'under it'])
    expect(slack.posted.map(({ text, thread }) => [text, thread])).toEqual([
      ['one', undefined],
      ['under it', ts],
    ])
    await expect(client.reactions.add({ channel: id, timestamp: ts, name: 'wave' })).rejects.toThrow('already_reacted')
  })

  test('pages through the history, newest first', async () => {
    for (const text of ['one', 'two', 'three']) await slack.say({ author: 'alice', channel: 'general', text, quietly: true })
    const texts: (string | undefined)[] = []
    for await (const page of client.paginate('conversations.history', { channel: 'CGENERAL', limit: 2 })) {
      const { messages = [] }: ConversationsHistoryResponse = page
      texts.push(...messages.map(({ text }) => text))
    }
    expect(texts).toEqual(['three', 'two', 'one'])
  })

  test('lists channels of the bot, page by page, by type', async () => {
    for (const name of ['general', 'random', 'attic', 'cellar', 'shed']) slack.channel(name)
    slack.channel('staff', 'private')
    slack.channel('@alice')
    await slack.leave('random')
    await slack.archive('attic')
    const names: (string | undefined)[] = []
    const asked = { types: 'public_channel,private_channel', exclude_archived: true, limit: 2 }
    for await (const page of client.paginate('users.conversations', asked)) {
      const { channels = [] }: UsersConversationsResponse = page
      names.push(...channels.map(({ name }) => name))
    }
    expect(names).toEqual(['general', 'cellar', 'shed', 'staff'])
  })

  test('refuses texts that are too long', async () => {
    const { id } = slack.channel('general')
    const { ts = '' } = await client.chat.postMessage({ channel: id, text: 'x'.repeat(40_000) })
    await expect(client.chat.postMessage({ channel: id, text: 'x'.repeat(40_001) })).rejects.toThrow('msg_too_long')
    await expect(client.chat.update({ channel: id, ts, text: 'x'.repeat(40_001) })).rejects.toThrow('msg_too_long')
    expect(slack.posted.map(({ text }) => text.length)).toEqual([40_000])
  })

  test('takes ten posts in a channel at once, and then one a second; another channel is not affected', async () => {
    // On a busy machine the posts take longer than a second.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    slack.channel('general')
    slack.channel('random')
    const post = (channel: string) => client.chat.postMessage({ channel, text: 'hi' })
    for (let index = 0; index < 10; index++) await post('CGENERAL')
    await expect(post('CGENERAL')).rejects.toMatchObject({ retryAfter: 1 })
    await post('CRANDOM')
  })

  test('gives the blocks of what people write, and the topic of a channel', async () => {
    const { id } = slack.channel('general')
    slack.user('bob')
    const text = '<@UBOB> see <https://example.com/?a=1&amp;b=2|this> in <#CGENERAL>, <!here> &lt;3'
    await slack.say({ author: 'alice', channel: 'general', text, raw: true, quietly: true })
    await slack.setTopic('alice', 'general', 'trains')
    const { messages = [] } = await client.conversations.history({ channel: id })
    expect(messages.map(({ subtype, text }) => subtype ?? text)).toEqual(['channel_topic', text])
    expect(messages[1]?.blocks).toEqual([
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'user', user_id: 'UBOB' },
              { type: 'text', text: ' see ' },
              { type: 'link', url: 'https://example.com/?a=1&b=2', text: 'this' },
              { type: 'text', text: ' in ' },
              { type: 'channel', channel_id: 'CGENERAL' },
              { type: 'text', text: ', ' },
              { type: 'broadcast', range: 'here' },
              { type: 'text', text: ' <3' },
            ],
          },
        ],
      },
    ])
    expect((await client.conversations.info({ channel: id })).channel?.topic?.value).toBe('trains')
  })

  test('fails in every way on request', async () => {
    slack.channel('general')
    const post = () => client.chat.postMessage({ channel: 'CGENERAL', text: 'hi' })
    slack.fail('chat.postMessage', { error: 'not_in_channel' })
    await expect(post()).rejects.toThrow('not_in_channel')
    slack.fail('chat.postMessage', { rateLimit: true, retryAfter: 3 })
    await expect(post()).rejects.toMatchObject({ retryAfter: 3 })
    slack.fail('chat.postMessage', { status: 500 })
    await expect(post()).rejects.toMatchObject({ statusCode: 500 })
    slack.fail('chat.postMessage', { reset: true })
    await expect(post()).rejects.toThrow()
    expect(slack.posted).toEqual([])
    slack.fail('chat.postMessage', { lateMs: 50 })
    await post()
    expect(slack.posted).toHaveLength(1)
    slack.fail('chat.postMessage', { hang: true, done: true })
    const impatient = connect({ timeout: 200 })
    await expect(impatient.chat.postMessage({ channel: 'CGENERAL', text: 'hi' })).rejects.toThrow()
    expect(slack.posted).toHaveLength(2)
    slack.revoke('bot')
    await expect(post()).rejects.toThrow('invalid_auth')
  })
})
