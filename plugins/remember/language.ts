/** How people tell a bot what to do with its memory, in each language. */
import { languagesIn } from 'kikimimi'

/**
 * Orders are whole messages in lower case, without marks: what stands before and after the order is politeness, so a text that says
 * anything else is no order. A text without Latin letters comes without spaces.
 */
export interface Language {
  readonly forgetMe: RegExp
  readonly asksWhatIsKnown: RegExp
  readonly optsOut: RegExp
  /** Heard only from those who have opted out: from others some of this would mean something else. */
  readonly optsIn: RegExp
  /** What is to be remembered stands elsewhere: in the message that this one answers, or before it. */
  readonly rememberThat: RegExp
  /** What was just said, or the message that this one answers. */
  readonly forgetThat: RegExp

  /** What an order says that is to be remembered, as it stands in the text. The first that is worth keeping counts. */
  contents(said: string): readonly (string | undefined)[]
  /** What an order says that is to be forgotten. */
  topic(said: string): string | undefined
  /** Says that no part of a text is a content. */
  readonly noContent?: RegExp
  /** A content that is none: it wants something else, or names nothing. */
  readonly emptyContent?: RegExp

  /** An order that is put as a question. */
  readonly request: RegExp
  /** What cannot be undone is not done for a laugh. */
  readonly jokes: RegExp

  /** What is said before a name. Source of a pattern. */
  readonly greetings: string
  /** What people put behind a name, such as `さん`. Source of a pattern. */
  readonly honorifics?: string

  /** Answers to a numbered list. Sources of patterns. */
  readonly choice: {
    readonly all: string
    readonly none: string
    readonly yes: string
    /** Stands before a number, with its space. */
    readonly lead?: string
    /** Stands behind a number. */
    readonly ordinal?: string
    /** Stands between two numbers. */
    readonly and: string
    /** Stands behind an answer. */
    readonly after: string
  }
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
