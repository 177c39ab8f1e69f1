/** A connection to Slack that is renewed, cut, or refused. */
import { describe, expect, test } from 'vitest'
import { ask, impatient, mention, readiness, startOnSlack, startWithHttp, until } from '../test-bot.ts'

describe.concurrent('the connection', () => {
  test.each(['refresh_requested', 'warning'] as const)(
    'is opened anew when Slack asks for it (%s), and what was said meanwhile is heard',
    async why => {
      await using on = await startWithHttp()
      await ask(on, 'one')
      on.slack.refresh(why)
      await on.slack.say({ ...mention('two'), quietly: true })
      await until(() => on.texts().length === 2)
      await ask(on, 'three')
      expect(on.texts()).toEqual(['to one', 'to two', 'to three'])
      expect(on.slack.connections).toBe(2)
      expect(await readiness(on.address)).toEqual({ status: 200 })
      expect(on.log.filter(line => line.startsWith('info connected to Slack again'))).toHaveLength(1)
    },
  )

  test('that is cut makes the bot unready until it is open again', async () => {
    await using on = await startWithHttp()
    expect(await readiness(on.address)).toEqual({ status: 200 })
    on.slack.fail('apps.connections.open', { status: 500 }, 2)
    on.slack.cut()
    await until(async () => (await readiness(on.address)).status === 503)
    expect(await readiness(on.address)).toEqual({ status: 503, why: 'no connection to Slack' })
    await until(async () => (await readiness(on.address)).status === 200)
    await ask(on, 'back again')
  })

  test('can be cut repeatedly: no message is lost or answered twice', async () => {
    await using on = await startOnSlack()
    await ask(on, 'before')
    for (const text of ['one', 'two', 'three']) {
      on.slack.cut()
      await on.slack.say({ ...mention(text), quietly: true })
      await until(() => on.texts().includes(`to ${text}`))
      // Slack delivers events without an acknowledgement again.
      await on.slack.redeliver(10)
    }
    await on.bot.drained()
    expect(on.texts()).toEqual(['to before', 'to one', 'to two', 'to three'])
  })

  test('is tried while Slack is down, with a log line for each attempt', async () => {
    await using on = await startOnSlack()
    on.slack.fail('apps.connections.open', { status: 500 })
    on.slack.fail('apps.connections.open', { error: 'internal_error' })
    on.slack.fail('apps.connections.open', { error: 'team_added_to_org' })
    on.slack.cut()
    await until(() => on.slack.connections === 2)
    await ask(on, 'back again')
    const told = on.log.filter(line => line.startsWith('warn Slack cannot be reached; trying again'))
    expect(told.map(line => JSON.parse(line.slice(line.indexOf('{'))))).toEqual([
      ...[{ why: 'HTTP 500' }, { why: 'internal_error' }, { why: 'team_added_to_org' }],
    ])
  })

  test('that Slack refuses ends the bot, with instructions for a new app token', async () => {
    await using on = await startWithHttp()
    on.slack.revoke('app')
    on.slack.refresh()
    await expect(on.bot.failed).rejects.toThrow(/^\[slack\] Slack refuses the app token \(invalid_auth\)\. .*App-Level Tokens/)
    expect(on.log.filter(line => line.startsWith('error'))).toHaveLength(1)
    const { status, why } = await readiness(on.address)
    expect(status).toBe(503)
    expect(why).toMatch(/^\[slack\] Slack refuses the app token \(invalid_auth\)/)
  })

  test('with a revoked bot token ends the bot in the same way', async () => {
    await using on = await startWithHttp()
    on.slack.revoke('bot')
    await on.slack.say(mention('are you there?'))
    await expect(on.bot.failed).rejects.toThrow(/^\[slack\] Slack refuses the bot token \(invalid_auth\)/)
    expect((await readiness(on.address)).why).toMatch(/^\[slack\] Slack refuses the bot token/)
    expect(on.texts()).toEqual([])
  })
})

test('tokens are never in the log', async () => {
  await using on = await startOnSlack({ plugin: impatient })
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
