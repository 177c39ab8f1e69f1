import { fold, spoken } from './spoken.ts'

/**
 * Tests whether a text contains one of the words. In scripts with spaces between words, and within katakana, a word
 * counts only if it stands alone: `kiki` is not in `kikimimi`, キキ is not in キキララ, but both are in
 * `kikiさん` and キキさん.
 */
export function saysOneOf(words: readonly string[]): (text: string) => boolean {
  const find = placesOf(words)
  return text => words.length > 0 && find(fold(spoken(text))).length > 0
}

export interface Place {
  readonly at: number
  readonly length: number
}

/** Returns the positions of the words in a folded text. */
export function placesOf(words: readonly string[]): (said: string) => readonly Place[] {
  const folded = words.map(word => fold(word.trim())).filter(word => word !== '')
  return said => folded.flatMap(word => places(said, word))
}

function places(text: string, word: string): Place[] {
  const found: Place[] = []
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.slice(Math.max(0, at - 4), at)
    // キキー！ is the stretched name.
    const after = text.slice(at + word.length, at + word.length + 8).replace(/^[ー~〜]+/, '')
    // #kiki is a channel, kiki.ts a file.
    if (before.endsWith('#') || /^\.[a-z0-9]/.test(after) || oneWord(before, word) || oneWord(word, after)) continue
    found.push({ at, length: word.length })
  }
  return found
}

function oneWord(left: string, right: string): boolean {
  return (
    (/\p{sc=Katakana}ー*$/u.test(left) && /^[\p{sc=Katakana}ー]/u.test(right)) ||
    (SPACED_END.test(left) && SPACED_START.test(right))
  )
}

const SPACED_START = /^[[\p{L}\p{M}\p{N}_]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}ー]]/v
const SPACED_END = /[[\p{L}\p{M}\p{N}_]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}ー]]$/v
