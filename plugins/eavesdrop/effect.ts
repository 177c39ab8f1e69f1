import type { Message } from 'kikimimi'

/** What people did after an intervention. */
export interface Effect {
  /** What the people of the talk said further, and who replied to the bot. */
  readonly messages: number
  /** By how many people. */
  readonly people: number
  /** Replies to what the bot said. */
  readonly replies: number
  /** People who put an emoji under it. */
  readonly reactions: number
}

/**
 * @param said when the bot spoke, the ids of what it posted, and whose talk that was
 * @param history the conversation since, oldest first; what was before it is left out
 */
export function effectOf(
  { at, sent, people }: { readonly at: Date; readonly sent: readonly string[]; readonly people: readonly string[] },
  history: readonly Message[],
): Effect {
  const posted = history.findLastIndex(({ id }) => sent.includes(id))
  const later = posted < 0 ? history.filter(message => message.at > at) : history.slice(posted + 1)
  const replies = later.filter(({ own, replyTo }) => !own && replyTo !== undefined && sent.includes(replyTo))
  const counted = later.filter(message => !message.own && (people.includes(message.author.id) || replies.includes(message)))
  const own = history.filter(({ id }) => sent.includes(id))
  const reacted = own.flatMap(({ reactions = [], author }) => reactions.flatMap(({ by }) => by.filter(one => one !== author.id)))
  return {
    messages: counted.length,
    people: new Set(counted.map(({ author }) => author.id)).size,
    replies: replies.length,
    reactions: new Set(reacted).size,
  }
}
