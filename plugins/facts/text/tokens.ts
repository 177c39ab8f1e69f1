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

/** Characters of a text that the index and the search read. */
export const READ = 6_000

/** Of these, characters of scripts without spaces: as many as suffice for the thousand tokens that find a text ({@link findingIds}). */
const READ_UNSPACED = 3_000

/**
 * The tokens of a text, with repetitions.
 *
 * @param most characters of scripts without spaces that are read
 */
export function tokensOf(text: string, most = READ_UNSPACED): Token[] {
  const runs = text.slice(0, READ).normalize('NFKC').toLowerCase().match(RUN) ?? []
  // A long text repeats most of its runs.
  const known = new Map<string, readonly Token[]>()
  const unspaced: string[] = []
  let room = most
  for (const run of new Set(runs)) {
    if (!CJK.test(run)) known.set(run, STOP_WORDS.has(run) ? [] : [{ text: stemOf(run), kind: 'word' }])
    else if (room > 0) {
      unspaced.push(run)
      room -= run.length
    }
  }
  const read = unspaced.map((run, at) => (at === unspaced.length - 1 && room < 0 ? run.slice(0, room) : run))
  for (const [at, words] of segmented(read).entries()) known.set(unspaced[at] ?? '', [...words, ...partsOf(read[at] ?? '')])
  const tokens: Token[] = []
  for (const run of runs) for (const token of known.get(run) ?? []) tokens.push(token)
  return tokens
}

/**
 * The id of a token in the index, so that the index holds no words: 32 bits, of which 30 are a hash (FNV-1a) and the last
 * two are the kind. Among 100,000 words, ten share their id with another.
 */
export function tokenId({ text, kind }: Token): number {
  // The bytes of the text in UTF-8. A buffer of an encoder would take five times as long.
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    const code = codePointAt(text, at)
    if (code < 0x80) hash = hashed(hash, code)
    else {
      if (code < 0x800) hash = hashed(hash, 0xc0 | (code >> 6))
      else {
        if (code < 0x1_0000) hash = hashed(hash, 0xe0 | (code >> 12))
        else {
          hash = hashed(hashed(hash, 0xf0 | (code >> 18)), 0x80 | ((code >> 12) & 0x3f))
          at++
        }
        hash = hashed(hash, 0x80 | ((code >> 6) & 0x3f))
      }
      hash = hashed(hash, 0x80 | (code & 0x3f))
    }
  }
  return (hash & ~3) | KINDS.indexOf(kind)
}

function hashed(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193)
}

/** As UTF-8 has it: half of a pair of surrogates is the replacement character. */
function codePointAt(text: string, at: number): number {
  const code = text.codePointAt(at) ?? 0
  return (code & 0xf800) === 0xd800 && code < 0x1_0000 ? 0xfffd : code
}

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

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

const RUN =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々〆]+|[[\p{L}\p{N}_]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々〆]]+/gv
const CJK = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々〆]/u

function stemOf(word: string): string {
  for (const { stem } of LANGUAGES) {
    const found = stem?.(word)
    if (found !== undefined) return found
  }
  return word
}

/** The words of each run of a script without spaces. The word breaker starts once for all: to start takes as long as a word. */
function segmented(runs: readonly string[]): readonly Token[][] {
  const words: Token[][] = runs.map(() => [])
  let at = 0
  for (const { segment } of segmenter.segment(runs.join('\n'))) {
    if (segment === '\n') at++
    // A single hiragana is grammar.
    else if (segment.length > 1 || kindOfLetter(segment) !== HIRAGANA) {
      const word = segment.length > 2 && segment.endsWith('ー') ? segment.slice(0, -1) : segment
      if (!STOP_WORDS.has(word)) words[at]?.push({ text: word, kind: 'word' })
    }
  }
  return words
}

/** The pairs of characters in a run, except pairs of hiragana, and its kanji. */
function partsOf(run: string): Token[] {
  const tokens: Token[] = []
  let [last, lastKind] = ['', NONE]
  for (const letter of run) {
    const kind = kindOfLetter(letter)
    if (last !== '' && !(lastKind === HIRAGANA && kind === HIRAGANA)) tokens.push({ text: last + letter, kind: 'pair' })
    if (kind === KANJI) tokens.push({ text: letter, kind: 'kanji' })
    ;[last, lastKind] = [letter, kind]
  }
  return tokens
}

const [NONE, HIRAGANA, KANJI] = [0, 1, 2]

/** A pattern for each letter would take most of the time of a long text. */
function kindOfLetter(letter: string): number {
  const code = letter.charCodeAt(0)
  if (code >= 0x4e00 && code <= 0x9fff) return KANJI
  if (code >= 0x3041 && code <= 0x3096) return HIRAGANA
  if (code >= 0x30a1 && code <= 0x30fa) return NONE
  if (/^[\p{sc=Hiragana}ー]/u.test(letter)) return HIRAGANA
  return /^\p{sc=Han}/u.test(letter) ? KANJI : NONE
}
