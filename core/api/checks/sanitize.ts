/** Checks and sanitizes input from platforms once, on arrival. The code behind can trust a message. */

import { KikimimiError } from '../../base/errors.ts'
import {
  type Attachment,
  type Conversation,
  type ConversationDetails,
  conversationId,
  type IncomingMessage,
  type MessageEdit,
  type MessagePart,
  type Person,
  type Readers,
} from '../message.ts'

/** Largest length; longer texts are cut. Platforms do not allow such texts, and a prompt could not hold them. */
const TEXT_LENGTH = 40_000
const NAME_LENGTH = 200
const ID_LENGTH = 500
const EMOJI_LENGTH = 100
const TOPIC_LENGTH = 1_000
const PART_LENGTH = 4_000
/** The most parts, files and tags that are kept of one message or conversation. Platforms allow about ten. */
const MOST = 20
/** The most mentions that are kept. A text of the largest length can have thousands; platforms hand in that of the bot first. */
const MENTIONS = 500
const PARTS: ReadonlySet<unknown> = new Set<MessagePart['kind']>(['card', 'poll', 'forward', 'sticker', 'event'])

/**
 * The text in a form that a database and a prompt can hold: without NUL, without half surrogate pairs, of limited length.
 */
export function sanitizeText(text: string, length = TEXT_LENGTH): string {
  const cut = text.length > length ? text.slice(0, length) : text
  return (cut.includes('\0') ? cut.replaceAll('\0', '') : cut).toWellFormed()
}

/** Stands at the end of a message that was cut. */
const CUT = ' …'

/** Characters around a cut in which the boundary of a grapheme is looked for. */
const AROUND = 64

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * The text of a message. A longer text than platforms allow is cut between two characters as people see them, with a mark at its end.
 * The whole text is stored. What judges it, carries out orders or makes it searchable reads a part of bounded length.
 */
function sanitizeMessageText(text: string): string {
  if (text.length <= TEXT_LENGTH) return sanitizeText(text)
  const end = TEXT_LENGTH - CUT.length
  const from = end - AROUND
  const boundary = graphemes.segment(text.slice(from, end + AROUND)).containing(AROUND)?.index || AROUND
  const kept = text.slice(0, from + boundary).replace(/[\ud800-\udbff]$/, '')
  return `${sanitizeText(kept)}${CUT}`
}

/** Throws MESSAGE_INVALID for an invalid message. */
export function sanitizeMessage(message: IncomingMessage): IncomingMessage {
  if (!(message.at instanceof Date) || Number.isNaN(message.at.getTime())) throw invalid('at', 'a valid Date', message.at)
  return {
    id: id(message.id, 'id'),
    conversation: message.conversation,
    author: sanitizePerson(message.author, 'author'),
    text: sanitizeMessageText(string(message.text, 'text')),
    at: message.at,
    mentions: sanitizeMentions(message.mentions ?? []),
    ...(message.replyTo && {
      replyTo: {
        id: id(message.replyTo.id, 'replyTo.id'),
        ...(message.replyTo.author !== undefined && { author: id(message.replyTo.author, 'replyTo.author') }),
        ...(message.replyTo.message && { message: sanitizeMessage(message.replyTo.message) }),
      },
    }),
    attachments: sanitizeAttachments(message.attachments ?? []),
    ...(message.parts && message.parts.length > 0 && { parts: sanitizeParts(message.parts) }),
    ...(message.admin === true && { admin: true }),
  }
}

/** Throws MESSAGE_INVALID for an edit that no platform should hand in. */
export function sanitizeEdit({ text, mentions, attachments, parts }: MessageEdit): MessageEdit {
  return {
    text: sanitizeMessageText(string(text, 'text')),
    ...(mentions && { mentions: sanitizeMentions(mentions) }),
    ...(attachments && { attachments: sanitizeAttachments(attachments) }),
    ...(parts && { parts: sanitizeParts(parts) }),
  }
}

function sanitizeMentions(given: readonly Person[]): Person[] {
  return given.slice(0, MENTIONS).map(person => sanitizePerson(person, 'mentions'))
}

function sanitizeAttachments(given: readonly Attachment[]): Attachment[] {
  return given.slice(0, MOST).map(({ url, type, name }) => ({
    url: sanitizeText(string(url, 'attachments.url')),
    ...(type !== undefined && { type: sanitizeText(string(type, 'attachments.type'), NAME_LENGTH) }),
    ...(name !== undefined && { name: sanitizeText(string(name, 'attachments.name'), NAME_LENGTH) }),
  }))
}

function sanitizeParts(given: readonly MessagePart[]): MessagePart[] {
  return given.slice(0, MOST).map(({ kind, title, author, text, url }) => {
    if (!PARTS.has(kind)) throw invalid('parts.kind', [...PARTS].join(', '), kind)
    return {
      kind,
      ...(title !== undefined && { title: sanitizeText(string(title, 'parts.title'), NAME_LENGTH) }),
      ...(author !== undefined && { author: sanitizeText(string(author, 'parts.author'), NAME_LENGTH) }),
      ...(text !== undefined && { text: sanitizeText(string(text, 'parts.text'), PART_LENGTH) }),
      ...(url !== undefined && { url: sanitizeText(string(url, 'parts.url'), TOPIC_LENGTH) }),
    }
  })
}

function sanitizeDetails({ workspaceName, topic, threadName, tags, root }: ConversationDetails): ConversationDetails {
  return {
    ...(workspaceName !== undefined && {
      workspaceName: sanitizeText(string(workspaceName, 'details.workspaceName'), NAME_LENGTH),
    }),
    ...(topic !== undefined && { topic: sanitizeText(string(topic, 'details.topic'), TOPIC_LENGTH) }),
    ...(threadName !== undefined && { threadName: sanitizeText(string(threadName, 'details.threadName'), NAME_LENGTH) }),
    ...(tags && { tags: tags.slice(0, MOST).map(tag => sanitizeText(string(tag, 'details.tags'), NAME_LENGTH)) }),
    ...(root !== undefined && { root: id(root, 'details.root') }),
  }
}

/** Only what differs from the defaults. */
function sanitizeReaders({ own, outsiders }: Readers = {}): { readonly readers?: Readers } {
  if (own === undefined && outsiders !== true) return {}
  return { readers: { ...(own !== undefined && { own: own === true }), ...(outsiders === true && { outsiders }) } }
}

/** The same channel always gives an equal value, with its id. */
export function sanitizeConversation(given: Omit<Conversation, 'id'>): Conversation {
  const parts = {
    platform: id(given.platform, 'conversation.platform'),
    workspace: sanitizeText(string(given.workspace, 'conversation.workspace'), NAME_LENGTH),
    channel: id(given.channel, 'conversation.channel'),
    ...(given.thread !== undefined && { thread: id(given.thread, 'conversation.thread') }),
    name: sanitizeText(string(given.name, 'conversation.name'), NAME_LENGTH),
    visibility: given.visibility,
    ...sanitizeReaders(given.readers),
    ...(given.details && { details: sanitizeDetails(given.details) }),
  }
  if (!['public', 'private', 'direct'].includes(given.visibility)) {
    throw invalid('conversation.visibility', 'public, private or direct', given.visibility)
  }
  return { id: conversationId(parts), ...parts }
}

/** The id of a message, checked. Throws MESSAGE_INVALID. */
export function sanitizeId(value: string): string {
  return id(value, 'id')
}

/** An emoji, or the name of one. Throws MESSAGE_INVALID. */
export function sanitizeEmoji(value: string): string {
  const emoji = sanitizeText(string(value, 'emoji')).trim()
  if (emoji === '' || emoji.length > EMOJI_LENGTH) throw invalid('emoji', `a string of 1 to ${EMOJI_LENGTH} characters`, value)
  return emoji
}

export function sanitizePerson(person: Person, name: string): Person {
  if (typeof person !== 'object' || person === null) throw invalid(name, '{ id, name }', person)
  return {
    id: id(person.id, `${name}.id`),
    name: sanitizeText(string(person.name, `${name}.name`), NAME_LENGTH),
    ...(person.bot === true && { bot: true }),
  }
}

function id(value: unknown, name: string): string {
  // An id is never cut: two ids can begin alike.
  const text = sanitizeText(string(value, name))
  if (text === '' || text.length > ID_LENGTH) throw invalid(name, `a string of 1 to ${ID_LENGTH} characters`, value)
  return text
}

function string(value: unknown, name: string): string {
  if (typeof value !== 'string') throw invalid(name, 'a string', value)
  return value
}

function invalid(name: string, expected: string, got: unknown): KikimimiError {
  return new KikimimiError(
    'MESSAGE_INVALID',
    `A platform passed a message with a wrong ${name}: expected ${expected}, got ${typeof got}.`,
  )
}
