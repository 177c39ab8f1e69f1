/** Checks the Slack setup for `kikimimi check`. */
import { webApi } from '@slack/bolt'
import type { Finding } from 'kikimimi'
import { cannotOpen } from './connection/connection.ts'
import { accountOf } from './invite.ts'
import type { SlackOptions } from './platform.ts'
import { clientOptions, quietLogger } from './web-api/calls.ts'
import { checkScopes } from './web-api/scopes.ts'

/** Throws PLATFORM_START_FAILED if Slack refuses the bot token or is unreachable. */
export async function check(options: SlackOptions): Promise<readonly Finding[]> {
  const { me, workspace, scopes } = await accountOf(options)
  return [
    { what: `the bot token is that of ${me.name} in ${workspace}` },
    ...scopesOf(scopes),
    ...(options.appToken === undefined ? [] : [await appToken(options.appToken, options)]),
  ]
}

function scopesOf(granted: readonly string[] | undefined): readonly Finding[] {
  if (!granted) return [{ what: 'the token does not say which scopes it has' }]
  const without: Finding[] = []
  try {
    checkScopes(granted, { info: what => void without.push({ what }) })
  } catch (error) {
    return [{ what: 'scopes', problem: told(error) }]
  }
  return without.length > 0 ? without : [{ what: 'all scopes are there' }]
}

/** Requests a connection without opening it, which has no effect. */
async function appToken(token: string, { apiUrl, timeout }: SlackOptions): Promise<Finding> {
  const client = new webApi.WebClient(
    token,
    clientOptions(
      apiUrl,
      timeout,
      quietLogger(() => {}, []),
    ),
  )
  try {
    await client.apps.connections.open({})
    return { what: 'the app token opens connections' }
  } catch (error) {
    return { what: 'app token', problem: told(cannotOpen(error, apiUrl)) }
  }
}

function told(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^\[slack\] /, '') : String(error)
}
