/** Converts messages of Discord. */
import { type APIUser, MessageFlags, MessageType } from 'discord.js'
import type { Conversation, IncomingMessage, Person } from 'kikimimi'
import type { MessageEdit } from 'kikimimi/platform'
import { attachmentsOf, eventOf, partsOf } from './parts.ts'
import { type Names, nameOf, type Said, textOf } from './text.ts'

/** Messages of people. Others are notices: joins, pins, new threads. */
const WRITTEN = new Set([MessageType.Default, MessageType.Reply, MessageType.ChatInputCommand, MessageType.ContextMenuCommand])

/**
 * Undefined for a notice that tells people nothing, and for "thinking…", which is replaced by an answer. The notice at the top
 * of a thread is the message that the thread hangs on.
 */
export function incoming(message: Said, conversation: Omit<Conversation, 'id'>, names: Names): IncomingMessage | undefined {
  const { type, referenced_message: answered, message_reference: reference } = message
  if ((message.flags ?? 0) & MessageFlags.Loading) return undefined
  if (type === MessageType.ThreadStarterMessage) return answered ? incoming(answered, conversation, names) : undefined
  const about = {
    id: message.id,
    conversation,
    author: personOf(message.author, message.member?.nick ?? names.user(message.author.id), message.webhook_id !== undefined),
    at: new Date(message.timestamp),
  }
  if (!WRITTEN.has(type)) {
    // Each message of a direct conversation is answered, and these are none.
    const isNotice = conversation.visibility === 'direct' || names.isMe(message.author.id)
    // The result of a poll that the bot has made is for the bot, too.
    const parts = isNotice && type !== MessageType.PollResult ? [] : eventOf(message, names)
    return parts.length > 0 ? { ...about, text: '', parts } : undefined
  }
  // A forwarded message and a post of a followed channel refer to a message too.
  const target = type === MessageType.Reply ? reference?.message_id : undefined
  const told = target !== undefined && answered ? incoming(answered, conversation, names) : undefined
  return {
    ...about,
    ...saidIn(message, names),
    ...(target !== undefined && {
      replyTo: { id: target, ...(answered && { author: answered.author.id }), ...(told && { message: told }) },
    }),
  }
}

/** What a message says now. */
export function saidIn(message: Said, names: Names): Required<MessageEdit> {
  return {
    text: textOf(message, names),
    mentions: mentionsIn(message, names),
    attachments: attachmentsOf(message),
    parts: partsOf(message, names),
  }
}

/** People that the text mentions. Discord also lists the author of the message that a reply refers to. */
function mentionsIn(message: Said, names: Names): Person[] {
  const ids = new Set(Array.from(message.content.matchAll(/<@[!&]?(\d+)>/g), ([, id = '']) => id))
  const people = message.mentions.filter(({ id }) => ids.has(id) && !names.isMe(id))
  const others = people.map(user => personOf(user, user.member?.nick ?? names.user(user.id)))
  return [...ids].some(id => names.isMe(id)) ? [names.me, ...others] : others
}

export function personOf(user: APIUser, nick?: string | null, webhook = false): Person {
  return { id: user.id, name: nameOf(user, nick), ...((user.bot || webhook) && { bot: true }) }
}
