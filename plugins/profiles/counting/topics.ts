/** The topics of a person without a model: their most frequent content words, in their spelling. */
import { LANGUAGES } from '../language.ts'

const STOP_WORDS = new Set(LANGUAGES.flatMap(({ stopWords }) => stopWords.split(/\s+/).map(word => word.normalize('NFKC'))))

/** Maximum number of topics of one conversation. */
export const TOPICS = 5

export interface TopicOptions {
  readonly limit: number
  /** Names of people, which are no topics. */
  readonly except: readonly string[]
}

/** Characters read of each message: pasted text is no topic. */
const LENGTH = 1_000

/** The most significant words first. */
export function topicsOf(texts: readonly string[], { limit, except }: TopicOptions): string[] {
  const names = new Set(except.flatMap(name => [name, ...name.split(/\s+/)].map(sameWord)))
  const words = new Map<string, { readonly word: string; readonly weight: number; readonly count: number }>()
  for (const text of texts) {
    // Once per message: repeating a word in one message does not make it more important.
    const said = Map.groupBy(wordsIn(text), sameWord)
    for (const [key, [word = '']] of said) {
      if (names.has(key)) continue
      const before = words.get(key)
      words.set(key, { word: before?.word ?? word, weight: weightOf(before?.word ?? word), count: (before?.count ?? 0) + 1 })
    }
  }
  // The sort is stable: equal words keep their order.
  return [...words.values()]
    .sort((a, b) => b.weight * b.count - a.weight * a.count)
    .slice(0, limit)
    .map(({ word }) => word)
}

/** The words of a text that can be topics. */
function wordsIn(text: string): string[] {
  const plain = text.slice(0, LENGTH).normalize('NFKC').replace(NO_WORDS, ' , ')
  return [...plain.matchAll(RUN)].flatMap(([run]) => (CJK.test(run) ? unspaced(run) : spaced(run)))
}

/** A word, or a name of several words: `GitHub Actions`. */
function spaced(run: string): string[] {
  const words = run.split(/\s+/).map(word => bare(word.replace(/^['.-]+|(?<!['.,:/-])['.,:/-]+$|['’]s$/gi, '')))
  const found: string[] = []
  let name: string[] = []
  const endName = () => {
    if (name.length > 0) found.push(name.join(' '))
    name = []
  }
  for (const word of words) {
    const tells = word.length > 1 && /\p{L}/u.test(word) && !STOP_WORDS.has(word.toLowerCase().replace('’', "'"))
    if (tells && /^\p{Lu}/u.test(word) && name.length < 3) name.push(word)
    else {
      endName()
      if (tells) found.push(word)
    }
  }
  endName()
  return found
}

/** The word without the particles that some languages attach. */
function bare(word: string): string {
  return LANGUAGES.reduce((rest, language) => language.bare?.(rest) ?? rest, word)
}

/** Words of the dictionary, without those that end in grammar: 食べる, 楽しい. */
function unspaced(run: string): string[] {
  return [...segmenter.segment(run)].flatMap(({ segment }) => {
    const tells = KANJI.test(segment) || KATAKANA.test(segment)
    return tells && !STOP_WORDS.has(segment) ? segment : []
  })
}

/** Names have more weight than words of a language. */
function weightOf(word: string): number {
  if (CJK.test(word)) return 1.5
  return /\p{Lu}|[\d/+#_]/u.test(word) ? 2 : 1
}

/** One key for all forms of a word: capitals, the plural. */
function sameWord(word: string): string {
  const lower = word.normalize('NFKC').toLowerCase()
  return /^[a-z]{4,}s$/.test(lower) && !/(?:ss|us|is)$/.test(lower) ? lower.slice(0, -1) : lower
}

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

/** Code, addresses, mentions, and emoji in the notation of platforms. */
const NO_WORDS = /```[\s\S]*?(?:```|$)|`[^`\n]*`|https?:\/\/\S+|<[@#:a!][^>\s]*>|:[\w+-]+:|(?<!\w)[@#][\p{L}\p{N}_.-]+/gu

const RUN =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々〆]+|[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々〆]](?:[[\p{L}\p{N}_'’+#.\/ \t\-]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々〆]])*/gv
const CJK = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々〆]/u
const KANJI = /^(?:お|ご)?[\p{sc=Han}々〆]{2,}$/u
const KATAKANA = /^[\p{sc=Katakana}ー]{2,}$/u
