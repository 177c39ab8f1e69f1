/** Texts without the difference of capitals, the same in TypeScript and in SQL. */

/**
 * The text in small letters, one for one, so that İrem and irem are equal, and ΑΛΕΞΗΣ and αλεξης. `toLowerCase` and the `lower` of Postgres
 * disagree about İ and Σ, and in some locales `lower` changes ASCII alone: texts that both compare are folded by this, and in SQL by
 * {@link foldedNames}.
 */
export function fold(text: string): string {
  return text.replace(/[A-Z]|\P{ASCII}/gu, small).replaceAll(DOT, '')
}

/** İ in small letters is i with this dot. */
const DOT = '\u0307'

/** By its capital: ς and σ have the same. */
function small(letter: string): string {
  const capital = letter.toUpperCase()
  const [first = letter] = ([...capital].length === 1 ? capital : letter).toLowerCase()
  return first
}

export interface FoldedNames {
  /** Trimmed, without empty ones. */
  readonly names: readonly string[]
  /** `position(name in translate(text, from, to)) > 0` is true in Postgres when the folded text contains the folded name. */
  readonly from: string
  readonly to: string
}

/** Names for a search in SQL. What it finds can be another word with these letters: test it with {@link fold}. */
export function foldedNames(given: Iterable<string>): FoldedNames {
  const names = [...given].map(name => fold(name).trim()).filter(name => name !== '')
  const letters = [...new Set(['abcdefghijklmnopqrstuvwxyz', ...names].join(''))]
  const pairs = letters.flatMap(letter => Array.from(capitals().get(letter) ?? [], capital => [capital, letter] as const))
  // What has no counterpart in the second argument of `translate` is deleted.
  return { names, from: pairs.map(([capital]) => capital).join('') + DOT, to: pairs.map(([, letter]) => letter).join('') }
}

let known: ReadonlyMap<string, readonly string[]> | undefined

/** The letters that become each small letter. Beyond the first two planes of Unicode there are none. */
function capitals(): ReadonlyMap<string, readonly string[]> {
  known ??= Map.groupBy(
    Array.from({ length: 0x2_00_00 }, (_, code) => String.fromCodePoint(code)).filter(letter => small(letter) !== letter),
    small,
  )
  return known
}
