/** How people ask for reminders, in each language. */
import { languagesIn } from 'kikimimi'

/**
 * Sources of patterns are for folded text (`foldWidth`), in any case. A request is the words around the time and the content:
 * "remind me", 「をリマインドして」.
 */
export interface Language {
  readonly request: {
    /** A request before the time and the content. `sure`: it is one without a time too, and the bot asks for the time. */
    readonly before: { readonly sure: string; readonly unsure?: string }
    /** A request after the time and the content. */
    readonly after: { readonly sure: string; readonly unsure?: string }
  }
  /** Words at the end of a text, such as "please". Source of a pattern. */
  readonly polite: string
  /** Words between the time or the request and the content, at its start: "to", "about". Source of a pattern. */
  readonly contentStart: string
  /** Words between the content and a request or a time after it. Source of a pattern. */
  readonly contentEnd: string
  /** Matches a content that names more of the time, so that the time that was read can be another one: "and again tomorrow at 7". */
  readonly goesOn: RegExp
  /** Signs of a time in the words after a request: 「…って言って、11時スタートで」. */
  readonly timeSigns: RegExp
  /** A content that makes a request without a time a question about what was said: "remind me what the password is". */
  readonly asksInstead?: RegExp
  /** A question for the list of reminders. The whole text, without punctuation and name of the bot. */
  readonly lists: RegExp
  /** Cancels a reminder. Group `which`: its number or words of it; empty: the last one. */
  readonly cancels: RegExp
  /** An order to cancel all reminders. The same text. */
  readonly cancelsAll: RegExp
  /** Moves a reminder. Groups `which` and `when`. */
  readonly moves: RegExp
  /** "When somebody mentions `words`, tell them `content`." */
  readonly watches: RegExp
  /** Words for the last reminder: "it". The whole text. */
  readonly it: RegExp
  /** The number of a reminder in `which`: group 1. */
  readonly number: RegExp
  /** Words around the words that a reminder is found by: "the one about …". Group `words`. */
  readonly about: RegExp
  /** What the bot promises in its own words. Group `when`: a time, or vague words. */
  readonly promises: readonly RegExp[]
  /** A vague time in a promise: later. */
  readonly vague: RegExp
}

export const BY_LOCALE = await languagesIn<Language>(new URL('./language/', import.meta.url))

export const LANGUAGES: readonly Language[] = [...BY_LOCALE.values()]
