/** Checks the Slack setup for `kikimimi check`. */
import { webApi } from '@slack/bolt'
import type { Finding } from 'kikimimi'
import { cannotOpen } from './connection/connection.ts'
import type { OAuthOptions } from './installations/installing.ts'
import { grantOf } from './invite.ts'
import type { SlackOptions } from './platform.ts'
import type { Grant } from './web-api/account.ts'
import { clientOptions, quietLogger, slackCode, unreachable, whyOf } from './web-api/calls.ts'
import { checkScopes, NEEDED, WANTED } from './web-api/scopes.ts'

/** Throws PLATFORM_START_FAILED if Slack refuses the only bot token or is unreachable. */
export async function check(options: SlackOptions): Promise<readonly Finding[]> {
  const { botTokens, appToken, oauth } = options
  const findings: Finding[] = []
  const seen = new Set<string>()
  for (const [index, token] of botTokens.entries()) findings.push(...(await botToken(token, index, options, seen)))
  if (oauth) findings.push(await client(oauth, options))
  if (appToken !== undefined) findings.push(await socket(appToken, options))
  return findings
}

/** A direct message needs no invitation, so a bot in no channel is no mistake. */
async function channels(
  token: string,
  userName: string,
  scopes: Grant['scopes'],
  options: SlackOptions,
): Promise<readonly Finding[]> {
  const types = scopes?.includes('groups:read') ? 'public_channel,private_channel' : 'public_channel'
  const asked = { types, exclude_archived: true, limit: 1 }
  const { channels: found } = await webClient(token, options)
    .users.conversations(asked)
    .catch(() => ({ channels: undefined }))
  if (found?.length !== 0) return []
  return [{ what: `the bot is in no channel yet: type /invite @${userName} in each channel where it is to be` }]
}

/** One of several tokens may be refused without hiding the others. */
async function botToken(token: string, index: number, options: SlackOptions, seen: Set<string>): Promise<readonly Finding[]> {
  try {
    const { id, name, userName, isOrg, scopes } = await grantOf(token, options)
    const what = `the bot token is that of ${userName} in ${isOrg ? `the organization ${name}` : name}`
    if (seen.has(id)) return [{ what, problem: 'Another bot token is of the same workspace. Leave out one of them.' }]
    seen.add(id)
    return [{ what }, ...scopesOf(scopes), ...(isOrg ? [] : await channels(token, userName, scopes, options))]
  } catch (error) {
    if (options.botTokens.length === 1) throw error
    return [{ what: `bot token ${index + 1} of ${options.botTokens.length}`, problem: told(error) }]
  }
}

/** Slack looks at the client before the code, which here is none of Slack's. */
async function client({ clientId, clientSecret }: OAuthOptions, { apiUrl, timeout }: SlackOptions): Promise<Finding> {
  const api = webClient(undefined, { apiUrl, timeout })
  const what = 'the client ID and the client secret are right'
  try {
    await api.oauth.v2.access({ client_id: clientId, client_secret: clientSecret, code: 'kikimimi-check' })
    return { what }
  } catch (error) {
    const code = slackCode(error)
    if (code === 'invalid_code') return { what }
    const problem =
      code === undefined
        ? told(unreachable(apiUrl, whyOf(error)))
        : `Slack refuses them (${code}). Copy both from https://api.slack.com/apps → your app → Basic Information → App Credentials.`
    return { what: 'client ID and client secret', problem }
  }
}

function scopesOf(granted: readonly string[] | undefined): readonly Finding[] {
  if (!granted) return [{ what: 'the token does not say which scopes it has' }]
  const without: Finding[] = []
  try {
    checkScopes(granted, { info: what => void without.push({ what }) })
  } catch (error) {
    return [{ what: 'scopes', problem: told(error) }]
  }
  const unneeded = granted.filter(scope => !(NEEDED.includes(scope) || scope in WANTED))
  const more = unneeded.map(scope => ({ what: `the token has the scope ${scope}, and the bot does not need it` }))
  return [...(without.length > 0 ? without : [{ what: 'all scopes are there' }]), ...more]
}

/** Requests a connection without opening it, which has no effect. */
async function socket(token: string, options: SlackOptions): Promise<Finding> {
  try {
    await webClient(token, options).apps.connections.open({})
    return { what: 'the app token opens connections' }
  } catch (error) {
    return { what: 'app token', problem: told(cannotOpen(error, options.apiUrl)) }
  }
}

function webClient(token: string | undefined, { apiUrl, timeout }: Pick<SlackOptions, 'apiUrl' | 'timeout'>): webApi.WebClient {
  const silent = quietLogger(() => {}, [])
  return new webApi.WebClient(token, clientOptions(apiUrl, timeout, silent))
}

function told(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^\[slack\] /, '') : String(error)
}
