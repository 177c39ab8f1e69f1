/** Words that are in any talk, and so say nothing of what it is about, in each language. */
import { languagesIn } from 'kikimimi'

export interface Language {
  /** As people write them; they are cut and stemmed like any text. */
  readonly written?: string
  /** As texts are cut. */
  readonly cut?: string
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
