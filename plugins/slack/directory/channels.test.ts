/** The channels of the bot, including those without messages. */

import type { SlackEmulator } from '@kikimimi/slack/testing'
import type { Plugin } from 'kikimimi'
import type { Platform, PlatformHooks } from 'kikimimi/platform'
import { expect, test } from 'vitest'
import { ask, type BotOnSlack, type BotOptions, mention, overSocket, startOnSlack, until } from '../test-bot.ts'

/** Cuts the socket, and opens it again after `meanwhile`. */
async function absent({ slack, log }: BotOnSlack, meanwhile: () => Promise<unknown>): Promise<void> {
  slack.fail('apps.connections.open', { status: 500 })
  const reads = () => log.filter(line => line.includes('connected to Slack again')).length
  const before = reads()
  slack.cut()
  await meanwhile()
  await until(() => reads() > before)
}

test('after an outage a channel without earlier messages is read too, and mentions are answered once', async () => {
  await using on = await startOnSlack()
  await ask(on, 'before')
  await absent(on, async () => {
    await on.slack.say({ author: 'bob', channel: 'attic', text: 'is it dark up here?', quietly: true })
    await on.slack.say({ ...mention('kiki?'), channel: 'attic', quietly: true })
  })
  await until(() => on.texts().length === 2)
  expect(on.slack.posted[1]).toMatchObject({ channel: 'attic', text: 'to kiki?' })
  await absent(on, async () => {})
  await ask(on, 'after')
  await on.bot.drained()
  expect(on.texts()).toEqual(['to before', 'to kiki?', 'to after'])
  const { history = [] } = on.turns[1] ?? {}
  expect(history.map(({ text }) => text)).toEqual(['is it dark up here?', '@kiki kiki?'])
})

test('a thread in such a channel is read too', async () => {
  await using on = await startOnSlack()
  await ask(on, 'before')
  await absent(on, async () => {
    const { ts: thread } = await on.slack.say({ author: 'bob', channel: 'attic', text: 'a topic', quietly: true })
    await on.slack.say({ ...mention('kiki?'), channel: 'attic', thread, quietly: true })
  })
  await until(() => on.texts().length === 2)
  expect(on.slack.posted[1]).toMatchObject({ channel: 'attic', thread: expect.any(String) })
})

test('a channel to which the bot was invited meanwhile is included', async () => {
  await using on = await startOnSlack()
  on.slack.channel('attic').isMember = false
  await ask(on, 'before')
  await absent(on, async () => {})
  await until(() => on.slack.calls.some(({ method }) => method === 'users.conversations'))
  await absent(on, async () => {
    on.slack.channel('attic').isMember = true
    await on.slack.say({ ...mention('welcome'), channel: 'attic', quietly: true })
  })
  await until(() => on.texts().includes('to welcome'))
})

test('a token for public channels only requests no others', async () => {
  const scopes = ['app_mentions:read', 'channels:history', 'channels:read', 'chat:write', 'users:read']
  await using on = await startOnSlack({ slack: { scopes } })
  await ask(on, 'before')
  await absent(on, () => on.slack.say({ ...mention('kiki?'), channel: 'attic', quietly: true }))
  await until(() => on.texts().length === 2)
  expect(on.log.join('\n')).not.toContain('missing_scope')
})

/** With the bot's own view of its channels, by name. */
async function listing(options: BotOptions = {}) {
  let platform: Platform | undefined
  const plugin = (slack: SlackEmulator): Plugin => {
    const { definition, ...rest } = overSocket(slack)
    const setup: typeof definition.setup = async (ctx, given) => {
      const parts: PlatformHooks | void = await definition.setup(ctx, given)
      platform = parts?.platform
      return parts
    }
    return { ...rest, definition: { ...definition, setup } }
  }
  const on = await startOnSlack({ ...options, plugin })
  const list = async () => (await platform?.channels?.(AbortSignal.timeout(10_000))) ?? []
  return {
    ...on,
    list,
    shown: async () => (await list()).map(({ name, visibility }) => `${name} ${visibility}`),
    asked: (method: string) => on.slack.calls.filter(call => call.method === method).length,
  }
}

const rooms = (slack: SlackEmulator) => {
  slack.channel('general')
  slack.channel('staff', 'private')
  slack.channel('@alice')
  slack.channel('lounge').isMember = false
}

test('the list has names, private channels and direct messages, and is requested once', async () => {
  await using on = await listing({ before: rooms })
  expect(await on.shown()).toEqual(['general public', 'staff private', 'UALICE direct'])
  await Promise.all([on.list(), on.list()])
  expect(on.asked('users.conversations')).toBe(1)
})

test.each<[string, (slack: SlackEmulator) => Promise<void>, readonly string[]]>([
  ['renamed', slack => slack.rename('general', 'lobby'), ['lobby public', 'staff private']],
  ['renamed (a private one)', slack => slack.rename('staff', 'team'), ['general public', 'team private']],
  ['joined by the bot', slack => slack.join('lounge'), ['general public', 'staff private', 'lounge public']],
  ['left by the bot', slack => slack.leave('general'), ['staff private']],
  ['closed to the bot', slack => slack.leave('staff'), ['general public']],
  ['archived', slack => slack.archive('general'), ['staff private']],
  ['archived (a private one)', slack => slack.archive('staff'), ['general public']],
  ['deleted', slack => slack.deleteChannel('general'), ['staff private']],
  ['deleted (a private one)', slack => slack.deleteChannel('staff'), ['general public']],
  ['made private', slack => slack.makePrivate('general'), ['general private', 'staff private']],
])('the list is updated when a channel is %s', async (_name, change, expected) => {
  await using on = await listing({ before: rooms })
  await on.list()
  await change(on.slack)
  expect((await on.shown()).filter(name => !name.includes('direct'))).toEqual(expected)
})

test('the list is updated when a channel is unarchived', async () => {
  await using on = await listing({ before: rooms })
  for (const name of ['general', 'staff']) await on.slack.archive(name)
  expect(await on.shown()).toEqual(['UALICE direct'])
  for (const name of ['general', 'staff']) await on.slack.unarchive(name)
  expect(await on.shown()).toEqual(['general public', 'staff private', 'UALICE direct'])
})

test('many channels are read page by page, without single requests', async () => {
  await using on = await listing({
    before(slack) {
      for (let index = 0; index < 450; index++) slack.channel(`room-${index}`)
    },
  })
  expect(await on.list()).toHaveLength(450)
  expect(on.asked('users.conversations')).toBe(3)
  await on.slack.say({ ...mention('hello'), channel: 'room-7' })
  await until(() => on.texts().length === 1)
  expect(on.turns[0]?.conversation.name).toBe('room-7')
  expect(on.asked('conversations.info')).toBe(0)
})

test('a rate limit delays the list, and an error repeats the request', async () => {
  await using on = await listing({ before: rooms })
  on.slack.fail('users.conversations', { error: 'fatal_error' }, 4)
  await expect(on.list()).rejects.toThrow('Slack refused users.conversations: fatal_error.')
  on.slack.fail('users.conversations', { rateLimit: true, retryAfter: 1 })
  expect(await on.list()).toHaveLength(3)
})

test('a channel that becomes private is private at once', async () => {
  await using on = await startOnSlack()
  await ask(on, 'one')
  await on.slack.makePrivate('general')
  await ask(on, 'two')
  expect(on.turns.map(({ conversation }) => conversation.visibility)).toEqual(['public', 'private'])
})

test('a channel that became private during an outage is private with the next message', async () => {
  await using on = await startOnSlack()
  await ask(on, 'one')
  on.slack.channel('general').kind = 'private'
  on.slack.fail('conversations.info', { status: 500 }, 10)
  await ask(on, 'two')
  expect(on.turns.map(({ conversation }) => conversation.visibility)).toEqual(['public', 'private'])
})
