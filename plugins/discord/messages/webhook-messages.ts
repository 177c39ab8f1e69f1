/** Messages of webhooks, as the messages of the bot that they are. */
import { type APIMessage, MessageType } from 'discord.js'
import type { Conversation } from 'kikimimi'
import { channelIn } from './conversations.ts'
import { type Said, TEXT_LENGTH } from './text.ts'

/** A webhook cannot reply. A small line with a link says which message it answers. */
const QUOTE = /^-# ↪ https:\/\/discord\.com\/channels\/\d+\/\d+\/(\d+)\n/

/** The line. Empty without an answered message, and for a text that leaves no room. */
export function quoteOf(conversation: Conversation, text: string, replyTo: string | undefined): string {
  if (replyTo === undefined) return ''
  const line = `-# ↪ https://discord.com/channels/${conversation.workspace}/${channelIn(conversation)}/${replyTo}\n`
  return line.length + text.length <= TEXT_LENGTH ? line : ''
}

/** The line in a text, or nothing. */
export function quotedIn(text: string): string {
  return QUOTE.exec(text)?.[0] ?? ''
}

/** Whether a message of the bot answers another one. The line may have had no room. */
export function answersTo(
  message: Pick<APIMessage, 'message_reference' | 'webhook_id' | 'content'>,
  replyTo: string | undefined,
) {
  const { message_reference: reference, webhook_id, content } = message
  if (reference?.message_id === replyTo) return true
  return webhook_id !== undefined && reference === undefined && content.length > TEXT_LENGTH - QUOTE_ROOM
}

/** The longest line: three ids of 20 digits. */
const QUOTE_ROOM = 100

/**
 * A message of a webhook of the bot as one of its account, with the answered message in its place. Others stay as they are.
 * @param application the id of the bot's application
 */
export function asOwn<T extends Said | APIMessage>(message: T, me: string, application: string): T {
  const { author, application_id, content, channel_id, referenced_message: answered, webhook_id } = message
  const told = answered ? { referenced_message: asOwn(answered, me, application) } : {}
  // An edit by Discord, such as a link preview, has no author.
  if (webhook_id === undefined || application_id !== application || !author || author.id === me) return { ...message, ...told }
  const quoted = QUOTE.exec(content)
  return {
    ...message,
    author: { ...author, id: me, bot: true },
    // Its name here, instead of that of the account.
    member: { nick: author.username },
    ...(quoted && {
      content: content.slice(quoted[0].length),
      type: MessageType.Reply,
      message_reference: { message_id: quoted[1], channel_id },
    }),
  }
}
