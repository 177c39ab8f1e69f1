import { addressees, type Message } from '../../api/index.ts'

/** Maximum time since the last message between the bot and a partner. */
export const LASTS_MS = 10 * 60_000
/** A message of the bot that addresses no one answers the message before it, if that is not older than this. */
const ANSWERS_WITHIN_MS = 2 * 60_000

/**
 * Whether the author of a message talks with the bot: the bot and this person addressed each other, and this person has not
 * addressed anyone else since.
 * @param history the conversation, oldest first, with the message
 */
export function isPartner(message: Message, history: readonly Message[]): boolean {
  const person = message.author.id
  const end = history.findIndex(({ id }) => id === message.id)
  for (let at = end; at >= 0; at--) {
    const one = history[at]
    if (!one || message.at.getTime() - one.at.getTime() > LASTS_MS) return false
    const to = addressees(one, history)
    if (one.own) {
      if (to.has(person) || (to.size === 0 && answeredBy(one, history.slice(0, at)) === person)) return true
    } else if (one.author.id === person) {
      if (one.addressed) return true
      if (to.size > 0) return false
    } else if (to.has(person)) return false
  }
  return false
}

function answeredBy({ at }: Message, before: readonly Message[]): string | undefined {
  const last = before.findLast(({ own }) => !own)
  return last && at.getTime() - last.at.getTime() <= ANSWERS_WITHIN_MS ? last.author.id : undefined
}
