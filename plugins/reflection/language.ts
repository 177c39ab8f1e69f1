/** Sensitive topics and orders, in each language. */
import { languagesIn } from 'kikimimi'

export interface Language {
  readonly health: RegExp
  readonly money: RegExp
  readonly secret: RegExp
  readonly privateLife: RegExp
  /** Orders to a model and its memory, instead of a statement. */
  readonly orders: RegExp
  /** Questions, wishes, conditions, and words for one thing more: such a message does not end what was true before. */
  readonly unsure: RegExp
  /** Honorifics of people and models after a name, such as `さん`. */
  readonly honorific?: RegExp
}

export const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
