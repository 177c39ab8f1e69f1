/** One message for each event, in any number and form of deliveries. */
import { describe, expect, test } from 'vitest'
import { ask, changed, mention, overSocket, startOnSlack, until } from './test-bot.ts'

describe.concurrent('an event', () => {
  test('that is delivered again in a new envelope is one message', async () => {
    await using on = await startOnSlack()
    await ask(on, 'once')
    await on.slack.redeliver(2)
    await on.bot.drained()
    expect(on.texts()).toEqual(['to once'])
    expect(on.turns).toHaveLength(1)
  })

  test('that could not be stored is not acknowledged, and is delivered again', async () => {
    let failures = 1
    await using on = await startOnSlack({
      plugin: slack =>
        changed(overSocket(slack), ({ receive }) => ({
          receive: message => (failures-- > 0 ? Promise.reject(new Error('the database is busy')) : receive(message)),
        })),
    })
    const said = on.slack.say({ ...mention('hi'), author: 'bob' })
    await until(() => on.texts().length === 1)
    expect(on.log.join('\n')).toMatch(/warn an event was not received .*the database is busy/)
    on.slack.cut()
    await said
    expect(on.texts()).toEqual(['to hi'])
  })

  test('of a mention, which Slack delivers twice, is one message', async () => {
    await using on = await startOnSlack()
    await ask(on, 'hi')
    await on.bot.drained()
    expect(on.turns.map(({ messages, addressed }) => [messages.length, addressed])).toEqual([[1, 'mention']])
    expect(on.texts()).toEqual(['to hi'])
  })

  test('of the bot’s own messages is recorded once, without a turn', async () => {
    await using on = await startOnSlack()
    await ask(on, 'one')
    await ask(on, 'two')
    await on.bot.drained()
    expect(on.turns).toHaveLength(2)
    expect(on.turns[1]?.history.map(({ text, own }) => [text, own])).toEqual([
      ['@kiki one', false],
      ['to one', true],
      ['@kiki two', false],
    ])
  })

  test('of another app is recognised and ignored', async () => {
    await using on = await startOnSlack()
    await on.slack.say({ ...mention('beep'), author: 'deploybot', bot: true })
    await ask(on, 'hi')
    expect(on.turns[0]?.history.map(({ author }) => author.name)).toEqual(['alice'])
  })
})

describe.concurrent('names', () => {
  test('an unknown person is named by id, and looked up once', async () => {
    await using on = await startOnSlack()
    on.slack.fail('users.info', { status: 500 }, 2)
    await ask(on, 'one')
    await ask(on, 'two')
    expect(on.turns[0]?.message.author.name).toBe('UALICE')
    expect(on.slack.calls.filter(({ method }) => method === 'users.info')).toHaveLength(2)
    expect(on.slack.calls.filter(({ method }) => method === 'conversations.info')).toHaveLength(1)
  })

  test('a rate limit of half a minute delays no answer', async () => {
    await using on = await startOnSlack()
    on.slack.fail('users.info', { rateLimit: true, retryAfter: 30 }, 100)
    await ask(on, 'who am I?')
    expect(on.turns[0]?.message.author).toEqual({ id: 'UALICE', name: 'UALICE' })
  })

  test('reading in the background under a rate limit delays no answer', async () => {
    await using on = await startOnSlack()
    await ask(on, 'one')
    const reads = () => on.slack.calls.filter(({ method }) => method === 'conversations.history').length
    const before = reads()
    on.slack.fail('conversations.history', { rateLimit: true, retryAfter: 30 }, 100)
    on.slack.cut()
    await until(() => reads() > before)
    await ask(on, 'two')
  })
})
