import type { TextValues } from '../../base/text/texts.ts'

/** Why a file is not read: keys of the texts `files.why.…` of the core. */
export type Why =
  | 'tooMany'
  | 'tooLarge'
  | 'tooMuch'
  | 'late'
  | 'status'
  | 'webPage'
  | 'notFetched'
  | 'empty'
  | 'damaged'
  | 'noText'
  | 'noAudio'
  | 'notTranscribed'
  | 'archive'
  | 'document'
  | 'program'
  | 'video'
  | 'unknown'

/** A file cannot be read. */
export class Unreadable extends Error {
  readonly why: Why
  readonly values: TextValues

  constructor(why: Why, values: TextValues = {}) {
    super(why)
    this.why = why
    this.values = values
  }
}
