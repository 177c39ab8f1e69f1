/** Mentions of the people whom a message notifies, in its text. */
import type { Person } from '../../api/index.ts'

/** A text in pieces: each person stands in the first place of the name, or in front when the text does not have the name. */
export function withMentions(text: string, notify: readonly Person[] = []): readonly (string | Person)[] {
  let pieces: readonly (string | Person)[] = [text]
  // "Ann" is not looked for in "Ann Lee".
  for (const person of notify.toSorted((a, b) => b.name.length - a.name.length)) {
    const { name } = person
    const places = pieces.map(piece => (typeof piece === 'string' ? placeOf(name, piece) : -1))
    const index = places.findIndex(place => place >= 0)
    const [piece, at = 0] = [pieces[index], places[index]]
    if (typeof piece !== 'string') pieces = [person, ' ', ...pieces]
    else {
      const before = piece.slice(0, at).replace(/@$/, '')
      pieces = pieces.toSpliced(index, 1, before, person, piece.slice(at + name.length))
    }
  }
  return pieces
}

/** Parts of a longer word or of an address on either side of a name. Japanese and Chinese have no spaces, and are no such parts. */
const GOES_ON = {
  before: /[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{N}_/.-]$/u,
  after: /^(?:[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}\p{N}_/@-]|\.\w)/u,
}

/** The first place of a name in a text that is not a part of a word, such as "Al" in "Always", or of an address; -1 without one. */
function placeOf(name: string, text: string): number {
  if (name === '') return -1
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!GOES_ON.before.test(text.slice(Math.max(0, at - 1), at)) && !GOES_ON.after.test(text.slice(at + name.length))) return at
  return -1
}
