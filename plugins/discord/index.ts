/** The bot in Discord, through discord.js. */
import { definePlugin, duration, KikimimiError } from 'kikimimi'
import { z } from 'zod'
import { createPlatform } from './platform.ts'

const shard = z.int().min(0)

const options = z
  .strictObject({
    token: z.string().trim().optional().describe('The bot’s token. Absent: the environment’s DISCORD_TOKEN.'),
    command: z
      .union([
        z.literal(false),
        z.string().regex(/^[-_\p{Ll}\p{Lo}\p{N}]{1,32}$/u, 'expected lower-case letters, digits, - and _'),
      ])
      .default(false)
      .describe('A slash command that asks the bot, such as `kiki` for `/kiki text`; `false` for none.'),
    shards: z
      .union([z.literal('auto'), z.strictObject({ ids: z.array(shard).min(1), count: z.int().min(1) })])
      .default('auto')
      .describe('Which shards this process runs: as many as Discord recommends, or `{ ids: [0, 1], count: 4 }`.'),
    timeout: duration.prefault('10s').describe('How long one call to Discord may take before it is tried again.'),
    apiUrl: z.url().optional().describe('Another API than Discord’s own: a proxy, or a test’s.'),
  })
  .prefault({})

export default definePlugin({
  name: 'discord',
  options,
  setup(app, { token = process.env.DISCORD_TOKEN?.trim(), ...rest }) {
    if (!token) {
      throw new KikimimiError(
        'OPTIONS_INVALID',
        '[discord] has no token. Set DISCORD_TOKEN to the one under Bot → Reset Token at https://discord.com/developers/applications.',
      )
    }
    return { platform: createPlatform(app, { ...rest, token: token.replace(/^Bot\s+/i, '') }) }
  },
})
