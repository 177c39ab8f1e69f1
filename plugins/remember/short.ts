import { safeText } from 'kikimimi'

/** Maximum length of a quote, in characters. */
const LONGEST = 100

/** The text on one line, cut to a readable length. */
export function short(text: string): string {
  const line = [...safeText(text).replace(/\s+/g, ' ').trim()]
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).join('')}…` : line.join('')
}
