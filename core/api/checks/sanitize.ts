/** Input from platforms, checked and sanitized once, at the border: the code behind it can trust a message. */

import { KikimimiError } from '../../base/errors.ts'
import { type Conversation, conversationId, type IncomingMessage, type Person } from '../message.ts'

/** Longer texts are cut: no platform lets people type so much, and a prompt could not hold it. */
const TEXT_LENGTH = 40_000
const NAME_LENGTH = 200
const ID_LENGTH = 500
const EMOJI_LENGTH = 100

/** What a database and a prompt can hold: no NUL, no half of a surrogate pair, no endless text. */
export function sanitizeText(text: string, length = TEXT_LENGTH): string {
  const cut = text.length > length ? text.slice(0, length) : text
  return (cut.includes('\0') ? cut.replaceAll('\0', '') : cut).toWellFormed()
}

/** Throws MESSAGE_INVALID for what no platform should hand in. */
export function sanitizeMessage(message: IncomingMessage): IncomingMessage {
  if (!(message.at instanceof Date) || Number.isNaN(message.at.getTime())) throw invalid('at', 'a valid Date', message.at)
  return {
    id: id(message.id, 'id'),
    conversation: message.conversation,
    author: sanitizePerson(message.author, 'author'),
    text: sanitizeText(string(message.text, 'text')),
    at: message.at,
    mentions: (message.mentions ?? []).map(person => sanitizePerson(person, 'mentions')),
    ...(message.replyTo && {
      replyTo: {
        id: id(message.replyTo.id, 'replyTo.id'),
        ...(message.replyTo.author !== undefined && { author: id(message.replyTo.author, 'replyTo.author') }),
      },
    }),
    attachments: (message.attachments ?? []).map(({ url, type, name }) => ({
      url: sanitizeText(string(url, 'attachments.url')),
      ...(type !== undefined && { type: sanitizeText(string(type, 'attachments.type'), NAME_LENGTH) }),
      ...(name !== undefined && { name: sanitizeText(string(name, 'attachments.name'), NAME_LENGTH) }),
    })),
    ...(message.admin === true && { admin: true }),
  }
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
  // Never cut: two ids that begin alike are two.
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
    `A platform handed in a message with a wrong ${name}: expected ${expected}, got ${typeof got}.`,
  )
}
