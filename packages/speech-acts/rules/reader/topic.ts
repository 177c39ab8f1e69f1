/** The topic of a text: its words and dates, so that texts of two languages can be compared. */
import { contentWords, isUnspaced, related } from '../words.ts'
import { LANGUAGES } from './language.ts'
import { soundsOf } from './sound.ts'

export interface Topic {
  readonly word: string
  /** How much it tells: 1 for a noun, less for a verb, a date or a word of hiragana alone. */
  readonly weight: number
  readonly sounds: readonly string[]
}

/** The weights of dates, of verbs and adjectives that hiragana tells apart from nouns, and of words of hiragana alone. */
export const DATE = 0.6
export const VERB = 0.5
const KANA = 0.3

/** Characters of a text that are read, and topics. */
const [READ, MOST] = [2_000, 60]

export function topicsIn(text: string): readonly Topic[] {
  const { dates, rest } = datesIn(text.slice(0, READ).normalize('NFKC'))
  const words = [...contentWords(rest)].slice(0, MOST).map(([word, weight]) => ({
    word,
    weight: Math.min(weight, weightOf(word, rest)),
    sounds: soundsOf(word),
  }))
  return [...dates.map(word => ({ word, weight: DATE, sounds: [] })), ...words].slice(0, MOST)
}

/** Whether two topics mean the same. A noun of one sign has many compounds of other meanings: 会, 会費. */
export function isSame(one: Topic, other: Topic): boolean {
  // Within one script words are compared as they are written.
  const isForeign = isUnspaced(one.word) || isUnspaced(other.word)
  const isSign = [one, other].some(({ word, weight }) => weight !== VERB && /^\p{sc=Han}$/u.test(word))
  return (
    (isSign ? one.word === other.word : related(one.word, other.word)) ||
    (isForeign && one.sounds.some(sound => other.sounds.some(heard => isHeard(sound, heard))))
  )
}

/** A loan word may lack the end of the word: "restaurant" and レストラン, "presentation" and プレゼン. */
function isHeard(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short === long || (short.length >= LONG && long.startsWith(short))
}
const LONG = 4

function weightOf(word: string, text: string): number {
  if (!isUnspaced(word)) return 1
  if (/^\p{sc=Han}$/u.test(word) && ENDING.test(text.charAt(text.indexOf(word) + 1))) return VERB
  if (/^[\p{sc=Hiragana}ー]+$/u.test(word)) return KANA
  // One syllable is a verb, or the rest of a word.
  if (/^\p{sc=Hangul}$/u.test(word)) return VERB
  // A noun that is used as a verb: 注文する.
  if (VERBAL.test(text.slice(text.indexOf(word) + word.length))) return VERB
  // A word of the dictionary that ends in hiragana is a verb or an adjective.
  return /\p{sc=Hiragana}$/u.test(word) ? VERB : 1
}

const VERBAL = /^(?:する|した|して|します|しました|しよう|すれ)/

/** Hiragana after a verb of one sign, which is no particle: 来た, 行く. */
const ENDING = /[\p{sc=Hiragana}--[はがをにのでともへやかだなさ]]/v

/** Days and dates as tokens that all languages share, such as `sat` and `5-12`, and the text without them. */
function datesIn(text: string): { readonly dates: readonly string[]; readonly rest: string } {
  const dates: string[] = []
  let rest = text
  for (const { date, days, months } of LANGUAGES) {
    const { month = '', day = '' } = date.exec(rest)?.groups ?? {}
    if (day !== '') {
      const named = months.findIndex(name => name.startsWith(month.toLowerCase().slice(0, 3)))
      dates.push(`${named < 0 ? Number(month) : named + 1}-${Number(day)}`)
      rest = rest.replace(date, ' ')
    }
    for (const [token, pattern] of Object.entries(days)) {
      if (!pattern.test(rest)) continue
      dates.push(token)
      rest = rest.replace(pattern, ' ')
    }
  }
  return { dates: [...new Set(dates)], rest }
}
