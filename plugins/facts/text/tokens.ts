/**
 * The tokens of a text: one function for stored texts and for questions. Japanese is segmented by dictionary and into pairs
 * of characters, English is stemmed, names and ids stay whole.
 */
import { LANGUAGES } from '../language.ts'

const STOP_WORDS = new Set(LANGUAGES.flatMap(({ stopWords }) => stopWords.split(/\s+/)))

export interface Token {
  readonly text: string
  /**
   * `pair`: two characters of a text without spaces. `kanji`: a single one, which has less weight than a word. `mark`: what the
   * text states (see answers.ts); no search finds by it.
   */
  readonly kind: 'word' | 'pair' | 'kanji' | 'mark'
}

/** Characters of a text that the index and the search read: the word breaker takes about three microseconds for one. */
export const READ = 6_000

/** The tokens of a text, with repetitions. */
export function tokensOf(text: string): Token[] {
  // A long text repeats most of its words.
  const known = new Map<string, readonly Token[]>()
  const tokens: Token[] = []
  for (const run of text.slice(0, READ).normalize('NFKC').toLowerCase().match(RUN) ?? []) {
    const found = known.get(run) ?? tokensOfRun(run)
    known.set(run, found)
    for (const token of found) tokens.push(token)
  }
  return tokens
}

function tokensOfRun(run: string): readonly Token[] {
  if (CJK.test(run)) return cjk(run)
  return STOP_WORDS.has(run) ? [] : [{ text: stemOf(run), kind: 'word' }]
}

/**
 * The id of a token in the index, so that the index holds no words: 32 bits, of which 30 are a hash (FNV-1a) and the last
 * two are the kind. Among 100,000 words, ten share their id with another.
 */
export function tokenId({ text, kind }: Token): number {
  if (bytes.length < BYTES * text.length) bytes = new Uint8Array(BYTES * text.length)
  const { written } = encoder.encodeInto(text, bytes)
  let hash = 0x811c9dc5
  for (let at = 0; at < written; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return (hash & ~3) | KINDS.indexOf(kind)
}

/** The most bytes of one UTF-16 code unit. */
const BYTES = 3

/** One buffer for all tokens: a new one for each takes 15 times as long as the hash. */
let bytes = new Uint8Array(256)

/**
 * Tokens by which an entry is found, and by which a question finds: the embedded database takes 0.02 milliseconds to write one. A
 * message of 2,000 characters has fewer words; of a longer one they come before its pairs. The ranking reads all tokens.
 */
const FOUND_BY = 1_000

/** The ids by which a text finds or is found, without repetitions, and without marks. */
export function findingIds(ids: Iterable<number>): readonly number[] {
  const distinct = [...new Set(ids)].filter(id => kindOf(id) !== 'mark')
  if (distinct.length <= FOUND_BY) return distinct
  const isPair = (id: number) => kindOf(id) === 'pair'
  return [...distinct.filter(id => !isPair(id)), ...distinct.filter(isPair)].slice(0, FOUND_BY)
}

export function kindOf(id: number): Token['kind'] {
  return KINDS[id & 3] ?? 'word'
}

/** The words of a text, without repetitions. */
export function wordsOf(text: string): string[] {
  return [...new Set(tokensOf(text).flatMap(({ kind, text }) => (kind === 'word' ? text : [])))]
}

/** What the index reads of a text, in a form without differences of width, capitals, spaces and punctuation. */
export function sameText(text: string): string {
  return text
    .slice(0, READ)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\p{P}\p{S}\p{Z}\p{C}\s]+/gu, '')
}

const KINDS: readonly Token['kind'][] = ['word', 'pair', 'kanji', 'mark']

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
    // A single hiragana is grammar.
    if (HIRAGANA.test(word) && word.length < 2) continue
    if (!STOP_WORDS.has(word)) tokens.push({ text: word, kind: 'word' })
  }
  let last: { readonly character: string; readonly isHiragana: boolean } | undefined
  for (const character of run) {
    const isHiragana = HIRAGANA.test(character)
    if (last && !(last.isHiragana && isHiragana)) tokens.push({ text: last.character + character, kind: 'pair' })
    if (!isHiragana && KANJI.test(character)) tokens.push({ text: character, kind: 'kanji' })
    last = { character, isHiragana }
  }
  return tokens
}
