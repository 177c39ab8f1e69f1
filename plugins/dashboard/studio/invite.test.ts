import discord from '@kikimimi/discord'
import { startDiscord } from '@kikimimi/discord/testing'
import slack from '@kikimimi/slack'
import { startSlack } from '@kikimimi/slack/testing'
import { expect, test, vi } from 'vitest'
import { openPage, type TestPage } from '../testing/open-page.ts'
import type { InviteView, PlatformView } from './views.ts'

async function check(page: TestPage, platform: string): Promise<{ status: number; body: InviteView & { message?: string } }> {
  const answer = await page.api('studio/invite', { method: 'POST', body: { platform } })
  return { status: answer.status, body: (await answer.json()) as InviteView }
}

async function platforms(page: TestPage): Promise<readonly PlatformView[]> {
  return ((await (await page.api('studio/platforms')).json()) as { platforms: PlatformView[] }).platforms
}

test('the wizard names the variables, and says of a bot without a token that it runs without the platform', async () => {
  for (const name of ['DISCORD_TOKEN', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN']) vi.stubEnv(name, '')
  await using page = await openPage()
  expect(await platforms(page)).toMatchObject([
    { name: 'discord', isRunning: false, variables: [{ name: 'DISCORD_TOKEN', isSet: false }] },
    {
      name: 'slack',
      isRunning: false,
      variables: [
        { name: 'SLACK_BOT_TOKEN', isSet: false },
        { name: 'SLACK_APP_TOKEN', isSet: false },
      ],
    },
  ])
  expect(await check(page, 'discord')).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('start the bot again') },
  })
})

test('the wizard checks the tokens of the environment live, and never answers with one', async () => {
  await using discordServer = await startDiscord()
  await using slackServer = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
  vi.stubEnv('DISCORD_TOKEN', discordServer.token)
  vi.stubEnv('DISCORD_API_URL', discordServer.apiUrl)
  vi.stubEnv('SLACK_BOT_TOKEN', slackServer.botToken)
  vi.stubEnv('SLACK_APP_TOKEN', slackServer.appToken)
  vi.stubEnv('SLACK_SIGNING_SECRET', '')
  vi.stubEnv('SLACK_API_URL', slackServer.apiUrl)
  await using page = await openPage({ plugins: [discord(), slack()] })
  expect((await platforms(page)).every(({ isRunning, variables }) => isRunning && variables.every(({ isSet }) => isSet))).toBe(
    true,
  )
  const [onDiscord, onSlack] = [await check(page, 'discord'), await check(page, 'slack')]
  expect(onDiscord).toMatchObject({ status: 200, body: { text: expect.stringContaining('https://discord.com/') } })
  expect(onDiscord.body.findings).toContainEqual({ what: expect.stringContaining('the token is that of') })
  expect(onSlack.status).toBe(200)
  expect(onSlack.body.findings.length).toBeGreaterThan(0)
  const said = JSON.stringify([onDiscord, onSlack, await platforms(page)])
  for (const token of [discordServer.token, slackServer.botToken, slackServer.appToken]) expect(said).not.toContain(token)
})

test('tokens that the bot does not run with are checked by the plugin, and kept and repeated nowhere', async () => {
  for (const name of ['DISCORD_TOKEN', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN']) vi.stubEnv(name, '')
  await using discordServer = await startDiscord()
  await using slackServer = await startSlack({ bot: { id: 'UKIKI', name: 'kiki' } })
  vi.stubEnv('DISCORD_API_URL', discordServer.apiUrl)
  vi.stubEnv('SLACK_API_URL', slackServer.apiUrl)
  await using page = await openPage()
  const ask = async (platform: string, tokens: Record<string, string>) => {
    const answer = await page.api('studio/invite', { method: 'POST', body: { platform, tokens } })
    return (await answer.json()) as InviteView
  }
  const right = await ask('discord', { DISCORD_TOKEN: discordServer.token })
  expect(right.findings).toContainEqual({ what: expect.stringContaining('the token is that of') })
  const onSlack = await ask('slack', { SLACK_BOT_TOKEN: slackServer.botToken, SLACK_APP_TOKEN: slackServer.appToken })
  expect(onSlack.findings.filter(({ problem }) => problem?.includes('token'))).toEqual([])
  const wrong = await ask('discord', { DISCORD_TOKEN: 'a-wrong-token-of-nobody' })
  expect(wrong.findings).toContainEqual({ what: 'discord', problem: expect.stringContaining('token') })
  const malformed = await ask('slack', { SLACK_BOT_TOKEN: 'not-a-slack-token', SLACK_APP_TOKEN: 'neither' })
  expect(malformed.findings).toContainEqual({ what: 'slack', problem: expect.stringContaining('xoxb-') })
  expect((await page.api('studio/invite', { method: 'POST', body: { platform: 'irc', tokens: {} } })).status).toBe(400)
  const { rows } = await page.db.query<{ row: string }>('select c::text as row from dashboard.change c')
  const said = JSON.stringify([right, onSlack, wrong, malformed, rows, page.log])
  for (const token of [discordServer.token, slackServer.botToken, 'a-wrong-token-of-nobody', 'not-a-slack-token'])
    expect(said).not.toContain(token)
})
