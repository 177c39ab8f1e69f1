/** Detects which of the bot's languages people use. The features of a language are in `locales/<locale>.json`. */
import { LOCALES, texts } from './core-texts.ts'
import { FALLBACK, type Locale } from './texts.ts'

/** How many of the last messages count, and how much of each: the beginning of a long text is enough. */
const MESSAGES = 15
const LENGTH = 500

/** The smallest amount of text for a decision. A few words decide nothing: "ok", "w", "了解". */
const ENOUGH = 8

/** The largest length that counts of one word in an alphabet: Japanese text is full of product names. */
const WORD = 5

/** A text with this many times as much of a shared script as of its own is in another language: Chinese has no kana. */
const SHARED = 10

interface Hints {
  readonly locale: Locale
  /** Scripts that only this language uses, among the languages of the product. */
  readonly own: RegExp
  /** Scripts that it shares with other languages, such as Han. */
  readonly shared: RegExp | undefined
  /** The weight of one character, in letters of an alphabet. Above 1, the script has syllables or ideographs. */
  readonly weight: number
  /** Common words. They distinguish languages of one script. */
  readonly words: ReadonlySet<string>
}

const LANGUAGES: readonly Hints[] = LOCALES.map(locale => {
  const say = texts(locale)
  const shared = listOf(say('language.scripts.shared'))
  return {
    locale,
    own: runOf(listOf(say('language.scripts'))),
    shared: shared.length > 0 ? runOf(shared) : undefined,
    weight: Number(say('language.weight')),
    words: new Set(listOf(say('language.words'))),
  }
})

const OTHERS = LANGUAGES.filter(({ locale }) => locale !== FALLBACK)
/** Languages in the script of English are recognized by their words. */
const BY_WORDS = LANGUAGES.filter(({ own }) => own.test('a'))
const BY_SCRIPT = OTHERS.filter(({ own }) => !own.test('a'))

/**
 * The main language of people in the last messages, without the bot's own. A language that the bot does not speak counts as
 * English; with too little text it is `fallback`.
 */
export function languageOf(messages: readonly { readonly text: string; readonly own: boolean }[], fallback: Locale): Locale {
  const tallies = BY_SCRIPT.map(language => ({ ...language, said: 0, common: 0 }))
  const words: string[] = []
  let other = 0
  for (const { text } of messages.filter(({ own }) => !own).slice(-MESSAGES)) {
    for (const [piece] of text.slice(0, LENGTH).replace(FOREIGN, ' ').matchAll(PIECE)) {
      const tally = tallies.find(({ own }) => own.test(piece))
      const sharing = tally ? undefined : tallies.filter(({ shared }) => shared?.test(piece))
      if (tally) tally.said += tally.weight > 1 ? piece.length : Math.min(piece.length, WORD)
      else if (sharing && sharing.length > 0) for (const one of sharing) one.common += piece.length
      else {
        other += Math.min(piece.length, WORD)
        if (BY_WORDS.length > 1) words.push(piece.toLowerCase())
      }
    }
  }
  const points = tallies.map(({ locale, weight, said, common }) => ({
    locale,
    points: weight * (said + common),
    isOwn: said * SHARED > common,
  }))
  // A short word such as 「はい」 is of one language by its letters alone.
  const isShort = Math.max(0, ...points.map(one => one.points)) + other < ENOUGH
  if (isShort) return (other === 0 && tallies.find(({ said, weight }) => said > 0 && weight > 1)?.locale) || fallback
  const best = points.reduce<(typeof points)[number] | undefined>(
    (top, one) => (one.points > (top?.points ?? 0) ? one : top),
    undefined,
  )
  if (best && best.points > other) return best.isOwn ? best.locale : FALLBACK
  return byWords(words)
}

/** English, unless the words belong to another language. */
function byWords(words: readonly string[]): Locale {
  const counts = BY_WORDS.map(({ locale, words: common }) => ({ locale, count: words.filter(word => common.has(word)).length }))
  const english = counts.find(({ locale }) => locale === FALLBACK)?.count ?? 0
  const [most] = counts.sort((one, another) => another.count - one.count)
  return most && most.count > english ? most.locale : FALLBACK
}

function listOf(text: string): string[] {
  return text.split(/\s+/).filter(word => word !== '')
}

/** One or more letters of these scripts, at the beginning. */
function runOf(scripts: readonly string[]): RegExp {
  return new RegExp(`^${classOf(scripts)}`, 'v')
}

function classOf(scripts: readonly string[]): string {
  return scripts.length === 0 ? '[]' : `[[${scripts.map(script => `\\p{scx=${script}}`).join('')}]&&\\p{L}]`
}

/** Latin letters that appear in every language: code, addresses, mentions, and emoji as platforms write them. */
const FOREIGN = /```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\/\/\S+|<[@#:a][^<>\s]*>|:[\w+-]+:|[@#][\w.-]+/g

/** Runs of letters, each in the scripts of one language. */
const PIECE = (() => {
  const scripts = BY_SCRIPT.flatMap(({ locale }) => {
    const say = texts(locale)
    return [classOf(listOf(say('language.scripts'))), classOf(listOf(say('language.scripts.shared')))]
  })
  const known = [...new Set(scripts)].filter(script => script !== '[]')
  const rest = known.length === 0 ? '\\p{L}' : `[\\p{L}--[${known.join('')}]]`
  return new RegExp([...known, rest].map(script => `${script}+`).join('|'), 'gv')
})()
