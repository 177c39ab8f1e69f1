/** How to invite the bot to channels and workspaces. */
import { systemClock } from 'kikimimi'
import { appLink } from './manifest.ts'
import type { SlackOptions } from './platform.ts'
import { type Account, whoAmI } from './web-api/account.ts'
import { clientOptions, createCalls, quietLogger } from './web-api/calls.ts'

/** Throws PLATFORM_START_FAILED if the token is wrong or Slack is unreachable. */
export async function invite(options: SlackOptions): Promise<string> {
  const { me, workspace } = await accountOf(options)
  return [
    `In ${workspace || 'Slack'}, type /invite @${me.name} in each channel where the bot is to be: it hears no other.`,
    `For another workspace, make the app there: ${appLink(me.name)}`,
  ].join('\n')
}

/**
 * The account of the token, without a running bot. Throws PLATFORM_START_FAILED if the token is wrong or Slack is
 * unreachable.
 */
export function accountOf({ botToken, apiUrl, timeout }: SlackOptions): Promise<Account> {
  const silent = quietLogger(() => {}, [])
  const calls = createCalls({
    token: botToken,
    clientOptions: clientOptions(apiUrl, timeout, silent),
    clock: systemClock,
    random: Math.random,
    lost() {},
  })
  return whoAmI(calls, { apiUrl, signal: new AbortController().signal })
}
