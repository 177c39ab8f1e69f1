/** Connects the bot to Slack. */
import { duration } from 'kikimimi'
import { ChatCommands, definePlatform } from 'kikimimi/platform'
import { z } from 'zod'
import { keyIn } from './installations/cipher.ts'
import type { OAuthOptions } from './installations/installing.ts'

const options = z
  .strictObject({
    botToken: z
      .string()
      .optional()
      .refine(given => given === undefined || tokensIn(given).every(isBotToken), {
        error: 'expected the Bot User OAuth Token, which begins with xoxb-; set SLACK_BOT_TOKEN',
      })
      .refine(given => given === undefined || new Set(tokensIn(given)).size === tokensIn(given).length, {
        error: 'expected each bot token once; leave out the second one',
      })
      .describe(
        'The Bot User OAuth Token, `xoxb-…`. Several, one for each workspace, are separated by commas. Default: `SLACK_BOT_TOKEN`.',
      )
      .meta({ environment: 'SLACK_BOT_TOKEN', asked: true }),
    appToken: z
      .string()
      .optional()
      .refine(token => token === undefined || token.startsWith('xapp-'), {
        error: 'expected an App-Level Token, which begins with xapp-',
      })
      .describe('App-Level Token with `connections:write`, `xapp-…`, for Socket Mode. Default: `SLACK_APP_TOKEN`.')
      .meta({ environment: 'SLACK_APP_TOKEN', asked: true }),
    signingSecret: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Signing secret, for events over HTTP at `/slack/events` instead of Socket Mode. Default: `SLACK_SIGNING_SECRET`.',
      )
      .meta({ environment: 'SLACK_SIGNING_SECRET' }),
    clientId: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Client ID, with which people install the app in their workspaces at `/slack/install`. Default: `SLACK_CLIENT_ID`.',
      )
      .meta({ environment: 'SLACK_CLIENT_ID' }),
    clientSecret: z
      .string()
      .min(1)
      .optional()
      .describe('Client secret, with `clientId`. Default: `SLACK_CLIENT_SECRET`.')
      .meta({ environment: 'SLACK_CLIENT_SECRET' }),
    tokenKey: z
      .string()
      .optional()
      .describe(
        'Key of 32 bytes, in base64 or hexadecimal, that encrypts the tokens of installations in the database. Default: `SLACK_TOKEN_KEY`.',
      )
      .meta({ environment: 'SLACK_TOKEN_KEY' }),
    apiUrl: z
      .url()
      .default(() => process.env.SLACK_API_URL || 'https://slack.com/api/')
      .describe('URL of the Web API: a proxy or a test server. Default: `SLACK_API_URL`, or Slack’s own.')
      .meta({ environment: 'SLACK_API_URL' }),
    streaming: z.boolean().default(true).describe('Whether people see an answer while it is written.'),
    buttons: z
      .enum(['direct', 'everywhere', 'off'])
      .default('direct')
      .describe('Where answers have buttons: in direct messages, everywhere, or nowhere. Reactions work everywhere.'),
    timeout: duration.default('10s').describe('Time limit of one call to Slack.'),
  })
  .prefault({})
  .transform(({ botToken, appToken, signingSecret, clientId, clientSecret, tokenKey, ...given }, context) => {
    const env = process.env
    // Options of bot.config.ts have priority over the environment.
    const connection =
      appToken !== undefined || signingSecret !== undefined
        ? { appToken, signingSecret }
        : env.SLACK_APP_TOKEN
          ? { appToken: env.SLACK_APP_TOKEN }
          : { signingSecret: env.SLACK_SIGNING_SECRET || undefined }
    const oauth = oauthIn(
      {
        clientId: clientId ?? (env.SLACK_CLIENT_ID || undefined),
        clientSecret: clientSecret ?? (env.SLACK_CLIENT_SECRET || undefined),
        tokenKey: tokenKey ?? (env.SLACK_TOKEN_KEY || undefined),
      },
      message => context.addIssue({ code: 'custom', message }),
    )
    const botTokens = tokensIn(botToken ?? env.SLACK_BOT_TOKEN ?? '')
    if (botTokens.length === 0 ? !oauth : !botTokens.every(isBotToken)) {
      const message = 'botToken: expected the Bot User OAuth Token, which begins with xoxb-; set SLACK_BOT_TOKEN'
      context.addIssue({ code: 'custom', message })
    }
    return { ...given, ...connection, botTokens, oauth }
  })
  .superRefine(({ appToken, signingSecret }, context) => {
    if ((appToken === undefined) !== (signingSecret === undefined)) return
    context.addIssue({
      code: 'custom',
      message:
        appToken === undefined
          ? 'expected appToken (Socket Mode) or signingSecret (events over HTTP), got neither; set SLACK_APP_TOKEN'
          : 'expected either appToken (Socket Mode) or signingSecret (events over HTTP), got both',
    })
  })

/** With token rotation the token of an installation has a prefix. */
const isBotToken = (token: string) => token.startsWith('xoxb-')

function tokensIn(text: string): readonly string[] {
  return text
    .split(',')
    .map(token => token.trim())
    .filter(token => token !== '')
}

interface OAuthTexts {
  readonly clientId: string | undefined
  readonly clientSecret: string | undefined
  readonly tokenKey: string | undefined
}

/** The options of OAuth, if one of them is given. */
function oauthIn({ clientId, clientSecret, tokenKey }: OAuthTexts, wrong: (message: string) => void): OAuthOptions | undefined {
  if (clientId === undefined && clientSecret === undefined) return undefined
  const key = keyIn(tokenKey ?? '')
  if (clientId === undefined) wrong('clientId: expected the client ID, because there is a client secret; set SLACK_CLIENT_ID')
  if (clientSecret === undefined)
    wrong('clientSecret: expected the client secret, because there is a client ID; set SLACK_CLIENT_SECRET')
  if (!key) {
    const given = tokenKey === undefined ? 'none' : 'a key of another length or form'
    wrong(
      `tokenKey: expected 32 bytes in base64 or hexadecimal, got ${given}; set SLACK_TOKEN_KEY to the output of "openssl rand -base64 32"`,
    )
  }
  return { clientId: clientId ?? '', clientSecret: clientSecret ?? '', tokenKey: key ?? Buffer.alloc(0) }
}

export default definePlatform({
  name: 'slack',
  options,
  needs: [ChatCommands],
  migrations: new URL('./migrations/', import.meta.url),
  needsDatabase: ({ oauth }) => oauth !== undefined,
  servesHttp: ({ signingSecret, oauth }) => signingSecret !== undefined || oauth !== undefined,
  // Loaded on use, because Bolt is large.
  async invite(options) {
    const { invite } = await import('./invite.ts')
    return invite(options)
  },
  async check(options) {
    const { check } = await import('./check.ts')
    return check(options)
  },
  async setup(ctx, options) {
    const { createPlatform } = await import('./platform.ts')
    return createPlatform(ctx, options)
  },
})
