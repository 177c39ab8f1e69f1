import { LANGUAGES } from './language.ts'

/**
 * The words of a text that carry its topic, each with a weight. They are segmented by dictionary, and stemmed where the
 * language has forms.
 */
export function contentWords(text: string): Map<string, number> {
  const words = new Map<string, number>()
  for (const segment of cut(text.slice(0, READ).normalize('NFKC').toLowerCase())) {
    const word = stemOf(segment) ?? unspaced(segment)
    if (word !== undefined && !STOP.has(segment) && !STOP.has(word)) words.set(word, WEAK.has(word) ? 0.4 : 1)
  }
  return words
}

/** Characters of a text that are read. */
export const READ = 4_000

/** The words of a text, as they stand in it. */
export function cut(text: string): string[] {
  return [...segmenter.segment(text.slice(0, READ))].flatMap(({ segment, isWordLike }) => (isWordLike ? segment : []))
}

/** Whether two words mean the same: 食 and 食べ物, 好き and 大好き. */
export function related(one: string, other: string): boolean {
  if (one === other) return true
  if (isLatin(one) || isLatin(other)) return false
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  const [first, second] = [withoutEnding(one), withoutEnding(other)]
  return first.startsWith(second) || second.startsWith(first) || (short.length > 1 && long.endsWith(short))
}

/** A Japanese word without the kana that its forms change: 引っ越し, 引っ越す. */
function withoutEnding(word: string): string {
  return word.replace(/(?<=\p{Script=Han})\p{Script=Hiragana}+$/u, '')
}

/** Whether a word belongs to questions and grammar. */
export function isGrammar(word: string): boolean {
  return STOP.has(word.toLowerCase())
}

/** Scripts that have no spaces around names. */
export function isUnspaced(text: string): boolean {
  return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{Script=Hangul}]/u.test(text)
}

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

function isLatin(word: string): boolean {
  return /^[\p{Script=Latin}\p{N}]/u.test(word)
}

function stemOf(word: string): string | undefined {
  return LANGUAGES.map(({ stem }) => stem?.(word)).find(found => found !== undefined)
}

/** A word of hiragana only is grammar, unless it is long. */
function unspaced(segment: string): string | undefined {
  if (!isUnspaced(segment)) return undefined
  return /^[\p{Script=Hiragana}ー]+$/u.test(segment) && segment.length < 3 ? undefined : segment
}

const list = (words: string) => words.split(/\s+/).filter(word => word !== '')

/** Words of questions and grammar. */
const STOP = new Set(LANGUAGES.flatMap(({ stopWords }) => list(stopWords)))

/** Frequent words that carry little meaning alone. */
const WEAK = new Set(LANGUAGES.flatMap(({ weakWords }) => list(weakWords).map(word => stemOf(word) ?? word)))
