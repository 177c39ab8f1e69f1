/** How people tell a bot that it should not have spoken, in each language. */
import { languagesIn } from 'kikimimi'

export interface Language {
  /** A correction, anywhere in a short message in lower case and folded width. */
  readonly corrects: RegExp
}

const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]

/** Maximum length. A longer message says more. */
const LONGEST = 60

export function corrects(text: string): boolean {
  const said = text.normalize('NFKC').toLowerCase().replaceAll('’', "'").trim()
  return said.length <= LONGEST && LANGUAGES.some(language => language.corrects.test(said))
}
