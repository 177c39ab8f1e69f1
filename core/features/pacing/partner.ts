import type { Message } from '../../api/index.ts'

/** After this time without a message between them, a person is no partner any more. */
const LASTS_MS = 10 * 60_000
/** Words of the bot to nobody in particular answer the message before them, within this time. */
const ANSWERS_WITHIN_MS = 2 * 60_000

/**
 * Whether the author of a message talks with the bot: the bot and this person addressed each other, and this person has addressed
 * nobody else since.
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

/** Ids of the people that a message mentions or answers. */
function addressees({ mentions, replyTo }: Message, history: readonly Message[]): ReadonlySet<string> {
  const answered = replyTo === undefined ? undefined : history.find(({ id }) => id === replyTo)
  return new Set([...mentions.map(({ id }) => id), ...(replyTo === undefined ? [] : [answered?.author.id ?? UNKNOWN])])
}

/** An author who is not in the history. */
const UNKNOWN = ''

function answeredBy({ at }: Message, before: readonly Message[]): string | undefined {
  const last = before.findLast(({ own }) => !own)
  return last && at.getTime() - last.at.getTime() <= ANSWERS_WITHIN_MS ? last.author.id : undefined
}
