/** Mentions of the people whom a message notifies, in its text. */
import type { Person } from '../../api/index.ts'

/** A text in pieces: each person stands in the first place of the name, or in front when the text does not have the name. */
export function withMentions(text: string, notify: readonly Person[] = []): readonly (string | Person)[] {
  let pieces: readonly (string | Person)[] = [text]
  // "Ann" is not looked for in "Ann Lee".
  for (const person of notify.toSorted((a, b) => b.name.length - a.name.length)) {
    const { name } = person
    const index = pieces.findIndex(piece => name !== '' && typeof piece === 'string' && piece.includes(name))
    const piece = pieces[index]
    if (typeof piece !== 'string') pieces = [person, ' ', ...pieces]
    else {
      const at = piece.indexOf(name)
      const before = piece.slice(0, at).replace(/@$/, '')
      pieces = pieces.toSpliced(index, 1, before, person, piece.slice(at + name.length))
    }
  }
  return pieces
}
