/**
 * What a text is found by: one function for writing and for asking. Japanese is cut by dictionary and into pairs of
 * characters, English is stemmed, names and ids stay whole.
 */
import { LANGUAGES } from '../language.ts'

const STOP_WORDS = new Set(LANGUAGES.flatMap(({ stopWords }) => stopWords.split(/\s+/)))

export interface Token {
  readonly text: string
  /** `pair`: two characters of a run without spaces. `kanji`: one alone, which says less than a word. */
  readonly kind: 'word' | 'pair' | 'kanji'
}

/** The tokens of a text, as often as they occur. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (const [run] of text.normalize('NFKC').toLowerCase().matchAll(RUN)) {
    if (CJK.test(run)) tokens.push(...cjk(run))
    else if (!STOP_WORDS.has(run)) tokens.push({ text: stemOf(run), kind: 'word' })
  }
  return tokens
}

/**
 * A token as the index keeps it, so that no word stands in there: 32 bits, of which 30 are a hash (FNV-1a) and the last
 * two the kind. Among 100,000 words ten share theirs with another.
 */
export function tokenId({ text, kind }: Token): number {
  let hash = 0x811c9dc5
  for (const byte of encoder.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash & ~3) | KINDS.indexOf(kind)
}

export function kindOf(id: number): Token['kind'] {
  return KINDS[id & 3] ?? 'word'
}

/** The words of a text, once each. */
export function wordsOf(text: string): string[] {
  return [...new Set(tokensOf(text).flatMap(({ kind, text }) => (kind === 'word' ? text : [])))]
}

/** A text without what does not change what it says: width, capitals, spaces, punctuation. */
export function sameText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}\p{Z}\p{C}\s]+/gu, '')
}

const KINDS: readonly Token['kind'][] = ['word', 'pair', 'kanji']

const encoder = new TextEncoder()

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

const RUN =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々〆]+|[[\p{L}\p{N}_]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々〆]]+/gv
const CJK = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々〆]/u

const HIRAGANA = /^[\p{sc=Hiragana}ー]+$/u
const KANJI = /^\p{sc=Han}$/u

function stemOf(word: string): string {
  for (const { stem } of LANGUAGES) {
    const found = stem?.(word)
    if (found !== undefined) return found
  }
  return word
}

function cjk(run: string): Token[] {
  const tokens: Token[] = []
  for (const { segment } of segmenter.segment(run)) {
    const word = segment.length > 2 ? segment.replace(/ー$/, '') : segment
    // Hiragana alone is grammar, unless it is long.
    if (HIRAGANA.test(word) && (word.length < 3 || STOP_WORDS.has(word))) continue
    if (!STOP_WORDS.has(word)) tokens.push({ text: word, kind: 'word' })
  }
  const characters = [...run]
  for (const [at, character] of characters.entries()) {
    if (KANJI.test(character)) tokens.push({ text: character, kind: 'kanji' })
    const pair = character + (characters[at + 1] ?? '')
    if (pair.length > character.length && !HIRAGANA.test(pair)) tokens.push({ text: pair, kind: 'pair' })
  }
  return tokens
}
