import { fold, spoken } from './spoken.ts'

/**
 * Tests whether a text contains one of the words. In scripts with spaces between words, and within katakana, a word
 * counts only if it stands alone: `kiki` is not in `kikimimi`, キキ is not in キキララ, but both are in
 * `kikiさん` and キキさん.
 */
export function saysOneOf(words: readonly string[]): (text: string) => boolean {
  const patterns = words.flatMap(patternOf)
  return text => {
    if (patterns.length === 0) return false
    const said = fold(spoken(text))
    return patterns.some(pattern => said.search(pattern) >= 0)
  }
}

export interface Place {
  readonly at: number
  readonly length: number
}

/** Returns the positions of the words in a folded text. */
export function placesOf(words: readonly string[]): (said: string) => readonly Place[] {
  const patterns = words.flatMap(patternOf)
  return said => patterns.flatMap(pattern => places(said, pattern))
}

/** Letters of scripts with spaces between words. */
const SPACED = String.raw`[[\p{L}\p{M}\p{N}_]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}ー]]`
/** The last letter of a word in katakana, which can be stretched, and the first of a word that goes on in katakana. */
const KATAKANA_END = String.raw`\p{sc=Katakana}ー{0,3}`
const KATAKANA_START = String.raw`[\p{sc=Katakana}ー]`

/** A pattern of the word where it stands alone. Nothing for an empty word. */
function patternOf(given: string): RegExp[] {
  const word = fold(given.trim())
  if (word === '') return []
  const begins = (letters: string) => new RegExp(`^${letters}`, 'v').test(word)
  const ends = (letters: string) => new RegExp(`${letters}$`, 'v').test(word)
  const before = [...(begins(KATAKANA_START) ? [KATAKANA_END] : []), ...(begins(SPACED) ? [SPACED] : [])]
  const after = [...(ends(KATAKANA_END) ? [KATAKANA_START] : []), ...(ends(SPACED) ? [SPACED] : [])]
  // #kiki is a channel, kiki.ts a file. キキー！ is the stretched name.
  const source = `(?<!${['#', ...before].join('|')})${escaped(word)}(?![ー~〜]{0,7}(?![ー~〜])(?:${[String.raw`\.[a-z0-9]`, ...after].join('|')}))`
  return [new RegExp(source, 'gv')]
}

/** Every place, also within another one: a name can begin and end with the same letters. */
function places(text: string, pattern: RegExp): Place[] {
  const found: Place[] = []
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [{ length }] = match
    found.push({ at: match.index, length })
    pattern.lastIndex = match.index + ((text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1)
  }
  return found
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
