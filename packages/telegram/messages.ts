/** Messages of Telegram as messages of the bot. */
import type { Message, MessageEntity, User } from 'grammy/types'
import type { Attachment, IncomingMessage, Person } from 'kikimimi'
import { type MessagePart, type Outgoing, withMentions } from 'kikimimi/platform'

/** The bot's account. */
export interface Me extends Person {
  /** The name in mentions, without `@`. */
  readonly username: string
}

/** What a message is read with. */
export interface Reader {
  me(): Me
  /** Milliseconds. */
  now(): number
  /** The start of the addresses of files. */
  readonly filesUrl: string
}

type Place = IncomingMessage['conversation']

export function personOf({ id, first_name: first, last_name: last, is_bot: bot }: User): Person {
  return { id: String(id), name: [first, last].filter(Boolean).join(' '), ...(bot && { bot }) }
}

/**
 * A group belongs to its admins, so it is a workspace of its own; with a user name it is public. A topic of a forum is a thread; answers
 * elsewhere have a thread id too.
 */
export function placeOf({ chat, ...message }: Pick<Message, 'chat'> & Partial<Message>): Place {
  const { is_topic_message: inTopic, message_thread_id: topic, reply_to_message: root } = message
  const threadName = root?.forum_topic_created?.name
  return {
    platform: 'telegram',
    workspace: chat.type === 'private' ? '' : String(chat.id),
    channel: String(chat.id),
    ...(inTopic && topic !== undefined && { thread: String(topic) }),
    name: chat.title ?? chat.first_name ?? String(chat.id),
    visibility: chat.type === 'private' ? 'direct' : chat.username ? 'public' : 'private',
    ...(chat.title !== undefined && { details: { workspaceName: chat.title, ...(inTopic && threadName && { threadName }) } }),
  }
}

/**
 * The `@` of a user name, which would notify the person: not that of an e-mail address, and not in code, which people copy. A word joiner
 * behind it shows nothing.
 */
const USER_NAME = /(```[^`]*```|`[^`\n]*`)|(?<!\w)@(?=\w)/g

/** The text of a message of the bot, with mentions of the people whom it notifies: https://core.telegram.org/bots/api#messageentity */
export function written(
  text: string,
  notify?: Outgoing['notify'],
): { text: string; entities: MessageEntity.TextMentionMessageEntity[] } {
  const entities: MessageEntity.TextMentionMessageEntity[] = []
  let said = ''
  for (const piece of withMentions(text, notify)) {
    if (typeof piece === 'string') {
      said += piece.replace(USER_NAME, (_match, code?: string) => code ?? '@\u2060')
      continue
    }
    const { id, name } = piece
    const user = { id: Number(id), is_bot: false, first_name: name }
    entities.push({ type: 'text_mention', offset: said.length, length: name.length, user })
    said += name
  }
  return { text: said, entities }
}

export function incoming(message: Message, reader: Reader): IncomingMessage {
  const { reply_to_message: answered } = message
  // The first message of a topic stands for the topic.
  const replied = answered?.forum_topic_created ? undefined : answered && bare(answered, reader)
  return {
    ...bare(message, reader),
    ...(replied && { replyTo: { id: replied.id, author: replied.author.id, message: replied } }),
  }
}

/** A message without what it answers. */
function bare(message: Message, reader: Reader): IncomingMessage {
  return {
    id: String(message.message_id),
    conversation: placeOf(message),
    // Telegram tells the second. At its end, the message is not before what the bot said in the same second.
    at: new Date(Math.min(reader.now(), message.date * 1_000 + 999)),
    author: authorOf(message),
    ...saidIn(message, reader),
    // An admin of the group who writes as the group.
    ...(message.sender_chat?.id === message.chat.id && { admin: true }),
  }
}

/** What a message says, also after an edit. */
export function saidIn(message: Message, { me, filesUrl }: Reader) {
  const text = message.text ?? message.caption ?? ''
  const entities = message.entities ?? message.caption_entities ?? []
  return {
    text: withAddresses(text, entities),
    mentions: entities.flatMap(entity => mentioned(entity, text, me())),
    attachments: filesIn(message, filesUrl),
    parts: partsIn(message),
  }
}

/** The address of a link stands behind its words, as people see it when they touch it. */
function withAddresses(text: string, entities: readonly MessageEntity[]): string {
  // From the end, so that the places before it stay.
  return entities.toReversed().reduce((shown, entity) => {
    const end = entity.offset + entity.length
    return entity.type === 'text_link' && !shown.slice(entity.offset, end).includes(entity.url)
      ? `${shown.slice(0, end)} (${entity.url})${shown.slice(end)}`
      : shown
  }, text)
}

function authorOf({ from, sender_chat: as }: Message): Person {
  if (as) return { id: String(as.id), name: as.title ?? String(as.id) }
  return from ? personOf(from) : { id: '', name: '' }
}

/** A mention by user name has no id: only that of the bot is known. */
function mentioned(entity: MessageEntity, text: string, me: Me): Person[] {
  if (entity.type === 'text_mention') return [personOf(entity.user)]
  if (entity.type !== 'mention') return []
  const name = text.slice(entity.offset + 1, entity.offset + entity.length)
  return name.toLowerCase() === me.username.toLowerCase() ? [me] : [{ id: `@${name.toLowerCase()}`, name }]
}

function filesIn({ photo = [], document, voice, audio, video }: Message, filesUrl: string): Attachment[] {
  // A picture comes in several sizes, the largest last.
  const pictures = photo.slice(-1).map(size => ({ ...size, mime_type: 'image/jpeg', file_name: undefined }))
  const files = [...pictures, document, audio, video, voice && { ...voice, file_name: undefined }]
  return files.flatMap(file => {
    if (!file) return []
    const { file_id: id, mime_type: type, file_name: name } = file
    return [{ url: `${filesUrl}${encodeURIComponent(id)}`, ...(type && { type }), ...(name && { name }) }]
  })
}

function partsIn({ sticker, poll }: Message): MessagePart[] {
  if (sticker) return [{ kind: 'sticker', title: sticker.emoji ?? sticker.set_name ?? 'sticker' }]
  if (!poll) return []
  return [{ kind: 'poll', title: poll.question, text: poll.options.map(one => `${one.text}: ${one.voter_count}`).join('\n') }]
}
