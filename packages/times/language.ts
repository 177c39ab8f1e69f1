/** How people say times, in each language. */
import { languagesIn } from 'kikimimi'
import type { TimeWords } from './said.ts'

export interface Language extends TimeWords {
  /** True: a phrase of times can begin between any two letters. */
  readonly isUnspaced?: boolean
}

/** By locale. */
export const LANGUAGES = await languagesIn<Language>(new URL('./language/', import.meta.url))
