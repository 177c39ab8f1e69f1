/** How people tell a bot to be quiet, in each language. */
import { languagesIn } from 'kikimimi'

/**
 * Whole messages in lower case, without marks. What stands before and after an order is politeness, so a text that says anything else
 * is no order. A text without Latin letters comes without spaces.
 */
export interface Language {
  /** Said plainly, this can only be meant for somebody who talks too much. */
  readonly asksForQuiet: RegExp
  /** This is meant for the bot only when it is said to it. */
  readonly hintsAtQuiet: RegExp
  /** The end of it. */
  readonly letsTalk: RegExp
  /** Somebody tells what somebody has said. */
  readonly reported: RegExp
  /** Ends a part of a sentence, beside punctuation marks. Source of a pattern. */
  readonly clauseEnds?: string
  /** What people put behind a name, such as `さん`. Source of a pattern. */
  readonly honorifics?: string
  /** "for half an hour", anywhere in a text in lower case. */
  readonly duration: {
    readonly pattern: RegExp
    /** Milliseconds, by the groups of the pattern. Nothing when it is no duration. */
    ms(groups: readonly (string | undefined)[]): number | undefined
  }
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
