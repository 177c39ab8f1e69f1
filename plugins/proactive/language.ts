/** Frequent words that are no topic, in each language. */
import { languagesIn } from 'kikimimi'

export interface Language {
  /** Words in normal spelling. They are segmented and stemmed like any text. */
  readonly written?: string
  /** Words as the dictionary segments them. */
  readonly cut?: string
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
