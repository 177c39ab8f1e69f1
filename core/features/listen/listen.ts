import type { Listen } from '../../api/config.ts'
import type { Conversation, IncomingMessage } from '../../api/index.ts'

/** Why the bot does not listen to a message; nothing when it does. */
export function ignored(message: IncomingMessage, conversation: Conversation, listen: Listen): string | undefined {
  if (message.author.bot && !listen.bots) return 'written by another bot'
  if (message.text.trim() === '' && !message.attachments?.length && !message.parts?.length) return 'empty'
  return ignoredIn(conversation, listen)
}

/** Whether the bot records messages of a conversation. */
export function hearsIn(conversation: Conversation, listen: Listen): boolean {
  return ignoredIn(conversation, listen) === undefined
}

/** Whether the name or id of a channel in bot.config.ts means the channel of a conversation. */
export function isChannel(given: string, { channel, name, visibility }: Conversation): boolean {
  return given === channel || (visibility !== 'direct' && given.replace(/^#/, '') === name)
}

function ignoredIn(conversation: Conversation, listen: Listen): string | undefined {
  const isHere = (channel: string) => isChannel(channel, conversation)
  if (conversation.visibility === 'direct') return listen.direct === false ? 'a direct message' : undefined
  if (listen.except?.some(isHere)) return 'channel is excepted'
  if (listen.channels && !listen.channels.some(isHere)) return 'channel is not listened to'
  return undefined
}
