/** Whether a call wants what was said before working memory begins. */
import { anyOf, languagesIn } from '../../base/text/texts.ts'

/** The words of one language. They are matched against a text in lower case. */
export interface Language {
  /** Asks for a summary: "sum up this thread", "what did I miss". */
  readonly asksForSummary: RegExp
  /** Refers to something that was said before: "what we talked about". */
  readonly refersBack: RegExp
}

const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]
const WANTED = anyOf(LANGUAGES.flatMap(({ asksForSummary, refersBack }) => [asksForSummary, refersBack]))

/** The beginning of a message is enough: a call that goes on for longer brings its own text. */
const LENGTH = 500

export function wantsEarlier(text: string): boolean {
  return WANTED.test(text.slice(0, LENGTH).normalize('NFKC').toLowerCase())
}
