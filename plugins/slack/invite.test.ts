/** `kikimimi invite`, with the Slack emulator. */

import { type SlackEmulator, startSlack } from '@kikimimi/slack/testing'
import { invitePlugin } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import slackPlugin from './index.ts'
import { appLink } from './manifest.ts'

async function start(): Promise<SlackEmulator> {
  return startSlack({ bot: { id: 'UMIMI', name: 'mimi' } })
}

const over = ({ botToken, appToken, apiUrl }: SlackEmulator) => slackPlugin({ botToken, appToken, apiUrl, timeout: '300ms' })

test('explains how to invite the bot to a channel, by its real name, and to another workspace', async () => {
  await using slack = await start()
  expect(await invitePlugin(over(slack))).toBe(
    [
      'In kikimimi, type /invite @mimi in each channel where the bot is to be: it hears no other.',
      `For another workspace, make the app there: ${appLink('mimi')}`,
    ].join('\n'),
  )
  expect(slack.calls.map(({ method }) => method)).toEqual(['auth.test'])
})

test('names each workspace, and where the app is installed in others', async () => {
  await using slack = await start()
  const { signingSecret, clientId, clientSecret, apiUrl } = slack
  const oauth = { signingSecret, clientId, clientSecret, tokenKey: 'a'.repeat(64), apiUrl }
  const botToken = `${slack.botToken},${slack.team('TNORTH').botToken}`
  expect(await invitePlugin(slackPlugin({ ...oauth, botToken }))).toBe(
    [
      'In kikimimi, type /invite @mimi in each channel where the bot is to be: it hears no other.',
      'In tnorth, type /invite @mimi in each channel where the bot is to be: it hears no other.',
      'For another workspace, open /slack/install at the address of the bot.',
    ].join('\n'),
  )
})

test('shows no secret', async () => {
  await using slack = await start()
  expect(await invitePlugin(over(slack))).not.toMatch(/xoxb-|xapp-|offline/)
})

test('a wrong token is reported, with the place of the right one', async () => {
  await using slack = await start()
  slack.revoke('bot')
  await expect(invitePlugin(over(slack))).rejects.toThrow(
    /^\[slack\] Slack refuses the bot token \(invalid_auth\)\. Copy the Bot User OAuth Token \(xoxb-…\) from .* OAuth & Permissions/,
  )
})

test('an unreachable Slack is reported', async () => {
  const gone = await start()
  await gone.close()
  await expect(invitePlugin(over(gone))).rejects.toThrow(
    /^\[slack\] Cannot reach Slack at http:\/\/127\.0\.0\.1:\d+ \(no answer\)\. Is there a way out to it/,
  )
})
