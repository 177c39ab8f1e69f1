/** Frequent words that are no topic, in each language. */
import { languagesIn } from 'kikimimi'

export interface Language {
  /** In a script without spaces: as the dictionary segments them. */
  readonly stopWords: string
  /** A word in the form that stands alone: without particles after it. */
  bare?(word: string): string
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
