/** Answers during faults of Slack or the network, as people see them. */
import type { SlackFault } from '@kikimimi/slack/testing'
import { describe, expect, test } from 'vitest'
import { ask, impatient, mention, overSocket, startOnSlack, until } from './test-bot.ts'

describe.concurrent('sending', () => {
  test.each<[string, SlackFault]>([
    ['Slack says 500', { status: 500 }],
    ['Slack says 500 and posts it all the same', { status: 500, done: true }],
    ['Slack says nothing', { hang: true }],
    ['Slack says nothing and posts it all the same', { hang: true, done: true }],
    ['the line is cut', { reset: true }],
    ['the line is cut after it was posted', { reset: true, done: true }],
    ['Slack asks to wait', { rateLimit: true, retryAfter: 1 }],
    ['Slack has an error inside', { error: 'internal_error' }],
    ['Slack limits it in other words', { error: 'rate_limited' }],
    ['Slack limits the workspace', { error: 'accesslimited' }],
  ])('when %s, people see the answer once', async (_name, fault) => {
    await using on = await startOnSlack({ plugin: 'hang' in fault ? impatient : overSocket })
    on.slack.fail('chat.postMessage', fault)
    await ask(on, 'hi')
    await on.bot.drained()
    expect(on.texts()).toEqual(['to hi'])
  })

  test.each([
    ['in a long thread', 3_600],
    ['in a thread where more is said than Slack tells at once', 0],
  ])('%s, too, an answer whose post had no response is seen once', async (_name, secondsAgo) => {
    await using on = await startOnSlack()
    const { ts: thread } = await on.slack.say({ author: 'bob', channel: 'general', text: 'a topic', quietly: true })
    for (let index = 0; index < 205; index++) {
      const ts = `${Number(thread.split('.')[0]) - secondsAgo}.${String(index).padStart(6, '0')}`
      await on.slack.say({ author: 'bob', channel: 'general', text: `chatter ${index}`, thread, ts, quietly: true })
    }
    on.slack.fail('chat.postMessage', { reset: true, done: true })
    await on.slack.say({ ...mention('hi'), thread })
    await until(() => on.slack.calls.some(({ method }) => method === 'conversations.replies'))
    await on.bot.drained()
    expect(on.texts()).toEqual(['to hi'])
  })

  test('without metadata, an answer whose post had no response is found by its text, and is not confused with an earlier one', async () => {
    await using on = await startOnSlack({ slack: { keepsMetadata: false } })
    on.answer(() => ({ kind: 'text', text: 'yes' }))
    await on.slack.say(mention('one'))
    await until(() => on.texts().length === 1)
    await on.bot.drained()
    on.slack.fail('chat.postMessage', { reset: true, done: true })
    await on.slack.say(mention('two'))
    await until(() => on.texts().length === 2)
    await on.bot.drained()
    on.slack.fail('chat.postMessage', { reset: true })
    await on.slack.say(mention('three'))
    await until(() => on.texts().length === 3)
    await on.bot.drained()
    expect(on.texts()).toEqual(['yes', 'yes', 'yes'])
  })

  test('a channel that refuses messages is reported with the remedy, and is not tried again', async () => {
    await using on = await startOnSlack()
    on.slack.fail('chat.postMessage', { error: 'not_in_channel' })
    await on.slack.say(mention('hi'))
    await until(() => on.log.some(line => line.includes('not_in_channel. Invite the bot to the channel')))
    await on.bot.drained()
    expect(on.slack.calls.filter(({ method }) => method === 'chat.postMessage')).toHaveLength(1)
  })

  test('a rate limit in one channel delays no other', async () => {
    await using on = await startOnSlack()
    on.slack.fail('chat.postMessage', { rateLimit: true, retryAfter: 1 })
    await on.slack.say(mention('slowly'))
    await until(() => on.slack.calls.some(({ method }) => method === 'chat.postMessage'))
    await on.slack.say({ ...mention('quickly'), channel: 'random' })
    await until(() => on.texts().length === 2)
    expect(on.slack.posted.map(({ channel, text }) => [channel, text])).toEqual([
      ['random', 'to quickly'],
      ['general', 'to slowly'],
    ])
  })

  test.each<[string, SlackFault]>([
    ['asks to wait for longer than a call may take', { rateLimit: true, retryAfter: 6 }],
    ['limits it in other words, again and again', { error: 'rate_limited' }],
  ])('when Slack %s, the answer waits and is seen once', async (_name, fault) => {
    await using on = await startOnSlack()
    on.slack.fail('chat.postMessage', fault, 'error' in fault ? 4 : 1)
    await on.slack.say(mention('hi'))
    await until(() => on.log.some(line => line.startsWith('info waits to send: Slack refused chat.postMessage: rate limited.')))
    await until(() => on.texts().length === 1)
    await on.bot.drained()
    expect(on.texts()).toEqual(['to hi'])
  })

  test('an answer that may have been posted is looked up, and shown once', async () => {
    await using on = await startOnSlack()
    on.slack.fail('chat.postMessage', { reset: true, done: true })
    on.slack.fail('conversations.history', { status: 500 }, 2)
    await on.slack.say(mention('hi'))
    await until(() => on.log.some(line => line.startsWith('info waits to send')))
    await until(() => on.log.some(line => line.includes('continues an answer')))
    await on.bot.drained()
    expect(on.texts()).toEqual(['to hi'])
    expect(on.slack.calls.filter(({ method }) => method === 'chat.postMessage')).toHaveLength(1)
  })

  test('a message that keeps failing is given up, with a log line and no message in the channel', async () => {
    await using on = await startOnSlack({ config: { sendWithin: '1s' } })
    on.slack.fail('chat.postMessage', { status: 500 }, 100)
    await on.slack.say(mention('hi'))
    await until(() => on.log.some(line => line.startsWith('warn could not send: Slack refused chat.postMessage: HTTP 500.')))
    await on.bot.drained()
    expect(on.texts()).toEqual([])
    expect(on.slack.calls.filter(({ method }) => method === 'chat.postMessage')).toHaveLength(4)
  })

  test('the thinking status ends even if Slack fails', async () => {
    await using on = await startOnSlack()
    const { promise, resolve } = Promise.withResolvers<void>()
    on.answer(async () => {
      await promise
      return undefined
    })
    await on.slack.say(mention('think'))
    await until(() => on.slack.status('general') === 'is thinking…')
    on.slack.fail('assistant.threads.setStatus', { status: 500 }, 2)
    resolve()
    await until(() => on.slack.status('general') === '')
  })

  test('a channel without the thinking status does not affect others', async () => {
    await using on = await startOnSlack()
    on.slack.fail('assistant.threads.setStatus', { error: 'method_not_supported_for_channel_type' }, 2)
    await ask(on, 'one')
    await on.bot.drained()
    await ask(on, 'two')
    await on.slack.say({ ...mention('three'), channel: 'random' })
    await until(() => on.texts().length === 3)
    await on.bot.drained()
    const told = on.slack.calls.filter(({ method, args }) => method === 'assistant.threads.setStatus' && args.status !== '')
    expect(told.map(({ args }) => args.channel_id)).toEqual(['CGENERAL', 'CRANDOM'])
  })

  test.each(['missing_scope', 'not_allowed_token_type'])(
    'where nobody can see it think (%s), it says so once and answers',
    async error => {
      await using on = await startOnSlack()
      on.slack.fail('assistant.threads.setStatus', { error }, 5)
      await ask(on, 'one')
      await ask(on, 'two')
      expect(on.log.filter(line => line.includes('the thinking status is not available'))).toHaveLength(1)
    },
  )
})
