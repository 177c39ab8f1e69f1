/** Threads are conversations of their own, also those under answers of the bot. */
import { expect, test } from 'vitest'
import { ask, mention, startOnSlack, until } from '../test-bot.ts'

test('a question in a thread is answered there, in a conversation of its own', async () => {
  await using on = await startOnSlack()
  const { ts } = await on.slack.say({ author: 'bob', channel: 'general', text: 'a topic' })
  await on.slack.say({ ...mention('what do you think?'), thread: ts })
  await until(() => on.texts().length === 1)
  expect(on.slack.posted).toMatchObject([{ channel: 'general', thread: ts }])
  expect(on.turns[0]?.conversation).toMatchObject({ platform: 'slack', workspace: 'TKIKIMIMI', thread: ts, name: 'general' })
})

test('a message in the thread of the bot’s message addresses it', async () => {
  await using on = await startOnSlack()
  await ask(on, 'hello')
  await on.slack.say({ author: 'bob', channel: 'general', text: 'really?', thread: on.slack.posted[0]?.ts ?? '' })
  await until(() => on.texts().length === 2)
  expect(on.turns[1]?.addressed).toBe('reply')
  await on.bot.drained()
  await on.slack.say({ author: 'bob', channel: 'general', text: 'and why?', thread: on.slack.posted[0]?.ts ?? '' })
  await until(() => on.texts().length === 3)
  expect(on.turns[2]?.addressed).toBe('reply')
})

test('an answer that quotes opens a thread, and messages there need no mention', async () => {
  await using on = await startOnSlack()
  on.answer(turn => ({ kind: 'text', text: 'at ten', replyTo: turn.message.id }))
  const { ts: thread } = await on.slack.say(mention('when does the train leave?'))
  await until(() => on.texts().length === 1)
  expect(on.slack.posted).toMatchObject([{ channel: 'general', thread, text: 'at ten' }])
  await on.bot.drained()

  on.answer(() => ({ kind: 'text', text: 'from platform two' }))
  await on.slack.say({ author: 'alice', channel: 'general', text: 'from where?', thread })
  await until(() => on.texts().length === 2)
  expect(on.turns[1]).toMatchObject({ addressed: 'reply', conversation: { thread }, lastReplyAt: expect.any(Date) })
  expect(on.turns[1]?.history.map(({ text, own }) => [text, own])).toEqual([
    ['at ten', true],
    ['from where?', false],
  ])
  expect(on.slack.posted[1]).toMatchObject({ thread, text: 'from platform two' })
})

test('all parts of a long answer are in the thread of the first one', async () => {
  await using on = await startOnSlack()
  on.answer(turn => ({ kind: 'text', text: 'word '.repeat(1_000), replyTo: turn.message.id }))
  const { ts: thread } = await on.slack.say(mention('tell me all'))
  await until(() => on.texts().length === 2)
  expect(on.slack.posted).toMatchObject([{ thread }, { thread }])
})

test('another person in that thread needs a mention', async () => {
  await using on = await startOnSlack({ config: { pacing: { minWait: 0, jitter: 0 } } })
  on.answer(turn => ({ kind: 'text', text: 'at ten', replyTo: turn.message.id }))
  const { ts: thread } = await on.slack.say(mention('when does the train leave?'))
  await until(() => on.texts().length === 1)
  await on.slack.say({ author: 'bob', channel: 'general', text: 'I shall take the bus', thread })
  await on.slack.say({ author: 'alice', channel: 'general', text: 'do not be late', thread })
  await on.bot.drained()
  expect(on.texts()).toHaveLength(1)
  await on.slack.say({ ...mention('and the next one?'), thread })
  await until(() => on.texts().length === 2)
  expect(on.turns.at(-1)?.history.map(({ text }) => text)).toEqual([
    ...['at ten', 'I shall take the bus', 'do not be late', '@kiki and the next one?'],
  ])
})

test('people who talk to each other under the bot’s message need a mention', async () => {
  await using on = await startOnSlack({ config: { pacing: { minWait: 0, jitter: 0 } } })
  await ask(on, 'where to?')
  const { ts: thread = '' } = on.slack.posted[0] ?? {}
  await on.slack.say({ author: 'bob', channel: 'general', text: 'carol, lunch?', thread })
  await until(() => on.texts().length === 2)
  for (const author of ['carol', 'bob', 'carol']) {
    await on.slack.say({ author, channel: 'general', text: 'at noon', thread })
    await on.bot.drained()
  }
  await on.slack.say({ author: 'bob', channel: 'general', text: 'all, we are off', thread, broadcast: true })
  await on.bot.drained()
  expect(on.texts()).toEqual(['to where to?', 'to carol, lunch?'])
  await on.slack.say({ ...mention('will you come?'), thread })
  await until(() => on.texts().length === 3)
})

test('a message of a thread that is also shown in the channel is one message, of the thread', async () => {
  await using on = await startOnSlack({ config: { pacing: { minWait: 0, jitter: 0 } } })
  const { ts: thread } = await on.slack.say({ author: 'bob', channel: 'general', text: 'a topic' })
  await on.slack.say({ ...mention('look here, all'), thread, broadcast: true })
  await until(() => on.texts().length === 1)
  expect(on.turns[0]?.conversation.thread).toBe(thread)
  await on.bot.drained()
  expect(on.turns).toHaveLength(1)
})
