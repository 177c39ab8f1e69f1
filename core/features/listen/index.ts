/** Where the bot listens, as people set it in the chat; and two bots that answer each other: the bot is silent until a person writes. */
import { z } from 'zod'
import { conversationId, definePlugin, type Plugin, type Setting, type Silence, type Turn } from '../../api/index.ts'

export const LISTEN = 'kikimimi-listen'

const options = z
  .strictObject({
    listen: z
      .boolean()
      .default(true)
      .describe('Whether the bot reads this channel, as far as `listen` in bot.config.ts allows it.'),
  })
  .prefault({})

/** How often in a row the bot answers other bots. */
const AMONG_BOTS = 5

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

function amongBots({ messages, history }: Turn): Silence | undefined {
  if (!messages.every(({ author }) => author.bot)) return undefined
  const person = history.findLastIndex(({ own, author }) => !own && !author.bot)
  const spoken = history.slice(person + 1).filter(({ own }) => own)
  return spoken.length < AMONG_BOTS ? undefined : { kind: 'silent', why: 'the limit of replies to bots in a row is reached' }
}
