import type { Conversation, Duration, IncomingMessage } from '../../api/plugin.ts'

/** Whom and where the bot listens to at all. What is not listened to is never recorded. */
export interface Listen {
  /** Only these channels, by name or id. Default: all. */
  readonly channels?: readonly string[]
  /** Never these channels, by name or id. */
  readonly except?: readonly string[]
  /** Direct messages. Default: yes. */
  readonly direct?: boolean
  /** Who addressed the bot while it was away is answered when that is not longer ago. Default `'10m'`; 0: nobody. */
  readonly missed?: Duration
  /** Other bots. Default: no. Where they are heard, the bot answers them five times in a row, and no more until a person speaks. */
  readonly bots?: boolean
}

/** Why a message is not listened to, or nothing. */
export function ignored(message: IncomingMessage, conversation: Conversation, listen: Listen): string | undefined {
  if (message.author.bot && !listen.bots) return 'said by another bot'
  if (message.text.trim() === '' && !message.attachments?.length) return 'empty'
  return ignoredIn(conversation, listen)
}

/** Whether what people say there is heard. */
export function hearsIn(conversation: Conversation, listen: Listen): boolean {
  return ignoredIn(conversation, listen) === undefined
}

function ignoredIn(conversation: Conversation, listen: Listen): string | undefined {
  const isHere = (channel: string) => channel === conversation.channel || channel.replace(/^#/, '') === conversation.name
  if (conversation.visibility === 'direct') return listen.direct === false ? 'a direct message' : undefined
  if (listen.except?.some(isHere)) return 'channel is excepted'
  if (listen.channels && !listen.channels.some(isHere)) return 'channel is not listened to'
  return undefined
}
