/** Recognises messages in a thread that continue a conversation with the bot without a mention. */
import type { PlatformContext, Stages } from 'kikimimi'

/** Number of last messages that show the participants. */
const LATEST = 200

/**
 * In a thread of one person and the bot, a message directly after the bot's message replies to it. So does every message in
 * a
 * thread under a message of the bot.
 */
export function goesOn({ history }: Pick<PlatformContext, 'history'>): Stages['address'] & {} {
  return async ({ conversation, author, replyTo }) => {
    if (conversation.platform !== 'slack' || conversation.thread === undefined) return
    // A message of a thread replies to its first message, unless the bot wrote that one.
    const isUnderOwn = replyTo === undefined
    if (!isUnderOwn && replyTo.author !== author.id) return
    const said = await history(conversation, LATEST)
    const isOfTwo = said.every(message => message.own || message.author.id === author.id)
    return isOfTwo && (isUnderOwn || said.at(-1)?.own) ? 'reply' : undefined
  }
}
