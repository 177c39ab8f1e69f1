import type { Message } from 'kikimimi'

/** The reaction of people to an intervention. */
export interface Effect {
  /** Later messages of the participants and of people who replied to the bot. */
  readonly messages: number
  /** Number of authors of these messages. */
  readonly people: number
  /** Replies to the intervention. */
  readonly replies: number
  /** Number of people who added a reaction to it. */
  readonly reactions: number
}

/**
 * @param said time of the intervention, ids of its messages, and the participants
 * @param history the conversation, oldest first; messages before the intervention are ignored
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
