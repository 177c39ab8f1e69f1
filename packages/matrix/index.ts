/** Connects the bot to Matrix with matrix-js-sdk. */
import { secretOption } from 'kikimimi'
import { definePlatform } from 'kikimimi/platform'
import { z } from 'zod'

const options = z.strictObject({
  homeserver: z
    .url()
    .transform(url => url.replace(/\/$/, ''))
    .describe('URL of the homeserver where the bot has its account, such as `https://matrix.org`.'),
  token: secretOption(
    'MATRIX_TOKEN',
    'Access token of the account.',
    'the access token of the account: in Element, Settings → Help & About → Access Token',
  ),
  invites: z
    .enum(['server', 'everybody', 'off'])
    .default('server')
    .describe('Whose invitations the bot accepts: those from its own homeserver, from everybody, or none.'),
})

export default definePlatform({
  name: 'matrix',
  options,
  // Loaded on use, because `kikimimi --help` needs no client.
  async check(given) {
    const { check } = await import('./check.ts')
    return check(given)
  },
  async setup(ctx, given) {
    const { createPlatform } = await import('./platform.ts')
    return { platform: createPlatform(ctx, given) }
  },
})

/** The options with their defaults. */
export type MatrixOptions = z.output<typeof options>
