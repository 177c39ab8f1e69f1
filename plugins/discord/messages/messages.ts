/** Converts messages of Discord. */
import { type APIGuildMember, type APIMessage, type APIUser, MessageFlags, MessageReferenceType, MessageType } from 'discord.js'
import type { Attachment, Conversation, IncomingMessage, Person } from 'kikimimi'

/** Messages of the gateway have the memberships of author and mentioned people, those of the history have not. */
export type Said = Omit<APIMessage, 'mentions'> & {
  readonly guild_id?: string
  readonly member?: Pick<APIGuildMember, 'nick'>
  readonly mentions: readonly (APIUser & { readonly member?: Pick<APIGuildMember, 'nick'> })[]
}

/** Names of ids in a text. */
export interface Names {
  user(id: string): string | undefined
  role(id: string): string | undefined
  channel(id: string): string | undefined
  /** The bot's own account and its own role, which people mention by mistake. */
  isMe(id: string): boolean
  readonly me: Person
}

/** Messages of people. Others are notices: joins, pins, new threads. */
const WRITTEN = new Set([MessageType.Default, MessageType.Reply, MessageType.ChatInputCommand, MessageType.ContextMenuCommand])

/** Undefined for a notice, and for "thinking…", which is replaced by an answer. */
export function incoming(message: Said, conversation: Omit<Conversation, 'id'>, names: Names): IncomingMessage | undefined {
  if (!WRITTEN.has(message.type) || (message.flags ?? 0) & MessageFlags.Loading) return undefined
  const { message_reference: reference, referenced_message: answered } = message
  const isReply = reference?.message_id !== undefined && reference.type !== MessageReferenceType.Forward
  return {
    id: message.id,
    conversation,
    author: personOf(message.author, message.member?.nick ?? names.user(message.author.id), message.webhook_id !== undefined),
    text: textOf(message, names),
    at: new Date(message.timestamp),
    mentions: mentionsIn(message, names),
    ...(isReply && { replyTo: { id: reference.message_id ?? '', ...(answered && { author: answered.author.id }) } }),
    attachments: attachmentsOf(message),
  }
}

/** The text as people read it, with names instead of ids. */
export function textOf(message: Pick<Said, 'content' | 'mentions' | 'message_snapshots'>, names: Names): string {
  const mentioned = new Map(message.mentions.map(user => [user.id, nameOf(user, user.member?.nick)]))
  const content = message.content || (message.message_snapshots?.[0]?.message.content ?? '')
  return content
    .replace(/<@!?(\d+)>/g, (raw, id) => at(names.isMe(id) ? names.me.name : (mentioned.get(id) ?? names.user(id)), raw))
    .replace(/<@&(\d+)>/g, (raw, id) => at(names.isMe(id) ? names.me.name : names.role(id), raw))
    .replace(/<#(\d+)>/g, (raw, id) => (names.channel(id) === undefined ? raw : `#${names.channel(id)}`))
    .replace(/<a?(:\w+:)\d+>/g, '$1')
    .replace(/<(\/[^:>]+):\d+>/g, '$1')
    .replace(/<t:(\d{1,12})(?::\w)?>/g, (_, seconds) => new Date(Number(seconds) * 1_000).toISOString().slice(0, 16))
}

function at(name: string | undefined, raw: string): string {
  return name === undefined ? raw : `@${name}`
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

function nameOf(user: APIUser, nick?: string | null): string {
  return nick || user.global_name || user.username
}

function attachmentsOf({ attachments, sticker_items = [], message_snapshots = [] }: Said): Attachment[] {
  const files = [...attachments, ...message_snapshots.flatMap(({ message }) => message.attachments)]
  return [
    ...files.map(({ url, content_type: type, filename: name }) => ({ url, ...(type !== undefined && { type }), name })),
    ...sticker_items.map(({ id, name }) => ({ url: `https://media.discordapp.net/stickers/${id}.png`, type: 'image/png', name })),
  ]
}
