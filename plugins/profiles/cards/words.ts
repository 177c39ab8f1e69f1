/** Compares the words of a line with those of its facts. */
import { LANGUAGES } from '../language.ts'

/** Words that a line may have without its facts having them: they join other words. */
const JOINING = new Set(LANGUAGES.flatMap(({ joining }) => joining.split(/\s+/)))

/** A script in which words have no spaces around them or particles at their end. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' })

export interface Said {
  /** Each word once, without those that only join others. */
  readonly words: ReadonlySet<string>
  readonly text: string
}

export function saidIn(given: string): Said {
  const text = given.normalize('NFKC').toLowerCase()
  const words = [...segmenter.segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => (JOINING.has(segment) ? [] : formOf(segment)))
    .filter(word => !JOINING.has(word))
  return { words: new Set(words), text }
}

/** Whether a text has a word, in any of its forms. */
export function hasWord({ words, text }: Said, word: string): boolean {
  return words.has(word) || (UNSPACED.test(word) && text.includes(word))
}

/** The word without its ending: `lives` and `living` have one form. */
function formOf(word: string): string {
  if (UNSPACED.test(word)) return LANGUAGES.reduce((rest, language) => language.bare?.(rest) ?? rest, word)
  return word.replace(/['’]s$/, '').replace(/(?<=\p{L}{3})(?:ing|ed|es|e|s|d)$/u, '')
}
