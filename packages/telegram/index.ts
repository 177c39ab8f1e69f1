/** Connects the bot to Telegram with grammY. */
import { definePlatform, type Finding, KikimimiError } from 'kikimimi'
import { z } from 'zod'

const options = z
  .strictObject({
    token: z
      .string()
      .trim()
      .optional()
      .describe('Token of the bot, from @BotFather. Default: the environment’s `TELEGRAM_TOKEN`.')
      .meta({ environment: 'TELEGRAM_TOKEN', asked: true }),
    streaming: z
      .enum(['direct', 'everywhere', 'off'])
      .default('direct')
      .describe('Where people see an answer while it is written: in direct messages, everywhere, or nowhere.'),
    apiUrl: z.url().default('https://api.telegram.org').describe('URL of the Bot API: a server of your own, or a test server.'),
  })
  .prefault({})

export default definePlatform({
  name: 'telegram',
  options,
  // Loaded on use, because `kikimimi --help` needs no grammY.
  async check(given) {
    const { check } = await import('./check.ts')
    return check(completed(given)) satisfies Promise<readonly Finding[]>
  },
  async setup(ctx, given) {
    const { createPlatform } = await import('./platform.ts')
    return { platform: createPlatform(ctx, completed(given)) }
  },
})

/** The options with values of the environment. */
function completed({ token = process.env.TELEGRAM_TOKEN?.trim(), apiUrl, ...rest }: z.output<typeof options>) {
  if (token) return { ...rest, token, apiUrl: apiUrl.replace(/\/$/, '') }
  throw new KikimimiError(
    'OPTIONS_INVALID',
    '[telegram] has no token. Set TELEGRAM_TOKEN to the one that @BotFather gives after /newbot.',
  )
}
