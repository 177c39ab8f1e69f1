/** How people ask what they missed, and how they decide, in each language. */
import { languagesIn } from 'kikimimi'
import type { SpanRule } from './span.ts'

export interface Language {
  /** A whole message that asks what happened: in lower case, without punctuation and the name of the bot; `SPAN` for a time. */
  readonly asks: RegExp
  /** A clause that asks, beside others. "The recap, I read it later" has none. */
  readonly request: RegExp
  /** A time that another clause names: "that day". */
  readonly thatTime?: RegExp
  readonly spans: readonly SpanRule[]
  /** True: words have no spaces between them. */
  readonly isUnspaced?: boolean
  /** A statement that something was decided. */
  readonly decides: RegExp
  /** What only looks like one. */
  readonly undecided: RegExp
  /** A proposal, asked or stated. */
  readonly proposes: RegExp
  /** Agrees with what another person said. */
  readonly assents: RegExp
  /** Agrees in a way that leaves nothing open: "agreed", "done", "I'll book it". */
  readonly accepts: RegExp
  /** Disagrees with it. */
  readonly objects: RegExp
  /** Ends a discussion with its result, or with what the author does about it. */
  readonly settles: RegExp
  /** Has the form of a question and wants no answer. */
  readonly rhetorical: RegExp
  /** A sentence that asks without the form of a question: "they want to know if …". */
  readonly wonders: RegExp
  /** Takes up a question and has no answer: "no idea", "me neither". */
  readonly unknown: RegExp
  /** The asker has found the answer, or needs none any more. */
  readonly solved: RegExp
  /** Asks for a number or a time. */
  readonly amount: RegExp
  /** Names one. */
  readonly number: RegExp
}

export type Sign =
  | 'decides'
  | 'undecided'
  | 'proposes'
  | 'assents'
  | 'accepts'
  | 'objects'
  | 'settles'
  | 'rhetorical'
  | 'unknown'
  | 'solved'
  | 'amount'
  | 'number'

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
