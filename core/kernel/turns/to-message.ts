import type { Address, IncomingMessage, Message } from '../../api/index.ts'

/** A message as the bot keeps it. */
export function recorded(
  message: IncomingMessage,
  { own, addressed, missed }: { own: boolean; addressed?: Address | undefined; missed?: boolean },
): Message {
  const { id, author, text, at, mentions = [], replyTo, attachments = [] } = message
  return {
    id,
    author,
    text,
    at,
    mentions,
    ...(replyTo && { replyTo: replyTo.id }),
    attachments,
    own,
    ...(missed && { missed }),
    ...(addressed && { addressed }),
  }
}
