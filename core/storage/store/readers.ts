import type { Conversation, Readers } from '../../api/index.ts'
import { KikimimiError } from '../../base/errors.ts'

type Read = Pick<Conversation, 'visibility'> & { readonly readers?: Readers | undefined }

/** Whether the same people read a conversation as before, as far as the platform says. */
export function sameReaders(one: Read, other: Read): boolean {
  return (
    one.visibility === other.visibility &&
    one.readers?.own === other.readers?.own &&
    (one.readers?.outsiders ?? false) === (other.readers?.outsiders ?? false)
  )
}

/** Whether a person reads a conversation who did not before, as far as the platform says. */
function hasNewReaders(before: Read, now: Read): boolean {
  return (
    (before.visibility !== 'public' && now.visibility === 'public') ||
    (before.readers?.outsiders !== true && now.readers?.outsiders === true) ||
    (before.readers?.own === true && now.readers?.own !== true)
  )
}

/** @throws SEND_FAILED when a person reads the conversation who did not when the message was written */
export function refuseNewReaders(before: Read, now: Read): void {
  if (hasNewReaders(before, now)) throw new KikimimiError('SEND_FAILED', 'Other people can read the conversation now.')
}

/** @throws SOURCES_LOST what a message was made from is gone */
export function refuseLost(): never {
  throw new KikimimiError('SOURCES_LOST', 'A message that this was made from is deleted, edited or not to be remembered.')
}
