/** How people say times, in each language. */
import { languagesIn } from 'kikimimi'
import type { TimeWords } from './said.ts'

export interface Language extends TimeWords {
  /** True: a phrase of times can begin between any two letters. */
  readonly isUnspaced?: boolean
  /** The word before an hour that stands alone: "at". Absent: the language needs none. */
  readonly at?: string
}

/** By locale. */
export const LANGUAGES = await languagesIn<Language>(new URL('./language/', import.meta.url))
