/** Where documents come from. */
import type { Conversation } from 'kikimimi'
import type { DocumentKind } from '../documents/sections.ts'
import { Unreadable } from '../documents/unreadable.ts'

/** A document of a source, as a listing names it. */
export interface Listed {
  /** Unique in its source: the path of a file, or the address of a page. */
  readonly path: string
  /** Changes with the content. Absent: reading it tells. */
  readonly version?: string
  /** Where people open it. Absent: nowhere. */
  readonly link?: string
  /** How people see it. Absent: what it says of itself. */
  readonly title?: string
  /** The message that it comes from. Absent: none. `channel`: the id of the conversation without a thread. */
  readonly from?: { readonly channel: string; readonly id: string; readonly author: string }
}

export interface Content {
  readonly kind: DocumentKind
  readonly bytes: Uint8Array
}

/** The documents that a source has now. */
export interface Listing {
  readonly documents: readonly Listed[]
  /** The channel whose readers may read them. Absent: the source is no channel. */
  readonly place?: Conversation
  /** Why there is nothing any more, for people. */
  readonly problem?: string
  /** @throws Error with the reason, for people */
  read(document: Listed, signal: AbortSignal): Promise<Content>
}

export interface Source {
  /** Unique among the sources. */
  readonly name: string
  /** @throws Error with the reason, for people, when the whole source cannot be read */
  list(signal: AbortSignal): Promise<Listing>
  /** Calls back after a change. Absent: only a listing tells. */
  watch?(changed: () => void): Promise<Disposable>
}

/** Documents of one source. The limit keeps a mistaken folder, such as `/`, from filling the database. */
export const MOST_DOCUMENTS = 50_000

export function tooMany(): Error {
  return new Unreadable(`it has more than ${MOST_DOCUMENTS} documents: name a smaller part of it`)
}

/** The address of a document below the address of its source. */
export function linkTo(base: string | undefined, path: string): { readonly link?: string } {
  if (base === undefined) return {}
  return { link: `${base.replace(/\/$/, '')}/${path.split('/').map(encodeURIComponent).join('/')}` }
}
