/** Connects the bot to Telegram with grammY. */
import { type Finding, secretOption } from 'kikimimi'
import { definePlatform } from 'kikimimi/platform'
import { z } from 'zod'

const options = z
  .strictObject({
    token: secretOption('TELEGRAM_TOKEN', 'Token of the bot, from @BotFather.', 'the token that @BotFather gives after /newbot'),
    streaming: z
      .enum(['direct', 'everywhere', 'off'])
      .default('direct')
      .describe('Where people see an answer while it is written: in direct messages, everywhere, or nowhere.'),
    apiUrl: z
      .url()
      .default('https://api.telegram.org')
      .transform(url => url.replace(/\/$/, ''))
      .describe('URL of the Bot API: a server of your own, or a test server.'),
  })
  .prefault({})

export default definePlatform({
  name: 'telegram',
  options,
  // Loaded on use, because `kikimimi --help` needs no grammY.
  async check(given) {
    const { check } = await import('./check.ts')
    return check(given) satisfies Promise<readonly Finding[]>
  },
  async setup(ctx, given) {
    const { createPlatform } = await import('./platform.ts')
    return { platform: createPlatform(ctx, given) }
  },
})

/** The options with their defaults. */
export type TelegramOptions = z.output<typeof options>
