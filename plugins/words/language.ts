/** How people say what a word means, in each language. */
import { languagesIn } from 'kikimimi'

/** Patterns are for one sentence in folded width, without the point at its end. Each matches the whole sentence, or says otherwise. */
export interface Language {
  /** Says what any word means. Groups `word` and `meaning`. */
  readonly defines: readonly RegExp[]
  /** The same, if the word looks like jargon. */
  readonly states: readonly RegExp[]
  /** Gives the author a nickname. Group `word`. */
  readonly calls: readonly RegExp[]
  /** Gives a person who takes part a nickname. Groups `word` and `name`. */
  readonly names: readonly RegExp[]
  /** Asks what a word means. Group `word`. */
  readonly asks: readonly RegExp[]
  /** Answers such a question without the word. Group `meaning`. */
  readonly explains: readonly RegExp[]
  /** Tells the bot to forget a word. Group `word`. */
  readonly forgets: RegExp
  /** Words that name nothing of their own. */
  readonly noWord: RegExp
  /** Beginnings of meanings that are none. */
  readonly noMeaning?: RegExp
  /** Honorifics after a name. */
  readonly honorific?: RegExp
  /** Abbreviations that everybody knows. */
  readonly common?: RegExp
}

export const LANGUAGES: readonly Language[] = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
