/**
 * What the search needs for each language. A change here changes the tokens of new texts; stored texts keep their old
 * tokens.
 */
import { languagesIn } from 'kikimimi'

export interface Language {
  /**
   * Words of grammar and questions, which occur in every text. In a script without spaces: as the dictionary segments them.
   */
  readonly stopWords: string
  /** Reduces the forms of a word to one. Called only for words with spaces around them; undefined for another language. */
  stem?(word: string): string | undefined
  /** Says that something has changed. */
  readonly change: RegExp
  /** Asks how something was before. */
  readonly before: RegExp
  /** Times before now in a question: the unit, how many units back, and the words. The first match counts. */
  readonly spans: readonly (readonly ['day' | 'week' | 'month' | 'year', number, RegExp])[]
  /** The twelve months in a question. */
  readonly months: readonly RegExp[]
  /** A sentence about how the bot, its answers or its memory behave or must behave, instead of a fact. One of them matches. */
  readonly instruction: readonly RegExp[]
  /** A letter of the language. Each pattern of `instruction` needs one. */
  readonly letter: RegExp
  /** Questions for a time and for a number. */
  readonly asks: Readonly<Record<'time' | 'number', RegExp>>
  /** Texts that state a time and a number. */
  readonly states: Readonly<Record<'time' | 'number', RegExp>>
  /** Times and dates. Source of a pattern. */
  readonly when: string
  /** Words between the things of a list. Source of a pattern. */
  readonly and: string
  /** Texts that are unrelated to any question. */
  readonly neutral: readonly string[]
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
