/** Words that the bot answers with a reaction, in each language. */
import { languagesIn } from 'kikimimi'

export interface Language {
  /** Thanks and joy. */
  readonly joy: RegExp
  readonly agreement: RegExp
  readonly idea: RegExp
  readonly news: RegExp
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
