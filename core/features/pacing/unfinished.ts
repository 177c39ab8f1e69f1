/** Whether a message ends within a sentence, so that its author will go on. */
import { anyOf, languagesIn } from '../../base/text/texts.ts'

/** The words of one language. They are matched against a text in lower case. */
export interface Language {
  /** A word at the end that more words must follow, such as "and". */
  readonly goesOn: RegExp
}

const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
const GOES_ON = anyOf(LANGUAGES.map(({ goesOn }) => goesOn))

/** A comma or an ellipsis. */
const OPEN_END = /(?:[,、，…‥]|\.{2,}|。{2,}|・{2,})$/u

/** The end of a message is enough. */
const LENGTH = 80

export function isUnfinished(text: string): boolean {
  const end = text.trimEnd().slice(-LENGTH).toLowerCase()
  return OPEN_END.test(end) || GOES_ON.test(end)
}
