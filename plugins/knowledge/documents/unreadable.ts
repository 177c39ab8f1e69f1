/** Why a document or a whole source cannot be read, for people. It is noted beside the document, and stops no other. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}
