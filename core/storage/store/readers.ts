import type { Conversation, Readers } from '../../api/index.ts'

type Read = Pick<Conversation, 'visibility'> & { readonly readers?: Readers | undefined }

/** Whether the same people read a conversation as before, as far as the platform says. */
export function sameReaders(one: Read, other: Read): boolean {
  return (
    one.visibility === other.visibility &&
    one.readers?.own === other.readers?.own &&
    (one.readers?.outsiders ?? false) === (other.readers?.outsiders ?? false)
  )
}
