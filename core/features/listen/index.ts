/** Where the bot listens, as people set it in the chat, and when it stops to answer bots. */
import { z } from 'zod'
import { conversationId, definePlugin, type Plugin, type Setting } from '../../api/index.ts'
import { amongBots } from './among-bots.ts'

export const LISTEN = 'kikimimi-listen'

const options = z
  .strictObject({
    listen: z
      .boolean()
      .default(true)
      .describe('Whether the bot reads this channel, as far as `listen` in bot.config.ts allows it.'),
  })
  .prefault({})

export function listenFeature(): Plugin {
  return definePlugin({
    name: LISTEN,
    options,
    scoped: ['listen'],
    setup: ctx => ({
      filter({ conversation }) {
        const { listen } = ctx.optionsFor({ id: conversationId(conversation), ...conversation })
        return listen ? undefined : 'people switched listening off here'
      },
      decide: amongBots,
    }),
  })()
}

/** Whether these settings of the plugin let the bot listen. */
export function listensWith(settings: readonly Setting[]): boolean {
  return settings.at(-1)?.value !== false
}
