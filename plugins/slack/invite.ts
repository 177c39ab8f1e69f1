/** How the bot is brought to where people talk. */
import { systemClock } from 'kikimimi'
import { whoAmI } from './account.ts'
import { clientOptions, createCalls, quietLogger } from './calls.ts'
import { appLink } from './manifest.ts'
import type { SlackOptions } from './platform.ts'

/** Throws PLATFORM_START_FAILED when the token is wrong, or Slack cannot be reached. */
export async function invite({
  botToken,
  apiUrl,
  timeout,
}: Pick<SlackOptions, 'botToken' | 'apiUrl' | 'timeout'>): Promise<string> {
  const calls = createCalls({
    token: botToken,
    clientOptions: clientOptions(
      apiUrl,
      timeout,
      quietLogger(() => {}, []),
    ),
    clock: systemClock,
    random: Math.random,
    lost() {},
  })
  const { me, workspace } = await whoAmI(calls, { apiUrl, signal: new AbortController().signal })
  return [
    `In ${workspace || 'Slack'}, type /invite @${me.name} in each channel where the bot is to be: it hears no other.`,
    `For another workspace, make the app there: ${appLink(me.name)}`,
  ].join('\n')
}
