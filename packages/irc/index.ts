/** Connects the bot to IRC with irc-framework. */
import { duration } from 'kikimimi'
import { definePlatform } from 'kikimimi/platform'
import { z } from 'zod'

const options = z.strictObject({
  host: z.string().min(1).describe('Host name of a server of the network.'),
  port: z.int().min(1).max(65_535).default(6_697).describe('Port of the server.'),
  tls: z.boolean().default(true).describe('Whether the connection is encrypted.'),
  channels: z
    .array(z.string().regex(/^[#&+!]/, 'expected a channel such as #general'))
    .nonempty()
    .describe('Channels to join.'),
  nick: z
    .string()
    .min(1)
    .max(30)
    .optional()
    .describe('Nick of the bot. With `_` at its end when it is taken. Default: its name.'),
  account: z
    .string()
    .min(1)
    .optional()
    .describe('Account to log in to with SASL. Default: none; a password is then that of the server.'),
  password: z
    .string()
    .min(1)
    .optional()
    .describe('Password of the account or the server. Default: the environment’s `IRC_PASSWORD`.')
    .meta({ environment: 'IRC_PASSWORD' }),
  burst: z.int().min(1).default(5).describe('Number of lines that the bot sends at once.'),
  pause: duration
    .default('2s')
    .describe('Time between two lines after a burst. Most servers cut a client off that sends faster.'),
})

export default definePlatform({
  name: 'irc',
  options,
  // Loaded on use, because `kikimimi --help` needs no client.
  async setup(ctx, { nick = ctx.bot.name, password = process.env.IRC_PASSWORD || undefined, ...rest }) {
    const { createPlatform } = await import('./platform.ts')
    return { platform: createPlatform(ctx, { ...rest, nick, password }) }
  },
})

/** The options with their defaults. */
export type IrcOptions = z.output<typeof options> & { readonly nick: string }
