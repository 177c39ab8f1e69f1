/** Files of messages that are documents. */
import type { Attachment, Conversation, Files, IncomingMessage, MessageLog } from 'kikimimi'
import { conversationId } from 'kikimimi'
import type { Platform } from 'kikimimi/platform'
import { MOST_BYTES } from '../documents/reader.ts'
import { type DocumentKind, kindOfName, kindOfType } from '../documents/sections.ts'
import { Unreadable } from '../documents/unreadable.ts'
import type { Content } from './source.ts'

/** A file of a message. */
export interface Shared {
  /** The id of the message. */
  readonly message: string
  readonly conversation: Omit<Conversation, 'id'>
  /** The id of its author. */
  readonly author: string
  readonly file: {
    readonly name: string
    readonly kind: DocumentKind
    /** The address of the file without its query, which can run out. */
    readonly version: string
    readonly attachment: Attachment
  }
}

/** Files of one channel, the latest ones. */
const MOST_FILES = 1_000

type WithFiles = Pick<IncomingMessage, 'id' | 'conversation' | 'author' | 'attachments'>

export function filesOf({ id: message, conversation, author, attachments = [] }: WithFiles): Shared[] {
  return attachments.flatMap(attachment => {
    const { name = '', type = '', url } = attachment
    const kind = name === '' ? undefined : (kindOfName(name) ?? kindOfType(type))
    return kind ? [{ message, conversation, author: author.id, file: { name, kind, version: addressOf(url), attachment } }] : []
  })
}

/** From the message log: what the bot has heard, as long as it is kept. Threads that fewer people read are left out. */
export async function sharedIn(log: MessageLog, place: Conversation): Promise<Shared[]> {
  const messages = await log.read({ readers: place, channel: place.id, files: true, limit: MOST_FILES })
  const { id: _, ...channel } = place
  return messages.toReversed().flatMap(({ id, conversation: { thread }, own, author, attachments }) => {
    const conversation = { ...channel, ...(thread !== undefined && { thread }) }
    return own ? [] : filesOf({ id, conversation, author, attachments })
  })
}

export interface Reading {
  readonly platform: Platform | undefined
  readonly files: Files
  readonly signal: AbortSignal
}

/** The bytes of a file. Its message is read first: an address of Discord runs out after a day. */
export async function readFile({ message, conversation: place, file }: Shared, reading: Reading): Promise<Content> {
  const { platform, files, signal } = reading
  const conversation = { ...place, id: conversationId(place) }
  const now = platform?.message ? await platform.message(conversation, message, signal) : { attachments: [file.attachment] }
  const attachment = now?.attachments?.find(({ url }) => addressOf(url) === file.version)
  if (!attachment) throw new Unreadable('it is deleted')
  return { kind: file.kind, bytes: await files.fetch(conversation, attachment, { maxBytes: MOST_BYTES, signal }) }
}

function addressOf(url: string): string {
  return url.split('?', 1)[0] ?? ''
}
