/** How people give orders about the bot's memory, in each language. */
import { languagesIn } from 'kikimimi'

/**
 * Orders are whole messages in lower case, without punctuation. Only polite words may stand before and after an order, so a
 * text that
 * says anything else is not an order. In a script without spaces, the text has no spaces.
 */
export interface Language {
  readonly forgetMe: RegExp
  readonly asksWhatIsKnown: RegExp
  readonly optsOut: RegExp
  /** Read only from people who have opted out. From others, some of these sentences mean something else. */
  readonly optsIn: RegExp
  /** An order whose content is another message: the one that it replies to, or the one before it. */
  readonly rememberThat: RegExp
  /** An order to forget the previous message, or the one that it replies to. */
  readonly forgetThat: RegExp

  /** Requests not to remember something. The text has its case, its punctuation and straight apostrophes. */
  readonly offRecord: {
    /** The request beside the words that it means, or alone: the whole match is the request. */
    readonly marks: readonly RegExp[]
    /** Words beside the request that take back what was said before it, with excuses, and have no content. Global. */
    readonly retracts: RegExp
    /** Texts that only look like a request. */
    readonly notMeant?: RegExp
    /** A whole message that means what was said before it. */
    readonly back: RegExp
    /** A whole message that means what is said next. */
    readonly ahead: RegExp
    /** A whole message that ends what `ahead` began. */
    readonly over: RegExp
  }

  /** Contents of an order to remember, as they stand in the text. The first valid one counts. */
  contents(said: string): readonly (string | undefined)[]
  /** The topic of an order to forget. */
  topic(said: string): string | undefined
  /** Matches topics that name nothing: the order means the previous message. */
  readonly previous?: RegExp
  /** Matches texts without a content. */
  readonly noContent?: RegExp
  /** Matches contents that are none: they ask for something else, or name nothing. */
  readonly emptyContent?: RegExp

  /** An order in the form of a question. */
  readonly request: RegExp
  /** Signs of a joke. An order that cannot be undone must not contain one. */
  readonly jokes: RegExp

  /** Greetings before a name. Source of a pattern. */
  readonly greetings: string
  /** Honorifics after a name, such as `さん`. Source of a pattern. */
  readonly honorifics?: string

  /** Answers to a numbered list. Sources of patterns. */
  readonly choice: {
    readonly all: string
    readonly none: string
    readonly yes: string
    /** Words before a number, with their space. */
    readonly lead?: string
    /** Words after a number. */
    readonly ordinal?: string
    /** Words between two numbers. */
    readonly and: string
    /** Words after an answer. */
    readonly after: string
  }
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
