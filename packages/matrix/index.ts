/** Connects the bot to Matrix with matrix-js-sdk. */
import { definePlatform, KikimimiError } from 'kikimimi'
import { z } from 'zod'

const options = z.strictObject({
  homeserver: z.url().describe('URL of the homeserver where the bot has its account, such as `https://matrix.org`.'),
  token: z
    .string()
    .trim()
    .optional()
    .describe('Access token of the account. Default: the environment’s `MATRIX_TOKEN`.')
    .meta({ environment: 'MATRIX_TOKEN', asked: true }),
  invites: z
    .enum(['server', 'everybody', 'off'])
    .default('server')
    .describe('Whose invitations the bot accepts: those from its own homeserver, from everybody, or none.'),
})

export default definePlatform({
  name: 'matrix',
  options,
  // Loaded on use, because `kikimimi --help` needs no client.
  async check({ invites: _, ...account }) {
    const { check } = await import('./check.ts')
    return check(completed(account))
  },
  async setup(ctx, { invites, ...account }) {
    const { createPlatform } = await import('./platform.ts')
    return { platform: createPlatform(ctx, { ...completed(account), invites }) }
  },
})

/** The account with values of the environment. */
function completed({
  homeserver,
  token = process.env.MATRIX_TOKEN?.trim(),
}: Pick<z.output<typeof options>, 'homeserver' | 'token'>) {
  if (token) return { homeserver: homeserver.replace(/\/$/, ''), token }
  throw new KikimimiError(
    'OPTIONS_INVALID',
    '[matrix] has no token. Set MATRIX_TOKEN to the access token of the account: in Element, Settings → Help & About → Access Token.',
  )
}
