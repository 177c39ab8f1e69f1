/** Two bots that answer each other: the bot is silent until a person writes. */
import { definePlugin, type Plugin, type Silence, type Turn } from '../../api/index.ts'

/** How often in a row the bot answers other bots. */
const AMONG_BOTS = 5

export function listenFeature(): Plugin {
  return definePlugin({ name: 'kikimimi-listen', setup: () => ({ decide: amongBots }) })()
}

function amongBots({ messages, history }: Turn): Silence | undefined {
  if (!messages.every(({ author }) => author.bot)) return undefined
  const person = history.findLastIndex(({ own, author }) => !own && !author.bot)
  const spoken = history.slice(person + 1).filter(({ own }) => own)
  return spoken.length < AMONG_BOTS ? undefined : { kind: 'silent', why: 'the limit of replies to bots in a row is reached' }
}
