import { type SlackEmulator, type SlackOptions, startSlack } from '@kikimimi/slack/testing'
import { checkPlugin } from 'kikimimi/testing'
import { expect, test } from 'vitest'
import slackPlugin from './index.ts'
import { NEEDED, WANTED } from './web-api/scopes.ts'

type Given = Parameters<typeof slackPlugin>[0]

interface Case extends Partial<SlackOptions> {
  readonly before?: (slack: SlackEmulator) => unknown
  readonly given?: (slack: SlackEmulator) => Given
}

async function checked({ before, given, ...options }: Case = {}) {
  await using slack = await startSlack({ bot: { id: 'UMIMI', name: 'mimi' }, ...options })
  await slack.join('general')
  await before?.(slack)
  const { botToken, appToken, apiUrl } = slack
  const findings = await checkPlugin(slackPlugin({ botToken, apiUrl, timeout: '300ms', ...(given?.(slack) ?? { appToken }) }))
  expect(JSON.stringify(findings)).not.toMatch(/xoxb-1|xapp-1|offline/)
  expect(slack.connections).toBe(0)
  return findings
}

const TOKEN = { what: 'slack: the bot token is that of mimi in kikimimi' }
const NOWHERE = { what: 'slack: the bot is in no channel yet: type /invite @mimi in each channel where it is to be' }
const SCOPES = { what: 'slack: all scopes are there' }

test('a complete setup', async () => {
  expect(await checked()).toEqual([TOKEN, SCOPES, { what: 'slack: the app token opens connections' }])
})

test('over HTTP no app token is needed', async () => {
  expect(await checked({ given: ({ signingSecret }) => ({ signingSecret }) })).toEqual([TOKEN, SCOPES])
})

test('missing scopes: required and optional ones', async () => {
  const [, none] = await checked({ scopes: NEEDED.filter(scope => scope !== 'channels:history') })
  expect(none).toEqual({
    what: 'slack: scopes',
    problem: expect.stringMatching(/^The bot token lacks the scope channels:history\. Add them at .*install the app/),
  })
  const fewer = await checked({ scopes: [...NEEDED, 'im:history', 'im:read', 'reactions:read'] })
  expect(fewer.slice(1, 5)).toEqual([
    { what: expect.stringMatching(/^slack: without the scope assistant:write the bot cannot suggest questions/) },
    { what: expect.stringMatching(/^slack: without the scope chat:write.customize the bot cannot post under the name/) },
    { what: expect.stringMatching(/^slack: without the scope commands the bot cannot be called by a slash command; add it at /) },
    { what: expect.stringMatching(/^slack: without the scope files:read the bot cannot look at pictures; add it at /) },
  ])
})

test('a scope that the bot does not need', async () => {
  const [, ...scopes] = await checked({ scopes: [...NEEDED, ...Object.keys(WANTED), 'admin'] })
  expect(scopes.slice(0, 2)).toEqual([SCOPES, { what: 'slack: the token has the scope admin, and the bot does not need it' }])
})

test('a bot that is in no channel yet', async () => {
  const before = (slack: SlackEmulator) => slack.leave('general')
  const [, , where] = await checked({ before })
  expect(where).toEqual(NOWHERE)
})

test('a wrong app token does not hide the scopes of the bot token', async () => {
  const problem = expect.stringMatching(
    /^Slack refuses the app token \(invalid_auth\)\. Make one with the scope connections:write/,
  )
  expect(await checked({ before: slack => slack.revoke('app') })).toEqual([TOKEN, SCOPES, { what: 'slack: app token', problem }])
})

test('several tokens: each is named, one of them is refused, and two are of one workspace', async () => {
  const given = (slack: SlackEmulator) => {
    const [north, south] = ['TNORTH', 'TSOUTH'].map(id => slack.team(id))
    void south?.uninstall({ quietly: true })
    const botToken = [slack.botToken, north?.botToken, south?.botToken, slack.issue('TNORTH')].join()
    return { botToken, signingSecret: slack.signingSecret }
  }
  expect(await checked({ given })).toEqual([
    TOKEN,
    SCOPES,
    { what: 'slack: the bot token is that of mimi in tnorth' },
    SCOPES,
    NOWHERE,
    {
      what: 'slack: bot token 3 of 4',
      problem: expect.stringMatching(/^Slack refuses the bot token \(account_inactive\)/),
    },
    {
      what: 'slack: the bot token is that of mimi in tnorth',
      problem: 'Another bot token is of the same workspace. Leave out one of them.',
    },
  ])
})

test('OAuth: the client ID and the client secret', async () => {
  const options = ({ signingSecret, clientId, clientSecret }: SlackEmulator) => ({
    ...{ signingSecret, clientId, clientSecret, tokenKey: 'a'.repeat(64) },
  })
  const right = { what: 'slack: the client ID and the client secret are right' }
  expect(await checked({ given: options })).toEqual([TOKEN, SCOPES, right])
  const [, , wrong] = await checked({ given: slack => ({ ...options(slack), clientSecret: 'another' }) })
  expect(wrong).toEqual({
    what: 'slack: client ID and client secret',
    problem: expect.stringMatching(/^Slack refuses them \(bad_client_secret\)\. Copy both from/),
  })
})

test('Socket Mode is off', async () => {
  const [, , last] = await checked({ before: slack => slack.fail('apps.connections.open', { error: 'forbidden_team' }) })
  expect(last?.problem).toMatch(/^Slack refuses to open a connection \(forbidden_team\)\. Is Socket Mode switched on/)
})

test('a wrong bot token, and an unreachable Slack', async () => {
  const wrong = await checked({ before: slack => slack.revoke('bot') })
  expect(wrong).toEqual([
    { what: 'slack', problem: expect.stringMatching(/^Slack refuses the bot token \(invalid_auth\)\. Copy/) },
  ])
  const gone = await checked({ before: slack => slack.close() })
  expect(gone).toEqual([
    { what: 'slack', problem: expect.stringMatching(/^Cannot reach Slack at http:\/\/127\.0\.0\.1:\d+ \(no answer\)/) },
  ])
})
