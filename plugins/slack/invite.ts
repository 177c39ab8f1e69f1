/** How to invite the bot to channels and workspaces. */
import { systemClock } from 'kikimimi'
import { appLink } from './manifest.ts'
import type { SlackOptions } from './platform.ts'
import { fixedAccess } from './web-api/access.ts'
import { type Grant, whoAmI } from './web-api/account.ts'
import { clientOptions, createCalls, quietLogger } from './web-api/calls.ts'

/** Throws PLATFORM_START_FAILED if a token is wrong or Slack is unreachable. */
export async function invite(options: SlackOptions): Promise<string> {
  const grants = await Promise.all(options.botTokens.map(token => grantOf(token, options)))
  const lines = grants.map(
    ({ name, userName }) =>
      `In ${name || 'Slack'}, type /invite @${userName} in each channel where the bot is to be: it hears no other.`,
  )
  if (options.oauth) lines.push('For another workspace, open /slack/install at the address of the bot.')
  else lines.push(`For another workspace, make the app there: ${appLink(grants[0]?.userName ?? '')}`)
  return lines.join('\n')
}

/**
 * What a token is for, without a running bot. Throws PLATFORM_START_FAILED if the token is wrong or Slack is
 * unreachable.
 */
export function grantOf(token: string, { apiUrl, timeout }: SlackOptions): Promise<Grant> {
  const silent = quietLogger(() => {}, [])
  const calls = createCalls({
    access: fixedAccess(token),
    clientOptions: clientOptions(apiUrl, timeout, silent),
    clock: systemClock,
    random: Math.random,
    lost() {},
  })
  return whoAmI(calls, { apiUrl, signal: new AbortController().signal })
}
