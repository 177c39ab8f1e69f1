/** What people and operators see when Slack, or the way to it, fails. */
import { createServer } from 'node:net'
import type { Plugin } from 'kikimimi'
import { type Slack, type SlackFault, startSlack } from 'kikimimi/testing/slack'
import { describe, expect, test } from 'vitest'
import { type BotOnSlack, overSocket, startOnSlack, until } from './bot-on-slack.ts'
import slackPlugin from './index.ts'

const hello = (text: string) => ({ author: 'alice', channel: 'general', text, mention: true })

/** Asks, and waits for the answer. */
async function ask({ slack, texts }: BotOnSlack, text: string): Promise<void> {
  await slack.say(hello(text))
  await until(() => texts().includes(`to ${text}`))
}

describe.concurrent('at the start', () => {
  const refused = async (before: (slack: Slack) => void, options?: Parameters<typeof startOnSlack>[0]) => {
    const error: Error = await startOnSlack({ before, ...options }).then(
      () => Promise.reject(new Error('it started')),
      error => error,
    )
    expect(error).toMatchObject({ code: 'PLATFORM_START_FAILED' })
    expect(`${error.message} ${error.stack} ${error.cause}`).not.toMatch(/xoxb-1|xapp-1/)
    return error.message
  }

  test('a wrong bot token ends it with a sentence that says where the right one is', async () => {
    expect(await refused(slack => slack.revoke('bot'))).toMatch(
      /^\[slack\] Slack refuses the bot token \(invalid_auth\)\. Copy the Bot User OAuth Token \(xoxb-…\) from .* OAuth & Permissions, and set SLACK_BOT_TOKEN/,
    )
  })

  test('a wrong app token ends it with a sentence that says how to make one', async () => {
    expect(await refused(slack => slack.revoke('app'))).toMatch(
      /^\[slack\] Slack refuses the app token \(invalid_auth\)\. .*connections:write.*App-Level Tokens.*SLACK_APP_TOKEN/,
    )
  })

  test('a missing scope is named', async () => {
    const scopes = ['app_mentions:read', 'channels:read', 'chat:write', 'users:read']
    expect(await refused(() => {}, { slack: { scopes } })).toMatch(
      /^\[slack\] The bot token lacks the scope channels:history\. Add them at .*install the app to the workspace again\.$/,
    )
  })

  test('a Slack that cannot be reached is said to be so', async () => {
    const gone = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
    await gone.close()
    const plugin = () => overSocket(gone)
    expect(await refused(() => {}, { plugin })).toMatch(
      /^\[slack\] Cannot reach Slack at http:\/\/127\.0\.0\.1:\d+ \(no answer\)\./,
    )
  })

  test('a Slack that fails twice is tried a third time', async () => {
    await using on = await startOnSlack({
      before(slack) {
        slack.fail('auth.test', { status: 503 }, 2)
        slack.fail('apps.connections.open', { hang: true })
      },
    })
    await ask(on, 'there you are')
  })

  test('tokens that are none are refused before anything starts', async () => {
    const plugin = () => slackPlugin({ botToken: 'secret-of-another-kind', appToken: 'xapp-1' })
    const error: Error = await startOnSlack({ plugin }).catch(error => error)
    expect(error.message).toContain('begins with xoxb-')
    expect(error.message).not.toContain('secret-of')
  })
})

describe.concurrent('while it runs', () => {
  test('an app token that Slack refuses when it connects again ends it', async () => {
    await using on = await startOnSlack()
    on.slack.revoke('app')
    on.slack.refresh()
    await expect(on.bot.failed).rejects.toThrow(/^\[slack\] Slack refuses the app token \(invalid_auth\)/)
    expect(on.log.filter(line => line.startsWith('error'))).toHaveLength(1)
  })

  test('a bot token that is taken back ends it', async () => {
    await using on = await startOnSlack()
    on.slack.revoke('bot')
    await on.slack.say(hello('are you there?'))
    await expect(on.bot.failed).rejects.toThrow(/^\[slack\] Slack refuses the bot token \(invalid_auth\)/)
  })

  test.each(['refresh_requested', 'warning'] as const)(
    'asked to connect anew (%s), it hears what was said meanwhile',
    async why => {
      await using on = await startOnSlack()
      await ask(on, 'one')
      on.slack.refresh(why)
      await on.slack.say({ ...hello('two'), quietly: true })
      await until(() => on.texts().length === 2)
      await ask(on, 'three')
      expect(on.texts()).toEqual(['to one', 'to two', 'to three'])
    },
  )

  test('cut off again and again, it loses nothing and says nothing twice', async () => {
    await using on = await startOnSlack()
    await ask(on, 'before')
    for (const text of ['one', 'two', 'three']) {
      on.slack.cut()
      await on.slack.say({ ...hello(text), quietly: true })
      await until(() => on.texts().includes(`to ${text}`))
      // Slack tells again what nobody acknowledged.
      await on.slack.redeliver(10)
    }
    await on.bot.drained()
    expect(on.texts()).toEqual(['to before', 'to one', 'to two', 'to three'])
  })

  test('it goes on trying while Slack is gone', async () => {
    await using on = await startOnSlack()
    on.slack.fail('apps.connections.open', { status: 500 }, 2)
    on.slack.fail('apps.connections.open', { error: 'internal_error' })
    on.slack.cut()
    await until(() => on.slack.connections === 2)
    await ask(on, 'back again')
    expect(on.log.filter(line => line.includes('cannot be reached')).length).toBe(3)
  })

  test('an event that is told again, under a new envelope, is one message', async () => {
    await using on = await startOnSlack()
    await ask(on, 'once')
    await on.slack.redeliver(2)
    await on.bot.drained()
    expect(on.texts()).toEqual(['to once'])
    expect(on.turns).toHaveLength(1)
  })

  test('an event that could not be stored is not acknowledged, and comes again', async () => {
    let failures = 1
    const plugin = (slack: Slack): Plugin => {
      const { definition, options } = overSocket(slack)
      const setup: typeof definition.setup = (app, given) =>
        definition.setup(
          Object.create(app, {
            receive: {
              value: (message: Parameters<typeof app.receive>[0]) =>
                failures-- > 0 ? Promise.reject(new Error('the database is busy')) : app.receive(message),
            },
          }),
          given,
        )
      return { definition: { ...definition, setup }, options }
    }
    await using on = await startOnSlack({ plugin })
    const said = on.slack.say({ ...hello('hi'), author: 'bob' })
    await until(() => on.texts().length === 1)
    expect(on.log.join('\n')).toContain('an event was not taken in')
    on.slack.cut()
    await said
    expect(on.texts()).toEqual(['to hi'])
  })

  test('a mention, which Slack tells twice, is one message', async () => {
    await using on = await startOnSlack()
    await ask(on, 'hi')
    await on.bot.drained()
    expect(on.turns.map(({ messages, addressed }) => [messages.length, addressed])).toEqual([[1, 'mention']])
    expect(on.texts()).toEqual(['to hi'])
  })

  test('its own messages are recorded once, and lead to nothing', async () => {
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

  test('other apps are told apart from people, and not listened to', async () => {
    await using on = await startOnSlack()
    await on.slack.say({ ...hello('beep'), author: 'deploybot', bot: true })
    await ask(on, 'hi')
    expect(on.turns[0]?.history.map(({ author }) => author.name)).toEqual(['alice'])
  })

  test('who has no name to be found goes by the id, and is asked for once', async () => {
    await using on = await startOnSlack()
    on.slack.fail('users.info', { status: 500 }, 2)
    await ask(on, 'one')
    await ask(on, 'two')
    expect(on.turns[0]?.message.author.name).toBe('UALICE')
    expect(on.slack.calls.filter(({ method }) => method === 'users.info')).toHaveLength(2)
    expect(on.slack.calls.filter(({ method }) => method === 'conversations.info')).toHaveLength(1)
  })

  test('what it reads in the background, and may not for half a minute, holds no answer back', async () => {
    await using on = await startOnSlack()
    await ask(on, 'one')
    on.slack.fail('conversations.history', { rateLimit: true, retryAfter: 30 }, 100)
    on.slack.cut()
    await until(() => on.slack.calls.some(({ method }) => method === 'conversations.history'))
    await ask(on, 'two')
  })
})

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
  ])('when %s, people see the answer once', async (_name, fault) => {
    await using on = await startOnSlack()
    on.slack.fail('chat.postMessage', fault)
    await ask(on, 'hi')
    await on.bot.drained()
    expect(on.texts()).toEqual(['to hi'])
  })

  test('a channel that takes nothing is named with what to do, and is not tried again', async () => {
    await using on = await startOnSlack()
    on.slack.fail('chat.postMessage', { error: 'not_in_channel' })
    await on.slack.say(hello('hi'))
    await until(() => on.log.some(line => line.includes('not_in_channel. Invite the bot to the channel')))
    await on.bot.drained()
    expect(on.slack.calls.filter(({ method }) => method === 'chat.postMessage')).toHaveLength(1)
  })

  test('thinking ends although Slack fails to be told', async () => {
    await using on = await startOnSlack()
    const { promise, resolve } = Promise.withResolvers<void>()
    on.answer(async () => {
      await promise
      return undefined
    })
    await on.slack.say(hello('think'))
    await until(() => on.slack.status('general') === 'is thinking…')
    on.slack.fail('assistant.threads.setStatus', { status: 500 }, 2)
    resolve()
    await until(() => on.slack.status('general') === '')
  })

  test('where nobody can see it think, it says so once and answers', async () => {
    await using on = await startOnSlack()
    on.slack.fail('assistant.threads.setStatus', { error: 'missing_scope' }, 5)
    await ask(on, 'one')
    await ask(on, 'two')
    expect(on.log.filter(line => line.includes('nobody will see the bot think'))).toHaveLength(1)
  })
})

describe('events over HTTP', () => {
  const body = JSON.stringify({
    type: 'event_callback',
    team_id: 'TKIKIMIMI',
    event: {
      type: 'message',
      channel: 'CGENERAL',
      channel_type: 'channel',
      user: 'UALICE',
      text: '<@UKIKI> hi',
      ts: '1767600000.000100',
    },
  })
  const now = () => Math.floor(Date.now() / 1_000)

  async function start() {
    const port = await freePort()
    const on = await startOnSlack({
      plugin: ({ botToken, signingSecret, apiUrl }) => slackPlugin({ botToken, signingSecret, apiUrl }),
      config: { http: `127.0.0.1:${port}` },
    })
    on.slack.channel('general')
    on.slack.channel('@alice')
    const url = `http://127.0.0.1:${port}/slack/events`
    on.slack.deliverTo(url)
    return { ...on, url }
  }

  test.each([
    ['of another secret', { signature: `v0=${'0'.repeat(64)}` }],
    ['of another version', { signature: 'v9=1' }],
    ['that is missing', { signature: '' }],
    ['of six minutes ago', { timestamp: now() - 360 }],
    ['of no time', { timestamp: Number.NaN }],
  ])('a signature %s is turned away, and nothing is heard', async (_name, wrong) => {
    await using on = await start()
    const { status } = await on.slack.request({ url: on.url, body, ...wrong })
    expect(status).toBe(401)
    await on.bot.drained()
    expect(on.turns).toEqual([])
    expect(on.log.join('\n')).toContain('not signed by Slack')
  })

  test('what is signed is heard, stored before it is acknowledged, and answered once however often it is told', async () => {
    await using on = await start()
    const first = await on.slack.request({ url: on.url, body })
    const again = await on.slack.request({ url: on.url, body, retry: { num: 1, reason: 'http_timeout' } })
    expect([first.status, again.status]).toEqual([200, 200])
    await until(() => on.texts().length > 0)
    await on.bot.drained()
    expect(on.texts()).toEqual(['to hi'])
  })

  test('Slack may ask whether somebody is there', async () => {
    await using on = await start()
    const response = await on.slack.request({ url: on.url, body: JSON.stringify({ type: 'url_verification', challenge: 'abc' }) })
    expect(await response.json()).toEqual({ challenge: 'abc' })
  })

  test.each(['', '{', '[]', 'null', '{"type":"event_callback"}'])('nonsense that is signed (%s) does no harm', async nonsense => {
    await using on = await start()
    const { status } = await on.slack.request({ url: on.url, body: nonsense })
    expect(status).toBeLessThan(500)
    await ask(on, 'still there?')
  })

  test('a command comes as a form', async () => {
    await using on = await start()
    await on.slack.command('alice', 'general', '/kiki', 'what time is it?')
    await until(() => on.texts().length > 0)
    expect(on.texts()).toEqual(['to what time is it?'])
  })
})

test('tokens are in no log, whatever happens', async () => {
  await using on = await startOnSlack()
  on.slack.fail('chat.postMessage', { status: 500 })
  on.slack.fail('users.info', { hang: true })
  on.slack.cut()
  await until(() => on.slack.connections === 2)
  await ask(on, 'hi')
  on.slack.revoke('app')
  on.slack.refresh()
  await expect(on.bot.failed).rejects.toThrow()
  expect(on.log.join('\n')).not.toMatch(/xoxb-1|xapp-1|ticket=/)
  expect(on.log.join('\n')).not.toContain('to hi')
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(listening => void server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  await new Promise(closed => void server.close(closed))
  return typeof address === 'object' && address ? address.port : 0
}
