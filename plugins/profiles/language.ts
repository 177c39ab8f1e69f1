/** Words that are in every talk and tell nothing of what it is about, in each language. */
import { languagesIn } from 'kikimimi'

export interface Language {
  /** In a script without spaces, as the dictionary cuts them. */
  readonly stopWords: string
  /** A word as one shows it alone: without the particles that are written behind it. */
  bare?(word: string): string
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
