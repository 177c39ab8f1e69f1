/** How people ask what they missed, and how they decide, in each language. */
import { languagesIn } from 'kikimimi'
import type { SpanRule } from './span.ts'

export interface Language {
  /** A whole message that asks what happened: in lower case, without punctuation and the name of the bot; `SPAN` for a time. */
  readonly asks: RegExp
  readonly spans: readonly SpanRule[]
  /** True: words have no spaces between them. */
  readonly isUnspaced?: boolean
  /** A statement that decides something. */
  readonly decides: RegExp
  /** What only looks like one. */
  readonly undecided?: RegExp
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
