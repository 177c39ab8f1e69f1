/** A bot in a Slack workspace. */
import { expect, test } from 'vitest'
import { mention, startOnSlack, startWithPlatform, until } from './test-bot.ts'

test('a reply that quotes its trigger is in a thread under it', async () => {
  await using on = await startOnSlack()
  on.answer(turn => ({ kind: 'text', text: 'here', replyTo: turn.message.id }))
  const { ts } = await on.slack.say(mention('hello'))
  await until(() => on.texts().length === 1)
  expect(on.slack.posted).toMatchObject([{ thread: ts }])
})

test('a direct message needs no mention and is private', async () => {
  await using on = await startOnSlack()
  await on.slack.say({ author: 'alice', channel: '@alice', text: 'psst' })
  await until(() => on.texts().length === 1)
  expect(on.turns[0]).toMatchObject({ addressed: 'direct', conversation: { visibility: 'direct', name: 'alice' } })
  expect(on.slack.posted).toMatchObject([{ channel: '@alice', text: 'to psst' }])
})

test('a private channel is recognised', async () => {
  await using on = await startOnSlack()
  on.slack.channel('secrets', 'private')
  await on.slack.say({ ...mention('hello'), channel: 'secrets' })
  await until(() => on.turns.length === 1)
  expect(on.turns[0]?.conversation).toMatchObject({ visibility: 'private', name: 'secrets' })
})

test.each([
  ['', {}],
  [', also when Slack does not tell what stood there before', { briefly: true }],
])('edits and deletions apply%s', async (_name, how) => {
  await using on = await startOnSlack()
  const one = await on.slack.say({ author: 'bob', channel: 'general', text: 'helo' })
  const two = await on.slack.say({ author: 'bob', channel: 'general', text: 'oops' })
  await on.slack.edit('general', one.ts, 'hello &amp; welcome', how)
  await on.slack.delete('general', two.ts, how)
  await on.slack.say(mention('what did bob say?'))
  await until(() => on.turns.length === 1)
  expect(on.turns[0]?.history.map(({ text }) => text)).toEqual(['hello & welcome', '@kiki what did bob say?'])
})

test('people, channels and links have the text that people see', async () => {
  await using on = await startOnSlack()
  await on.slack.say({ author: 'bob', channel: 'random', text: 'hi' })
  const text = '<@UKIKI> ask <@UBOB> in <#CRANDOM> about <https://example.com|this> &amp; that'
  await on.slack.say({ author: 'alice', channel: 'general', text, raw: true })
  await until(() => on.turns.length === 1)
  expect(on.turns[0]?.message).toMatchObject({
    text: '@kiki ask @bob in #random about this (https://example.com) & that',
    mentions: [
      { id: 'UKIKI', name: 'kiki' },
      { id: 'UBOB', name: 'bob' },
    ],
  })
})

test('text of the bot notifies nobody, and has Slack’s formatting', async () => {
  await using on = await startOnSlack()
  on.answer(() => ({ kind: 'text', text: '**Hi** <!everyone> and @channel, see [here](https://example.com)' }))
  await on.slack.say(mention('hello'))
  await until(() => on.texts().length === 1)
  expect(on.texts()).toEqual(['*Hi* &lt;!everyone&gt; and @channel, see <https://example.com|here>'])
  const { args } = on.slack.calls.find(({ method }) => method === 'chat.postMessage') ?? {}
  expect(args).not.toHaveProperty('link_names')
  expect(args).not.toHaveProperty('parse')
})

test('new names of channels and people apply at once', async () => {
  await using on = await startOnSlack()
  await on.slack.say(mention('one'))
  await until(() => on.texts().length === 1)
  await on.slack.rename('general', 'lobby')
  await on.slack.renameUser('alice', 'alice-2')
  await on.slack.say({ author: 'alice-2', channel: 'lobby', text: 'two', mention: true })
  await until(() => on.texts().length === 2)
  expect(on.turns[1]?.conversation.name).toBe('lobby')
  expect(on.turns[1]?.message.author).toMatchObject({ id: 'UALICE', name: 'alice-2' })
})

test('a channel that the bot left and joined again is looked up again', async () => {
  await using on = await startOnSlack()
  await on.slack.say(mention('one'))
  await until(() => on.texts().length === 1)
  const asked = () => on.slack.calls.filter(({ method }) => method === 'conversations.info').length
  const before = asked()
  await on.slack.leave('general')
  await on.slack.join('general')
  await on.slack.say(mention('two'))
  await until(() => on.texts().length === 2)
  expect(asked()).toBeGreaterThan(before)
})

test('files are included', async () => {
  await using on = await startOnSlack()
  const files = [{ name: 'cat.png', mimetype: 'image/png', url_private: 'https://files.example.com/cat.png' }]
  await on.slack.say({ ...mention('look'), files })
  await until(() => on.turns.length === 1)
  expect(on.turns[0]?.message.attachments).toEqual([
    { url: 'https://files.example.com/cat.png', type: 'image/png', name: 'cat.png' },
  ])
})

test('a slow lookup of a name does not change the order of messages', async () => {
  await using on = await startOnSlack()
  await on.slack.say({ author: 'bob', channel: 'general', text: 'zero' })
  on.slack.fail('users.info', { lateMs: 400 })
  await Promise.all([
    on.slack.say({ author: 'carol', channel: 'general', text: 'one' }),
    on.slack.say({ author: 'bob', channel: 'general', text: 'two' }),
    on.slack.command('bob', 'general', '/kiki', 'three'),
  ])
  await until(() => on.texts().length === 1)
  expect(on.turns[0]?.history.map(({ author, text }) => `${author.name}: ${text}`)).toEqual([
    ...['bob: zero', 'carol: one', 'bob: two', 'bob: three'],
  ])
})

test('after a long outage all messages are read, threads too, and only mentions are answered', async () => {
  await using on = await startOnSlack()
  await on.slack.say(mention('before'))
  await until(() => on.texts().length === 1)
  on.slack.fail('apps.connections.open', { status: 500 })
  on.slack.cut()
  for (let index = 0; index < 250; index++) {
    await on.slack.say({ author: 'bob', channel: 'general', text: `chatter ${index}`, quietly: true })
  }
  const { ts } = await on.slack.say({ author: 'bob', channel: 'general', text: 'a topic', quietly: true })
  await on.slack.say({ ...mention('kiki?'), thread: ts, quietly: true })
  await until(() => on.texts().length === 2)
  expect(on.slack.posted[1]).toMatchObject({ text: 'to kiki?', thread: ts })
  await on.slack.say(mention('after'))
  await until(() => on.texts().length === 3)
  const { history = [] } = on.turns.at(-1) ?? {}
  expect(history.filter(({ missed }) => missed).at(-1)?.text).toBe('a topic')
  expect(on.turns).toHaveLength(3)
})

test('a missed thread is read completely, even if the channel has too many messages', async () => {
  await using on = await startOnSlack()
  await on.slack.say(mention('before'))
  await until(() => on.texts().length === 1)
  on.slack.fail('apps.connections.open', { status: 500 })
  on.slack.cut()
  const { ts: thread } = await on.slack.say({ author: 'bob', channel: 'general', text: 'a topic', quietly: true })
  for (let index = 0; index < 150; index++) {
    await on.slack.say({ author: 'bob', channel: 'general', text: `chatter ${index}`, quietly: true })
  }
  await on.slack.say({ ...mention('kiki?'), thread, quietly: true })
  await until(() => on.texts().length === 2)
  expect(on.slack.posted[1]).toMatchObject({ text: 'to kiki?', thread })
})

test('of a long thread, the latest messages are read', async () => {
  await using on = await startWithPlatform()
  const { ts: thread } = await on.slack.say({ author: 'bob', channel: 'general', text: 'a topic' })
  await on.slack.say({ ...mention('well?'), thread })
  await until(() => on.texts().length === 1)
  for (let index = 0; index < 250; index++) {
    await on.slack.say({ author: 'bob', channel: 'general', text: `reply ${index}`, thread, quietly: true })
  }
  const [turn] = on.turns
  const read = turn && (await on.platform.history(turn.conversation, { limit: 2 }, turn.signal))
  expect(read?.map(({ text }) => text)).toEqual(['reply 248', 'reply 249'])
})

test('it stops at once, without a thinking status left', async () => {
  const on = await startOnSlack()
  on.answer(({ signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))))
  await on.slack.say(mention('think'))
  await until(() => on.slack.status('general') !== '')
  on.answer(() => undefined)
  await on.slack.delete('general', on.turns[0]?.message.id ?? '')
  await until(() => on.slack.status('general') === '')
  await on.bot.stop()
  expect(on.slack.connected).toBe(false)
  await on.slack.close()
})
