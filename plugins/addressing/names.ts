import { type Locale, service } from 'kikimimi'
import { texts } from './texts.ts'

/** The names of the bot. A plugin that recognizes them in messages provides it. */
export interface Names {
  /** Whether a text contains a name of the bot. It need not address the bot. */
  has(text: string): boolean
}

export const Names = service<Names>('names', '@kikimimi/addressing')

/** What to tell an operator whose bot does not recognize its name. */
export function withoutNames(locale: Locale): string {
  return texts(locale)('noNames')
}
