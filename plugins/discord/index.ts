/** Connects the bot to Discord with discord.js. */
import { duration, KikimimiError } from 'kikimimi'
import { ChatCommands, definePlatform } from 'kikimimi/platform'
import { z } from 'zod'
import { DiscordVoice } from './voice/service.ts'

export { DiscordVoice, type VoiceListener, type VoiceRoom } from './voice/service.ts'

const options = z
  .strictObject({
    token: z
      .string()
      .trim()
      .optional()
      .describe('Token of the bot. Default: the environment’s `DISCORD_TOKEN`.')
      .meta({ environment: 'DISCORD_TOKEN', asked: true }),
    shards: z
      .union([z.literal('auto'), z.int().min(1)])
      .default('auto')
      .describe('Number of shards. `auto`: as many as Discord recommends.'),
    streaming: z
      .enum(['direct', 'everywhere', 'off'])
      .default('direct')
      .describe('Where people see an answer while it is written: in direct messages, everywhere, or nowhere.'),
    waiting: z
      .union([z.string().min(1), z.literal(false)])
      .default('👀')
      .describe('Emoji on a question in a server whose answer takes more than 3 seconds, until it is there. `false`: none.'),
    buttons: z
      .enum(['direct', 'everywhere', 'off'])
      .default('direct')
      .describe('Where answers have buttons: in direct messages, everywhere, or nowhere. Reactions work everywhere.'),
    threads: z
      .boolean()
      .default(false)
      .describe(
        'Whether an answer that is too long for one message is posted in a thread on its question. Requires Create Public Threads and Send Messages in Threads.',
      ),
    timeout: duration.default('10s').describe('Time limit of one call to Discord. A call that exceeds it is tried again.'),
    userInstall: z
      .boolean()
      .default(false)
      .describe(
        'Whether people can use the command of the bot everywhere, also where the bot is no member. Requires User Install under Installation of the application.',
      ),
    apiUrl: z
      .url()
      .optional()
      .describe('URL of the API: a proxy or a test server. Default: the environment’s `DISCORD_API_URL`, or Discord’s own.')
      .meta({ environment: 'DISCORD_API_URL' }),
  })
  .prefault({})

export default definePlatform({
  name: 'discord',
  options,
  needs: [ChatCommands],
  provides: [DiscordVoice],
  migrations: new URL('./migrations/', import.meta.url),
  needsDatabase: () => false,
  // Loaded on use, because discord.js is large.
  async invite(given, bot) {
    const { invite } = await import('./invite.ts')
    return invite(completed(given), { usesVoice: bot.optionsOf('voice') !== undefined, hasNames: bot.otherNames.length > 0 })
  },
  async check(given) {
    const { check } = await import('./check.ts')
    return check(completed(given))
  },
  async setup(ctx, given) {
    const { createPlatform } = await import('./platform.ts')
    return createPlatform(ctx, completed(given))
  },
})

type Given = z.output<typeof options>

/** The options with values of the environment. */
function completed({
  token = process.env.DISCORD_TOKEN?.trim(),
  apiUrl = process.env.DISCORD_API_URL || undefined,
  ...rest
}: Given) {
  if (token) return { ...rest, apiUrl, token: token.replace(/^Bot\s+/i, '') }
  throw new KikimimiError(
    'OPTIONS_INVALID',
    '[discord] has no token. Set DISCORD_TOKEN to the one under Bot → Reset Token at https://discord.com/developers/applications.',
  )
}
