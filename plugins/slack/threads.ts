/** Who is in a talk with the bot need not call it again in the thread of its answer. */
import type { App, Stages } from 'kikimimi'

/** What stands in a thread of one person and the bot, right after the bot's words, is a reply to them. */
export function goesOn({ history }: Pick<App, 'history'>): Stages['address'] & {} {
  return async ({ conversation, author, replyTo }) => {
    if (conversation.platform !== 'slack' || conversation.thread === undefined || replyTo?.author !== author.id) return
    const said = await history(conversation)
    const isOfTwo = said.every(message => message.own || message.author.id === author.id)
    return isOfTwo && said.at(-1)?.own ? 'reply' : undefined
  }
}
