/** How people tell a bot to be quiet, in each language. */
import { languagesIn } from 'kikimimi'

/**
 * Patterns match whole messages in lower case, without punctuation. Only polite words may stand before and after a request,
 * so a
 * text that says anything else is no request. In a script without spaces, the text has no spaces.
 */
export interface Language {
  /** A request that is clear even if it does not address the bot. */
  readonly asksForQuiet: RegExp
  /** A request that counts only if it addresses the bot. */
  readonly hintsAtQuiet: RegExp
  /** Words that say nothing but a change: "actually", "instead". With an end they change the one of a mute. */
  readonly changes: RegExp
  /** Ends the mute. */
  readonly letsTalk: RegExp
  /** Reports what another person said. */
  readonly reported: RegExp
  /** Thanks for it. */
  readonly thanks?: RegExp
  /** Ends a clause, like a punctuation mark. Source of a pattern. */
  readonly clauseEnds?: string
  /** "for half an hour", anywhere in a text in lower case. */
  readonly duration: {
    readonly pattern: RegExp
    /** Converts the groups of the pattern to milliseconds. Undefined: the text is no duration. */
    ms(groups: readonly (string | undefined)[]): number | undefined
  }
  /** "until", まで. */
  readonly until: {
    readonly pattern: RegExp
    /** Whether it stands before the time. */
    readonly isBefore: boolean
    /** Words beside it that name no end: "until I call you", 「今まで」. */
    readonly open: RegExp
  }
  /** "for the rest of the day". */
  readonly today: RegExp
}

export const BY_LOCALE = await languagesIn<Language>(new URL('./language/', import.meta.url))

export const LANGUAGES = [...BY_LOCALE.values()]
