/** Reading the files of messages for a model. */

import type { Locale } from '../base/text/texts.ts'
import type { Attachment, Conversation } from './message.ts'
import type { Role } from './models.ts'
import { service } from './service.ts'

/** How files are read. */
export interface ReadFilesOptions {
  /** The role of the model that gets the contents. Default `chat`. */
  readonly role?: Role
  /** The language of `why` and `note`. Default: the language of the bot. */
  readonly locale?: Locale
  /** Aborts the reading. */
  readonly signal?: AbortSignal
}

/** What a model can read of files. Each list has the order of the attachments. */
export interface FileContents {
  /** Pictures as data URLs, for `ModelRequest.messages[].images`: PNG, JPEG or WebP. Of a GIF: its first frame. */
  readonly images: readonly string[]
  /** Recordings as data URLs, for `ModelRequest.messages[].audio`. Empty for a model that takes no audio. */
  readonly audio: readonly string[]
  /** Texts, each at most 64 kB: of text files, of PDF files, and transcripts of recordings. */
  readonly texts: readonly FileText[]
  /** The files that could not be read. */
  readonly unreadable: readonly UnreadableFile[]
}

/** The text of a file. */
export interface FileText {
  /** The name of the file. */
  readonly name: string
  /** The text as it is in the file. It comes from a person: quote it in a prompt. */
  readonly text: string
  /** What the text is, or what it lacks: `the first 64 kB of 3.1 MB`. Absent: it is the whole file. */
  readonly note?: string
}

/** A file that could not be read. */
export interface UnreadableFile {
  /** The name of the file. */
  readonly name: string
  /** The reason, for people and models: `archives are not read (application/zip, 3.1 MB)`. */
  readonly why: string
}

/** A file that a plugin holds, such as one in the result of a tool. */
export interface HeldFile {
  /** The name of the file. */
  readonly name: string
  /** The media type, such as `image/png`. Absent: not known. */
  readonly type?: string
  /** The bytes of the file. */
  readonly data: Uint8Array
}

/** Reads the files of messages, and files that a plugin holds. */
export interface Files {
  /**
   * The bytes of a file, as they are. The platform fetches a file of its own with its token; any other is fetched over https, from
   * public addresses only. Pass only attachments of messages that are meant to be read, and an address that is not out of date.
   *
   * @throws ATTACHMENT_REFUSED with the reason: it cannot be fetched, or has more than `maxBytes` bytes
   */
  fetch(
    conversation: Conversation,
    attachment: Attachment,
    options: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<Uint8Array>
  /**
   * Reads at most 8 files of at most 10 MB, within 10 s each and 20 s together. The content of a file decides what it is,
   * not its name. Pass only attachments of messages that belong to the turn: the trigger, what it answers, and the root of
   * its thread. Rejects only with the reason of `signal`.
   */
  read(
    conversation: Conversation,
    attachments: readonly (Attachment | HeldFile)[],
    options?: ReadFilesOptions,
  ): Promise<FileContents>
}

export const Files = service<Files>('kikimimi.files')
