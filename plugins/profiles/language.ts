/** Words of each language: frequent ones that are no topic, and those that only join others. */
import { languagesIn } from 'kikimimi'

export interface Language {
  /** In a script without spaces: as the dictionary segments them. */
  readonly stopWords: string
  /** Words that only join others, without a statement of their own: a card may add them. `not` is none of them. */
  readonly joining: string
  /** A word in the form that stands alone: without particles after it. */
  bare?(word: string): string
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
