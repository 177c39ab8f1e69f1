/** What the search has to know of each language. A change here changes how texts are cut: those that are stored keep their old tokens. */
import { languagesIn } from 'kikimimi'

export interface Language {
  /** Words of grammar and of asking: they are in every text and tell none apart. In a script without spaces, as the dictionary cuts them. */
  readonly stopWords: string
  /** Brings the forms of a word together. Asked for words with spaces around them alone; nothing for one of another language. */
  stem?(word: string): string | undefined
  /** Something has changed. */
  readonly change: RegExp
  /** Somebody asks how it was before. */
  readonly before: RegExp
  /** When something is. Source of a pattern. */
  readonly when: string
  /** Texts that have nothing to do with what people ask. */
  readonly neutral: readonly string[]
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
