/** Connects the bot to Slack. */
import { definePlatform, duration } from 'kikimimi'
import { z } from 'zod'

const options = z
  .strictObject({
    botToken: z
      .string()
      .default(() => process.env.SLACK_BOT_TOKEN ?? '')
      .refine(token => token.startsWith('xoxb-'), {
        error: 'expected the Bot User OAuth Token, which begins with xoxb-; set SLACK_BOT_TOKEN',
      })
      .describe('The Bot User OAuth Token, `xoxb-…`. Default: `SLACK_BOT_TOKEN`.'),
    appToken: z
      .string()
      .optional()
      .refine(token => token === undefined || token.startsWith('xapp-'), {
        error: 'expected an App-Level Token, which begins with xapp-',
      })
      .describe('App-Level Token with `connections:write`, `xapp-…`, for Socket Mode. Default: `SLACK_APP_TOKEN`.'),
    signingSecret: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Signing secret, for events over HTTP at `/slack/events` instead of Socket Mode. Default: `SLACK_SIGNING_SECRET`.',
      ),
    apiUrl: z
      .url()
      .default(() => process.env.SLACK_API_URL || 'https://slack.com/api/')
      .describe('URL of the Web API: a proxy or a test server. Default: `SLACK_API_URL`, or Slack’s own.'),
    streaming: z.boolean().default(true).describe('Whether people see an answer while it is written.'),
    timeout: duration.prefault('10s').describe('Time limit of one call to Slack.'),
  })
  .prefault({})
  .transform(given => {
    // Options of bot.config.ts have priority over the environment.
    if (given.appToken !== undefined || given.signingSecret !== undefined) return given
    const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = process.env
    return appToken ? { ...given, appToken } : { ...given, ...(signingSecret && { signingSecret }) }
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

export default definePlatform({
  name: 'slack',
  options,
  migrations: new URL('./migrations/', import.meta.url),
  needsDatabase: () => false,
  servesHttp: ({ signingSecret }) => signingSecret !== undefined,
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
