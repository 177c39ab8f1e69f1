/** A bot that Discord or Slack refuses, at its start and later, as a supervisor sees it. */

import discordPlugin from '@kikimimi/discord'
import { type DiscordEmulator, startDiscord } from '@kikimimi/discord/testing'
import slackPlugin from '@kikimimi/slack'
import { type SlackEmulator, startSlack } from '@kikimimi/slack/testing'
import { definePlugin, startBot, systemClock } from 'kikimimi'
import { describe, expect, test } from 'vitest'
import { createLogger } from '../core/base/log.ts'
import { type Ended, startProcess } from './bot-process.ts'
import { until } from './support.ts'

const inDiscord = ({ token, apiUrl }: DiscordEmulator) => ({ DISCORD_TOKEN: token, DISCORD_API_URL: apiUrl })
const inSlack = ({ botToken, appToken, apiUrl }: SlackEmulator) => ({
  SLACK_BOT_TOKEN: botToken,
  SLACK_APP_TOKEN: appToken,
  SLACK_API_URL: apiUrl,
})

const KIKI = { bot: { id: 'UKIKI', name: 'kiki' } }
const LOG = { LOG_LEVEL: 'info', LOG_FORMAT: 'json' }
const POST = 'POST /channels/:id/messages'

/** It ends with a message for the operator, without a stack. */
function expectSentence({ code, out, err }: Ended, sentence: RegExp, tokens: readonly string[]): void {
  // The rest is the log, as JSON.
  const lines = err.split('\n').filter(line => !line.startsWith('{'))
  const [last = ''] = lines
    .join('\n')
    .split(/^(?=\[\w+\] )/m)
    .slice(-1)
  expect(last.trimEnd()).toMatch(sentence)
  expect(err).not.toMatch(/^\s+at /m)
  for (const token of tokens) expect(out + err).not.toContain(token)
  expect({ code, out }).toEqual({ code: 1, out: '' })
}

// The sentences for all other refusals are tested in login.test.ts of Discord and start.test.ts of Slack, without a process.
describe.concurrent('a start that cannot succeed ends with code 1 and the remedy', () => {
  test('Discord: a wrong token', async () => {
    await using discord = await startDiscord()
    const env = { ...LOG, ...inDiscord(discord), DISCORD_TOKEN: 'MTE.wrong.token-of-nobody' }
    const sentence =
      /^\[discord\] Discord does not accept the bot's token\. Copy a new one from Bot → Reset Token at .* into DISCORD_TOKEN\./
    expectSentence(await startProcess(env).ended, sentence, [discord.token, env.DISCORD_TOKEN])
  })

  test('Slack: a wrong bot token', async () => {
    await using slack = await startSlack(KIKI)
    const env = { ...LOG, ...inSlack(slack), SLACK_BOT_TOKEN: 'xoxb-wrong-token-of-nobody' }
    const sentence =
      /^\[slack\] Slack refuses the bot token \(invalid_auth\)\. Copy the Bot User OAuth Token .* set SLACK_BOT_TOKEN/
    expectSentence(await startProcess(env).ended, sentence, [slack.botToken, slack.appToken, env.SLACK_BOT_TOKEN])
  })

  test('Slack: no app token', async () => {
    await using slack = await startSlack(KIKI)
    const ended = await startProcess({ ...LOG, ...inSlack(slack), SLACK_APP_TOKEN: '' }).ended
    const sentence =
      /^\S+ has a mistake:\n {2}\S+:\d+:\d+ {2}\[slack\] .*expected appToken \(Socket Mode\) or signingSecret .*; set SLACK_APP_TOKEN$/
    expectSentence(ended, sentence, [slack.botToken, slack.appToken])
  })

  test('one platform that refuses ends the start, and the other is disconnected properly', async () => {
    await using discord = await startDiscord()
    await using slack = await startSlack(KIKI)
    slack.revoke('app')
    const ended = await startProcess({ ...LOG, ...inDiscord(discord), ...inSlack(slack) }).ended
    expectSentence(ended, /^\[slack\] Slack refuses the app token/, [discord.token, slack.botToken, slack.appToken])
    await discord.until(() => discord.online === 0)
  })
})

describe.concurrent('a start that may succeed later is tried again', () => {
  test('Discord is overloaded at the login', async () => {
    await using discord = await startDiscord()
    discord.fail('GET /gateway/bot', { status: 503 }, 2)
    await using bot = startProcess({ ...LOG, ...inDiscord(discord) })
    await bot.listening
    discord.say({ author: 'alice', text: '@kiki hello' })
    await discord.until(() => discord.posted.length === 1)
    const { code, err } = await bot.stop()
    expect(err.match(/could not log in, trying again/g)).toHaveLength(2)
    expect(code).toBe(0)
  })

  test('Slack fails twice', async () => {
    await using slack = await startSlack(KIKI)
    slack.fail('auth.test', { status: 500 }, 2)
    slack.fail('apps.connections.open', { status: 500 }, 2)
    await using bot = startProcess({ ...LOG, ...inSlack(slack) })
    await bot.listening
    await slack.say({ author: 'alice', channel: 'general', text: 'hello', mention: true })
    await until(() => slack.posted.length === 1)
    expect(await bot.stop()).toMatchObject({ code: 0 })
  })
})

describe.concurrent('an error that no reconnect can repair ends the process with code 1, for a supervisor', () => {
  test('Discord has revoked the token', async () => {
    await using discord = await startDiscord()
    await using bot = startProcess({ ...LOG, ...inDiscord(discord) })
    await bot.listening
    discord.fail('POST /channels/:id/typing', { status: 401 })
    discord.say({ author: 'alice', text: '@kiki hello' })
    expectSentence(
      await bot.ended,
      /^\[discord\] Discord no longer accepts the bot's token\. Copy a new one from .* \(Discord: 401\)$/,
      [discord.token],
    )
  })

  test('Slack has revoked the app token at a reconnect', async () => {
    await using discord = await startDiscord()
    await using slack = await startSlack(KIKI)
    await using bot = startProcess({ ...LOG, ...inDiscord(discord), ...inSlack(slack) })
    await bot.listening
    slack.revoke('app')
    slack.refresh()
    expectSentence(
      await bot.ended,
      /^\[slack\] Slack refuses the app token \(invalid_auth\)\. Make one with the scope connections:write/,
      [discord.token, slack.botToken, slack.appToken],
    )
    await discord.until(() => discord.online === 0)
  })
})

describe.concurrent('tokens and message texts', () => {
  test('are not in a debug log, with faults everywhere', async () => {
    await using discord = await startDiscord()
    await using slack = await startSlack(KIKI)
    const env = { LOG_LEVEL: 'debug', LOG_FORMAT: 'json', ...inDiscord(discord), ...inSlack(slack) }
    discord.fail('GET /gateway/bot', 'socket')
    slack.fail('auth.test', { status: 500 })
    await using bot = startProcess(env)
    await bot.listening
    discord.fail(POST, { status: 500 })
    discord.fail(POST, 'hang')
    slack.fail('chat.postMessage', { hang: true })
    slack.fail('users.info', { reset: true })
    await talk(discord, slack, 1)
    discord.cut('invalid')
    slack.cut()
    slack.fail('apps.connections.open', { error: 'internal_error' })
    await talk(discord, slack, 2)
    const { code, out, err } = await bot.stop()
    for (const line of err.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('message')
    for (const secret of [discord.token, slack.botToken, slack.appToken, 'pineapple']) expect(out + err).not.toContain(secret)
    expect({ code, out }).toEqual({ code: 0, out: '' })
  })

  test('are not in traces of failed answers, nor in a log without redaction', async () => {
    await using discord = await startDiscord()
    await using slack = await startSlack(KIKI)
    const log: string[] = []
    const yes = definePlugin({ name: 'yes', setup: () => ({ respond: () => ({ kind: 'text', text: 'pineapple' }) }) })
    await using bot = await startBot(
      {
        persona: { name: 'kiki' },
        database: false,
        plugins: [
          discordPlugin({ token: discord.token, apiUrl: discord.apiUrl }),
          slackPlugin({ botToken: slack.botToken, appToken: slack.appToken, apiUrl: slack.apiUrl }),
          yes,
        ],
      },
      { env: {}, log: createLogger({ level: 'debug', format: 'json', write: line => void log.push(line), clock: systemClock }) },
    )
    bot.failed.catch(() => {})
    discord.fail(POST, { status: 403, code: 50013, message: 'Missing Permissions' })
    slack.fail('chat.postMessage', { error: 'not_in_channel' })
    discord.say({ author: 'alice', text: '@kiki pineapple' })
    await slack.say({ author: 'alice', channel: 'general', text: 'pineapple', mention: true })
    await until(async () => (await bot.traces()).length === 2)
    discord.fail(POST, { status: 401 })
    discord.say({ author: 'alice', text: '@kiki pineapple' })
    await until(async () => (await bot.traces()).length === 3)
    slack.revoke('bot')
    await slack.say({ author: 'alice', channel: 'general', text: 'pineapple', mention: true })
    await until(async () => (await bot.traces()).length === 4)
    const traces = await bot.traces()
    expect(traces.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed', 'failed'])
    for (const secret of [discord.token, slack.botToken, slack.appToken, 'pineapple']) {
      expect(JSON.stringify(traces)).not.toContain(secret)
      expect(log.join('')).not.toContain(secret)
    }
  })
})

/** One question on each platform, and the answers. */
async function talk(discord: DiscordEmulator, slack: SlackEmulator, answers: number): Promise<void> {
  discord.say({ author: 'alice', text: '@kiki pineapple?' })
  await slack.say({ author: 'alice', channel: 'general', text: 'pineapple?', mention: true })
  await until(() => discord.posted.length === answers && slack.posted.length === answers)
}
