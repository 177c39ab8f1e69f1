/** What people see at the top of a channel or a thread. */
import type { Conversation } from 'kikimimi'
import { expect, test } from 'vitest'
import { ask, type BotOnSlack, changed, mention, overSocket, startOnSlack, until } from '../test-bot.ts'

/** A bot, and what the platform has announced of conversations. */
async function announcing(): Promise<BotOnSlack & { readonly described: readonly Omit<Conversation, 'id'>[] }> {
  const described: Omit<Conversation, 'id'>[] = []
  const plugin: typeof overSocket = slack =>
    changed(overSocket(slack), ({ describe }) => ({
      async describe(conversation) {
        described.push(conversation)
        await describe(conversation)
      },
    }))
  return { ...(await startOnSlack({ plugin })), described }
}

const requests = ({ slack }: BotOnSlack) => slack.calls.filter(({ method }) => method === 'conversations.info').length

test('a channel has the name of the workspace and its topic, with one request for many messages', async () => {
  await using on = await startOnSlack()
  on.slack.user('bob')
  on.slack.channel('general').topic = 'ask <@UBOB> &amp; see <https://example.com|the rules>'
  for (const text of ['one', 'two', 'three']) await ask(on, text)
  expect(on.turns.at(-1)?.conversation).toMatchObject({
    name: 'general',
    details: { workspaceName: 'kikimimi', topic: 'ask @bob & see the rules (https://example.com)' },
  })
  expect(requests(on)).toBe(1)
})

test('without a topic, the purpose is shown', async () => {
  await using on = await startOnSlack()
  on.slack.channel('general').purpose = 'all the rest'
  await ask(on, 'one')
  expect(on.turns[0]?.conversation.details).toEqual({ workspaceName: 'kikimimi', topic: 'all the rest' })
})

test('a thread has the details of its channel, its root, and no name of its own', async () => {
  await using on = await startOnSlack()
  on.slack.channel('general').topic = 'trains'
  const { ts: thread } = await on.slack.say({ author: 'bob', channel: 'general', text: 'a question' })
  await on.slack.say({ ...mention('can you help?'), thread })
  await until(() => on.turns.length === 1)
  expect(on.turns[0]?.conversation).toMatchObject({ name: 'general', thread })
  expect(on.turns[0]?.conversation.details).toEqual({ workspaceName: 'kikimimi', topic: 'trains', root: thread })
})

test('a direct conversation has the name of the workspace', async () => {
  await using on = await startOnSlack()
  await on.slack.say({ author: 'alice', channel: '@alice', text: 'psst' })
  await until(() => on.turns.length === 1)
  expect(on.turns[0]?.conversation.details).toEqual({ workspaceName: 'kikimimi' })
})

test('a new topic or purpose is announced without a request; without a topic, the purpose is shown', async () => {
  await using on = await announcing()
  await ask(on, 'one')
  const before = requests(on)
  await on.slack.setPurpose('alice', 'general', 'all about trains')
  await on.slack.setTopic('alice', 'general', 'the late ones')
  await on.slack.setTopic('alice', 'general', '')
  expect(on.described.map(({ details }) => details?.topic)).toEqual(['all about trains', 'the late ones', 'all about trains'])
  expect(requests(on)).toBe(before)
  await ask(on, 'two')
  expect(on.turns.at(-1)?.conversation.details?.topic).toBe('all about trains')
})

test('a new name is announced', async () => {
  await using on = await announcing()
  await ask(on, 'one')
  await on.slack.rename('general', 'lobby')
  expect(on.described).toMatchObject([{ channel: 'CGENERAL', name: 'lobby', visibility: 'public' }])
})

test('a channel that became private is announced as private', async () => {
  await using on = await announcing()
  await ask(on, 'one')
  await on.slack.makePrivate('general')
  expect(on.described).toMatchObject([{ name: 'general', visibility: 'private' }])
})
