import { safeText } from 'kikimimi'

/** Maximum length of a quote, in characters. */
const LONGEST = 100

/** Characters that it is made from: what is invisible is left out. */
const READ = 4_000

/** The text on one line, cut to a readable length. */
export function short(text: string): string {
  const line = [...safeText(text.slice(0, READ)).replace(/\s+/g, ' ').trim()]
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).join('')}…` : line.join('')
}
