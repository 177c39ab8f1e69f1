/** Files of messages that are documents. */
import type { Attachment, Conversation, Database, Files, IncomingMessage } from 'kikimimi'
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

export function filesOf({ id: message, conversation, author, attachments = [] }: IncomingMessage): Shared[] {
  return attachments.flatMap(attachment => {
    const { name = '', type = '', url } = attachment
    const kind = name === '' ? undefined : (kindOfName(name) ?? kindOfType(type))
    return kind ? [{ message, conversation, author: author.id, file: { name, kind, version: addressOf(url), attachment } }] : []
  })
}

/** From the message log: what the bot has heard, as long as it is kept. Threads that fewer people read are left out. */
export async function sharedIn(db: Database, place: Conversation): Promise<Shared[]> {
  const { rows } = await db.query<{ id: string; thread: string | null; author: string; attachments: readonly Attachment[] }>(
    `with here as materialized (
       select c.id, c.thread from kikimimi_v1.conversation c, kikimimi_v1.place_of(c.id, c.visibility, null) p
       where (c.id = $1 or starts_with(c.id, $1 || '/')) and p.place = (select place from kikimimi_v1.place_of($1, $2, null))
     )
     select m.id, h.thread, m.author_id as author, m.attachments
     from kikimimi_v1.message m join here h on h.id = m.conversation
     where m.channel = $1 and m.deleted_at is null and not m.being_forgotten and not m.own and m.attachments <> '[]'
     order by m.seq desc limit ${MOST_FILES}`,
    [place.id, place.visibility],
  )
  const { id: _, ...channel } = place
  return rows.flatMap(({ id, thread, author, attachments }) => {
    const conversation = thread === null ? channel : { ...channel, thread }
    return filesOf({ id, conversation, author: { id: author, name: '' }, text: '', at: new Date(0), attachments })
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
