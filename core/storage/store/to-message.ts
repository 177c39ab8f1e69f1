import type { Address, Conversation, Drop, IncomingMessage, Message } from '../../api/index.ts'

/** The message in the form in which the bot keeps it. */
export function toMessage(
  message: IncomingMessage,
  {
    own,
    addressed,
    refused,
    missed,
  }: { own: boolean; addressed?: Address | undefined; refused?: string | undefined; missed?: boolean },
): Message {
  const { id, author, text, at, mentions = [], replyTo, attachments = [], parts = [] } = message
  return {
    id,
    author,
    text,
    at,
    mentions,
    ...(replyTo && { replyTo: replyTo.id }),
    attachments,
    ...(parts.length > 0 && { parts }),
    own,
    ...(missed && { missed }),
    ...(addressed && { addressed }),
    ...(refused !== undefined && { refused }),
  }
}

/** The report of a dropped message, without its text and its author. */
export function toDrop(
  message: Pick<IncomingMessage, 'id'> & Partial<IncomingMessage>,
  conversation: Conversation,
  { plugin, why }: Pick<Drop, 'plugin' | 'why'>,
  at: Date,
): Drop {
  return {
    platform: conversation.platform,
    ...(conversation.visibility !== 'direct' && { conversation }),
    at,
    ...(plugin !== undefined && { plugin }),
    why: plugin !== undefined && tells(why, message) ? 'redacted: the reason names the author or quotes the message' : why,
  }
}

/** Whether a reason names the author or contains the whole text. Reasons of `listen` are the kernel's own words. */
function tells(why: string, { author, text }: Partial<IncomingMessage>): boolean {
  return [author?.id, author?.name, text?.trim()].some(it => it !== undefined && it.length > 1 && why.includes(it))
}
