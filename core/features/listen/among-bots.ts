/** Two bots that answer each other: the bot is silent until a person writes. */
import type { Message, Silence, Turn } from '../../api/index.ts'

/** How often in a row the bot answers other bots. */
const IN_A_ROW = 5
/**
 * The same for an account that does not say that it is a bot, when it answers faster than people type: within so many milliseconds, so many
 * times in a row. People paste long texts too, but not so soon after they have read an answer.
 */
const TOO_FAST = [
  { within: 3_000, times: IN_A_ROW },
  { within: 15_000, times: 3 * IN_A_ROW },
]
/** Characters a second. The fastest typists reach 18: https://en.wikipedia.org/wiki/Words_per_minute */
const TYPED = 20
/** The account is answered again after so many milliseconds. */
const PAUSE = 15_000
/** A shorter text is written fast. */
const SHORT = 20

export function amongBots(turn: Turn): Silence | undefined {
  const { messages, history, conversation } = turn
  if (messages.every(({ author }) => author.bot)) {
    const person = history.findLastIndex(({ own, author }) => !own && !author.bot)
    const spoken = history.slice(person + 1).filter(({ own }) => own)
    return spoken.length < IN_A_ROW ? undefined : { kind: 'silent', why: 'the limit of replies to bots in a row is reached' }
  }
  if (conversation.visibility === 'direct') return undefined
  const [before, latest] = history.slice(-2)
  // A person who was taken for a bot is answered again after a pause.
  if (!before || !latest || latest.at.getTime() - before.at.getTime() > PAUSE) return undefined
  const waits = waitsOf(history)
  const isBot = TOO_FAST.some(({ within, times }) => waits.length >= times && waits.slice(-times).every(ms => ms < within))
  return isBot
    ? { kind: 'silent', why: 'the account answers faster than people type, like a bot: the limit of replies in a row' }
    : undefined
}

/**
 * The milliseconds between each answer of the bot and the next message, at the end of a talk with one account alone, as far as this account
 * wrote faster than people type.
 */
function waitsOf(history: readonly Message[]): readonly number[] {
  const waits: number[] = []
  const account = history.at(-1)?.author.id
  for (let at = history.length - 1; at > 0; at--) {
    const [before, message] = [history[at - 1], history[at]]
    if (!before || !message || (!message.own && message.author.id !== account)) break
    if (message.own || !before.own) continue
    const ms = message.at.getTime() - before.at.getTime()
    // What came before the answer was not written after it.
    if (ms <= 0 || message.text.length < SHORT || message.text.length / (ms / 1_000) < TYPED) break
    waits.unshift(ms)
  }
  return waits
}
