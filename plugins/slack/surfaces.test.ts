/** Places in Slack besides channels: the assistant container, the Home of the app, buttons, other workspaces. */
import { describe, expect, test } from 'vitest'
import { ask, changed, mention, overHttp, overSocket, startOnSlack, startWithHttp, until } from './test-bot.ts'

/** A bot that gets its events in one of the two ways. */
async function start(over: 'socket' | 'HTTP') {
  if (over === 'socket') return startOnSlack({ plugin: overSocket })
  const on = await startWithHttp({ plugin: overHttp })
  on.slack.deliverTo(`${on.address}/slack/events`)
  return on
}

const complaints = (log: readonly string[]) => log.filter(line => /^(?:warn|error)/.test(line))

describe.concurrent.each(['socket', 'HTTP'] as const)('by %s', over => {
  test('a question in the assistant container is answered in its thread, and shows that the bot thinks', async () => {
    await using on = await start(over)
    const { promise: thought, resolve } = Promise.withResolvers<void>()
    on.answer(async () => {
      await thought
      return { kind: 'text', text: 'at ten' }
    })
    const { ts: thread } = await on.slack.openAssistant('alice')
    await on.slack.assistantContext('alice', thread, 'general')
    await on.slack.say({ author: 'alice', channel: '@alice', text: 'when does the train leave?', thread })
    await until(() => on.slack.status('@alice') === 'is thinking…')
    resolve()
    await until(() => on.texts().length === 1)
    expect(on.slack.posted).toMatchObject([{ channel: '@alice', thread, text: 'at ten' }])
    await until(() => on.slack.status('@alice') === '')
    await on.bot.drained()
    expect(on.turns).toHaveLength(1)
    expect(on.turns[0]).toMatchObject({ addressed: 'direct', conversation: { details: { root: thread } } })
    expect(complaints(on.log)).toEqual([])
  })

  test('a Home that is opened is no message and no error', async () => {
    await using on = await start(over)
    await on.slack.openHome('alice')
    await on.slack.openHome('alice', 'messages')
    await ask(on, 'hi')
    await on.bot.drained()
    expect(on.turns).toHaveLength(1)
    expect(complaints(on.log)).toEqual([])
  })

  test('a button that is pressed shows no error', async () => {
    await using on = await start(over)
    const { ts } = await on.slack.say({ author: 'deploybot', channel: 'general', text: 'Try again?', bot: true })
    expect(await on.slack.press('alice', 'general', ts, 'again')).toBe(true)
    expect(complaints(on.log)).toEqual([])
    expect(on.turns).toEqual([])
  })

  test('events of another workspace with the same app are ignored, and the operator reads why', async () => {
    await using on = await start(over)
    on.slack.channel('general')
    const event = { type: 'message' as const, subtype: undefined, channel: 'CGENERAL', channel_type: 'channel' as const }
    const said = (ts: string) => ({ ...event, ts, event_ts: ts, user: 'UMALLORY', text: '<@UKIKI> hi' })
    await on.slack.event(said('1767600000.000100'), { team: 'TOTHER' })
    await on.slack.event(said('1767600000.000200'), { team: 'TOTHER' })
    await ask(on, 'hi')
    expect(on.turns.map(({ message }) => message.author.name)).toEqual(['alice'])
    expect(complaints(on.log)).toEqual([
      expect.stringContaining('events of the workspace TOTHER are ignored: the bot has no token of it'),
    ])
  })

  test('a person of another organization is heard in a shared channel', async () => {
    await using on = await start(over)
    on.slack.channel('general')
    const event = { type: 'message' as const, subtype: undefined, channel: 'CGENERAL', channel_type: 'channel' as const }
    const said = { ...event, ts: '1767600000.000100', event_ts: '1767600000.000100', user: 'UPARTNER', text: '<@UKIKI> hello' }
    await on.slack.event(said, { team: 'TOTHER', installedIn: 'TKIKIMIMI' })
    await until(() => on.texts().includes('to hello'))
    expect(on.turns[0]?.conversation.workspace).toBe('TKIKIMIMI')
  })
})

describe.concurrent('limits of Slack', () => {
  test('an answer in many parts arrives complete and in order, although Slack takes one post a second', async () => {
    await using on = await startOnSlack({ slack: { burst: 1 } })
    const parts = ['one', 'two', 'three'].map(word => `${word} `.repeat(800).trim())
    on.answer(() => ({ kind: 'text', text: parts.join('\n\n') }))
    await on.slack.say(mention('tell me all'))
    await on.bot.drained()
    expect(on.texts().join('\n\n').split(/\s+/)).toEqual(parts.join(' ').split(' '))
    expect(on.slack.calls.filter(({ method }) => method === 'chat.postMessage').length).toBeGreaterThan(on.texts().length)
    expect(complaints(on.log)).toEqual([])
  })

  test('an answer that escaping makes much longer is not too long', async () => {
    await using on = await startOnSlack()
    on.answer(() => ({ kind: 'text', text: '&'.repeat(9_000) }))
    await on.slack.say(mention('tell me all'))
    await on.bot.drained()
    expect(on.texts().join('').replaceAll('&amp;', '&')).toBe('&'.repeat(9_000))
  })

  test('a message that Slack finds too long is reported', async () => {
    await using on = await startOnSlack()
    on.slack.fail('chat.postMessage', { error: 'msg_too_long' })
    await on.slack.say(mention('tell me all'))
    await until(() => on.log.some(line => line.includes('Slack refused chat.postMessage: msg_too_long. The message is longer')))
  })

  test('missed messages are read to the end, although Slack gives a distributed app few at a time', async () => {
    await using on = await startOnSlack({ slack: { historyEvery: 1 } })
    await ask(on, 'before')
    on.slack.fail('apps.connections.open', { status: 500 })
    on.slack.cut()
    for (let index = 0; index < 40; index++) {
      await on.slack.say({ author: 'bob', channel: 'general', text: `chatter ${index}`, quietly: true })
    }
    await on.slack.say({ ...mention('kiki?'), quietly: true })
    await until(() => on.texts().includes('to kiki?'))
    const texts = on.turns.at(-1)?.history.map(({ text }) => text) ?? []
    expect(texts.filter(text => text.startsWith('chatter'))).toHaveLength(40)
    expect(on.slack.calls.filter(({ method }) => method === 'conversations.history').length).toBeGreaterThan(3)
  })
})

describe.concurrent('an event that the bot could not store', () => {
  /** A plugin that cannot store the first messages. */
  function failing(plugin: typeof overSocket, failures: number): typeof overSocket {
    let left = failures
    return slack =>
      changed(plugin(slack), ({ receive }) => ({
        receive: message => (left-- > 0 ? Promise.reject(new Error('the database is busy')) : receive(message)),
      }))
  }

  test('is delivered again at once, and later, and is answered once', async () => {
    await using on = await startWithHttp({ slack: { retries: [0, 20, 50] }, plugin: failing(overHttp, 3) })
    on.slack.deliverTo(`${on.address}/slack/events`)
    await on.slack.say({ author: 'alice', channel: '@alice', text: 'hello' })
    await until(() => on.texts().length === 1)
    await on.bot.drained()
    expect(on.texts()).toEqual(['to hello'])
    expect(on.log.filter(line => line.includes('the database is busy'))).toHaveLength(3)
  })

  test('comes again over the socket, when Slack has waited for its acknowledgement', async () => {
    await using on = await startOnSlack({ plugin: failing(overSocket, 1) })
    await on.slack.say({ author: 'alice', channel: '@alice', text: 'hello' })
    await until(() => on.texts().length === 1)
  })

  test('is lost after the last attempt', async () => {
    await using on = await startWithHttp({ slack: { retries: [0, 20, 50] }, plugin: failing(overHttp, 4) })
    on.slack.deliverTo(`${on.address}/slack/events`)
    await on.slack.say({ author: 'alice', channel: '@alice', text: 'hello' })
    await until(() => on.log.filter(line => line.includes('the database is busy')).length === 4)
    await on.slack.say({ author: 'alice', channel: '@alice', text: 'anybody?' })
    await until(() => on.texts().length === 1)
    expect(on.texts()).toEqual(['to anybody?'])
  })
})
