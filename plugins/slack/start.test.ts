/** Errors at the start, as operators see them. */
import { type SlackEmulator, startSlack } from '@kikimimi/slack/testing'
import { describe, expect, test } from 'vitest'
import slackPlugin from './index.ts'
import { ask, type BotOptions, impatient, overSocket, startOnSlack } from './test-bot.ts'

async function refused(before: (slack: SlackEmulator) => void, options?: BotOptions): Promise<string> {
  const error: Error = await startOnSlack({ before, ...options }).then(
    () => Promise.reject(new Error('it started')),
    error => error,
  )
  expect(error).toMatchObject({ code: 'PLATFORM_START_FAILED' })
  expect(`${error.message} ${error.stack} ${error.cause}`).not.toMatch(/xoxb-1|xapp-1/)
  return error.message
}

describe.concurrent('at the start', () => {
  test('a wrong bot token is refused, with the place of the right one', async () => {
    expect(await refused(slack => slack.revoke('bot'))).toMatch(
      /^\[slack\] Slack refuses the bot token \(invalid_auth\)\. Copy the Bot User OAuth Token \(xoxb-…\) from .* OAuth & Permissions, and set SLACK_BOT_TOKEN/,
    )
  })

  test('a wrong app token is refused, with instructions for a new one', async () => {
    expect(await refused(slack => slack.revoke('app'))).toMatch(
      /^\[slack\] Slack refuses the app token \(invalid_auth\)\. .*connections:write.*App-Level Tokens.*SLACK_APP_TOKEN/,
    )
  })

  test('other errors do not ask for a new app token', async () => {
    expect(await refused(slack => slack.fail('apps.connections.open', { error: 'forbidden_team' }))).toMatch(
      /^\[slack\] Slack refuses to open a connection \(forbidden_team\)\. Is Socket Mode switched on/,
    )
  })

  test('an app token of another kind is refused, with instructions for a new one', async () => {
    expect(await refused(slack => slack.fail('apps.connections.open', { error: 'not_allowed_token_type' }))).toMatch(
      /^\[slack\] Slack refuses the app token \(not_allowed_token_type\)/,
    )
  })

  test('a bot token of another kind is refused too', async () => {
    expect(await refused(slack => slack.fail('auth.test', { error: 'not_allowed_token_type' }))).toMatch(
      /^\[slack\] Slack refuses the bot token \(not_allowed_token_type\)/,
    )
  })

  test('a missing scope is named', async () => {
    const scopes = ['app_mentions:read', 'channels:read', 'chat:write', 'users:read']
    expect(await refused(() => {}, { slack: { scopes } })).toMatch(
      /^\[slack\] The bot token lacks the scope channels:history\. Add them at .*install the app to the workspace again\.$/,
    )
  })

  test('an unreachable Slack is reported', async () => {
    const gone = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
    await gone.close()
    const plugin = () => overSocket(gone)
    expect(await refused(() => {}, { plugin })).toMatch(
      /^\[slack\] Cannot reach Slack at http:\/\/127\.0\.0\.1:\d+ \(no answer\)\./,
    )
  })

  test('after two failures a third attempt follows', async () => {
    await using on = await startOnSlack({
      plugin: impatient,
      before(slack) {
        slack.fail('auth.test', { status: 503 }, 2)
        slack.fail('apps.connections.open', { hang: true })
      },
    })
    await ask(on, 'there you are')
  })

  test('malformed tokens are refused before the start', async () => {
    const plugin = () => slackPlugin({ botToken: 'secret-of-another-kind', appToken: 'xapp-1' })
    const error: Error = await startOnSlack({ plugin }).catch(error => error)
    expect(error.message).toContain('begins with xoxb-')
    expect(error.message).not.toContain('secret-of')
  })
})
