/** How people ask what they missed, and how they decide, in each language. */
import { languagesIn } from 'kikimimi'

/** The day or the time from which a person wants to know. */
export type Spoken =
  | { readonly kind: 'today' | 'yesterday' | 'night' | 'week' | 'last-week' }
  | { readonly kind: 'ago'; readonly ms: number }
  /** 0 is Sunday. */
  | { readonly kind: 'weekday'; readonly day: number }

export interface Language {
  /** A whole message that asks what happened: in lower case, without punctuation and the name of the bot. */
  readonly asks: RegExp
  /** The time in such a message, and in the words after the command. */
  since(words: string): Spoken | undefined
  /** A statement that decides something. */
  readonly decides: RegExp
  /** What only looks like one. */
  readonly undecided?: RegExp
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
