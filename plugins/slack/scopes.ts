import { KikimimiError, type Logger } from 'kikimimi'

/** Without these there is no bot. */
export const NEEDED = ['app_mentions:read', 'channels:history', 'channels:read', 'chat:write', 'users:read']

/** And what each of the others is for. */
export const WANTED: Readonly<Record<string, string>> = {
  'groups:history': 'hear private channels',
  'groups:read': 'know the names of private channels',
  'im:history': 'hear direct messages',
  'im:read': 'know direct messages for what they are',
  'mpim:history': 'hear direct messages of several people',
  'mpim:read': 'know direct messages of several people for what they are',
  'reactions:write': 'react',
}

const WHERE = 'https://api.slack.com/apps → your app → OAuth & Permissions → Scopes, and install the app to the workspace again'

/** Throws PLATFORM_START_FAILED when the token may do too little. */
export function checkScopes(granted: readonly string[] | undefined, log: Logger): void {
  // Old tokens do not say what they may do.
  if (!granted) return
  const missing = NEEDED.filter(scope => !granted.includes(scope))
  if (missing.length > 0) {
    throw new KikimimiError(
      'PLATFORM_START_FAILED',
      `[slack] The bot token lacks ${missing.length > 1 ? 'the scopes' : 'the scope'} ${missing.join(', ')}. Add them at ${WHERE}.`,
    )
  }
  for (const [scope, what] of Object.entries(WANTED)) {
    if (!granted.includes(scope)) log.info(`without the scope ${scope} the bot cannot ${what}; add it at ${WHERE}`)
  }
}
