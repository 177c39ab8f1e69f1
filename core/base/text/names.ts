/** Names of people in texts. */

/** Replaces erased text. */
export const OMITTED = '[…]'

/** Finds the names of a person in texts. */
export interface NameMatcher {
  /** Whether the text holds one of the names. */
  test(text: string): boolean
  /** The text with something else in place of the names. Default: {@link OMITTED}. */
  replace(text: string, by?: string): string
}

/** Scripts that put no spaces between words, or put particles directly after a name. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u

/** A letter or a digit of a script that has spaces. */
const LETTER = String.raw`[[\p{L}\p{M}\p{N}_]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]]`

/**
 * Finds names as whole words (`May`, not `may` or `Mayor`), and 花子 anywhere. A name of one letter is ignored, because it
 * would be found in every text.
 */
export function nameMatcher(names: Iterable<string>): NameMatcher {
  const found = [...new Set(names)].map(name => name.trim()).filter(name => [...name].length > 1)
  if (found.length === 0) return { test: () => false, replace: text => text }
  // Longest first: "Ann Lee" is replaced before "Ann". A name in both kinds of scripts is longer than one that it begins with.
  const sorted = found.sort((a, b) => b.length - a.length)
  const [anywhere, alone] = [true, false].map(kind => sorted.filter(name => UNSPACED.test(name) === kind).map(escaped))
  // The letters stand once in the pattern: with a thousand names, once for each would take minutes.
  const words = alone?.length ? [`(?<!${LETTER})(?:${alone.join('|')})(?!${LETTER})`] : []
  const source = [...(anywhere ?? []), ...words].join('|')
  const once = new RegExp(source, 'v')
  const all = new RegExp(source, 'gv')
  return { test: text => once.test(text), replace: (text, by = OMITTED) => text.replaceAll(all, by) }
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
