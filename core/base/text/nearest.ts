/** The word that a mistyped word probably means; nothing when no word is near. */
export function nearest(typed: string, words: Iterable<string>): string | undefined {
  return allNear(typed, words)[0]
}

/** The words that a mistyped word can mean, the nearest first. */
export function allNear(typed: string, words: Iterable<string>): readonly string[] {
  const most = Math.max(1, Math.floor(typed.length / 3))
  const found: { readonly word: string; readonly distance: number }[] = []
  for (const word of words) {
    // As many letters have to be inserted or deleted at least.
    if (Math.abs(typed.length - word.length) > most) continue
    const distance = edits(typed, word)
    if (distance <= most) found.push({ word, distance })
  }
  return found.toSorted((one, other) => one.distance - other.distance).map(({ word }) => word)
}

/** The edit distance: letters to insert, delete, replace or swap with the next (optimal string alignment). */
function edits(one: string, other: string): number {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1]
      const swapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next[column] = Math.min(
        at(last, column) + 1,
        at(next, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[before, last] = [last, next]
  }
  return at(last, other.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
