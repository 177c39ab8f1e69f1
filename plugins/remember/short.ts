import { safeText } from 'kikimimi'

/** Characters of what is quoted. */
const LONGEST = 100

/** On one line, and cut to a length that one reads at a glance. */
export function short(text: string): string {
  const line = [...safeText(text).replace(/\s+/g, ' ').trim()]
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).join('')}…` : line.join('')
}
