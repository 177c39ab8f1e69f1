/** Who is in a talk with the bot need not call it again in the thread of its answer. */
import type { PlatformContext, Stages } from 'kikimimi'

/** Who has been silent for longer than that has left the talk. */
const LATEST = 200

/**
 * In a thread of one person and the bot, what stands right after the bot's words is a reply to them, and so is all that
 * stands in a thread under them.
 */
export function goesOn({ history }: Pick<PlatformContext, 'history'>): Stages['address'] & {} {
  return async ({ conversation, author, replyTo }) => {
    if (conversation.platform !== 'slack' || conversation.thread === undefined) return
    // What is said in a thread answers its first message, unless that is the bot's own.
    const isUnderOwn = replyTo === undefined
    if (!isUnderOwn && replyTo.author !== author.id) return
    const said = await history(conversation, LATEST)
    const isOfTwo = said.every(message => message.own || message.author.id === author.id)
    return isOfTwo && (isUnderOwn || said.at(-1)?.own) ? 'reply' : undefined
  }
}
