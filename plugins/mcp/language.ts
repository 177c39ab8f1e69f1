/** Words that answer the question whether a tool may run, in each language. */
import { languagesIn } from 'kikimimi'

export interface Language {
  /** The whole answer, in lower case and without punctuation. */
  readonly yes: RegExp
  readonly no: RegExp
}

const LANGUAGES = [...(await languagesIn<Language>(new URL('./language/', import.meta.url))).values()]

/** The longest answer. */
const LONGEST = 60

/**
 * The answer to the question. Only the whole text counts: a sentence that begins with yes can say more.
 * @param names of the bot, which can stand before or behind the answer
 */
export function answerIn(text: string, names: readonly string[]): 'yes' | 'no' | undefined {
  let said = text.normalize('NFKC').toLowerCase().trim()
  for (const name of [...names].sort((one, other) => other.length - one.length))
    said = without(said, name.normalize('NFKC').toLowerCase())
  if (said.length > LONGEST) return undefined
  const words = said.split(/[\s,.!:、。]+/).filter(word => word !== '')
  const plain = words.join(' ')
  if (LANGUAGES.some(({ yes }) => yes.test(plain))) return 'yes'
  return LANGUAGES.some(({ no }) => no.test(plain)) ? 'no' : undefined
}

function without(text: string, name: string): string {
  if (name === '') return text
  for (const call of [`@${name}`, name]) {
    if (text.startsWith(call)) return text.slice(call.length)
    if (text.endsWith(call)) return text.slice(0, -call.length)
  }
  return text
}
