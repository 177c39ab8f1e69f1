import { KikimimiError, type Logger } from 'kikimimi'

/** Required scopes. */
export const NEEDED = ['app_mentions:read', 'channels:history', 'channels:read', 'chat:write', 'users:read']

/** Optional scopes, each with its purpose. */
export const WANTED: Readonly<Record<string, string>> = {
  'assistant:write': 'suggest questions in the assistant pane',
  'chat:write.customize': 'post under the name and the picture of a persona',
  commands: 'be called by a slash command',
  'files:read': 'look at pictures',
  'groups:history': 'hear private channels',
  'groups:read': 'know the names of private channels',
  'im:history': 'hear direct messages',
  'im:read': 'know direct messages for what they are',
  'im:write': 'begin a direct message, such as about a reminder that could not be told',
  'mpim:history': 'hear direct messages of several people',
  'mpim:read': 'know direct messages of several people for what they are',
  'pins:read': 'read pinned messages, which the plugin knowledge can answer from',
  'reactions:read': 'hear of reactions',
  'reactions:write': 'react',
  'usergroups:read': 'know user groups, which `access` can name',
}

/** Slack's name of each channel type in requests, by the required scope. */
const TYPES: Readonly<Record<string, string>> = {
  'channels:read': 'public_channel',
  'groups:read': 'private_channel',
  'im:read': 'im',
  'mpim:read': 'mpim',
}

/** Channel types that the token may read. */
export function channelTypes(granted: readonly string[] | undefined): string {
  return Object.keys(TYPES)
    .filter(scope => granted?.includes(scope) ?? true)
    .map(scope => TYPES[scope])
    .join()
}

export const WHERE =
  'https://api.slack.com/apps → your app → OAuth & Permissions → Scopes, and install the app to the workspace again'

/** Throws PLATFORM_START_FAILED if a required scope is missing. */
export function checkScopes(granted: readonly string[] | undefined, log: Pick<Logger, 'info'>): void {
  // Old tokens do not list their scopes.
  if (!granted) return
  const missing = NEEDED.filter(scope => !granted.includes(scope))
  if (missing.length > 0) {
    throw new KikimimiError(
      'PLATFORM_START_FAILED',
      `[slack] The bot token lacks ${missing.length > 1 ? 'the scopes' : 'the scope'} ${missing.join(', ')}. Add them at ${WHERE}.`,
      { cause: { code: 'missing_scope' } },
    )
  }
  for (const [scope, what] of Object.entries(WANTED)) {
    if (!granted.includes(scope)) log.info(`without the scope ${scope} the bot cannot ${what}; add it at ${WHERE}`)
  }
}
