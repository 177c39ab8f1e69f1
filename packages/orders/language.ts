/** Words around an order that say nothing about it, in each language. */
import { languagesIn } from 'kikimimi'
import type { Slip } from './fold.ts'

/** Sources of patterns for folded text. */
export interface Language {
  /** Before the name of the bot. A pause follows. */
  readonly greetings: string
  /** Before the name of the bot, without a pause. */
  readonly unspacedGreetings?: string
  /** After the name of the bot. */
  readonly honorifics: string
  /** Words after which, without a pause, the name of the bot is a call: "omg kiki hush". */
  readonly beforeCall: string
  /** In the text before a call: the call is reported, or an example: "bob said: kiki, be quiet". */
  readonly reports: RegExp
  /** A text after a call that is about what was said before it: "remember that". The whole text. */
  readonly refersBack: RegExp
  /** Polite words before an order. */
  readonly before: string
  /** Polite words after an order. */
  readonly after: string
  /** Absent: none. */
  readonly slips?: readonly Slip[]
}

export const LANGUAGES: readonly Language[] = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
