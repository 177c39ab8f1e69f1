/** Texts that say the same: "my pin is 4821", "My PIN is 4821!", "btw, my pin is 4821 ok?" */
import { READ, sameText, tokensOf } from './tokens.ts'

/** Minimum share of the words of the longer text that the shorter one has. */
const SHARED = 0.7

/**
 * Whether two texts are equal apart from their form, or one has all words and the numbers of the other, and few more words. "What is
 * my pin?" does not say "my pin is 4821".
 */
export function isCopy(one: string, other: string): boolean {
  const same = sameText(one)
  if (same === sameText(other)) return same !== ''
  const [fewer, more] = [contentWords(one), contentWords(other)].sort((a, b) => a.length - b.length)
  if (!fewer?.length || !more || fewer.length < SHARED * more.length) return false
  const [few, many] = [new Set(fewer), new Set(more)]
  return few.isSubsetOf(many) && more.every(word => few.has(word) || !/\p{N}/u.test(word))
}

/** The words of a text without those of grammar. A single kanji is a word here. */
export function contentWords(text: string): readonly string[] {
  return [...new Set(tokensOf(text, READ).flatMap(({ kind, text }) => (kind === 'pair' ? [] : text)))]
}
