import type { Conversation, Drop, IncomingMessage } from '../../api/index.ts'

/** That a message was dropped, with nothing by which one could tell what it says or who said it. */
export function toDrop(
  message: IncomingMessage,
  conversation: Conversation,
  { plugin, why }: Pick<Drop, 'plugin' | 'why'>,
  at: Date,
): Drop {
  return {
    platform: conversation.platform,
    ...(conversation.visibility !== 'direct' && { conversation }),
    at,
    ...(plugin !== undefined && { plugin }),
    why: plugin !== undefined && tells(why, message) ? 'a reason that says who said what' : why,
  }
}

/** Whether a reason names the author or holds all of the text. Those of `listen` are the kernel's own words. */
function tells(why: string, { author, text }: IncomingMessage): boolean {
  return [author.id, author.name, text.trim()].some(it => it.length > 1 && why.includes(it))
}
