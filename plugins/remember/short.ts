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

/** Characters of the words by which a person recognises their message. */
const SHOWN = 24

/** How a text begins: at most half of it, because what is to be left out often stands at its end. Empty for a text without words. */
export function beginning(text: string): string {
  const line = [...short(text)]
  if (line.length === 0) return ''
  const part = line.slice(0, Math.min(SHOWN, Math.ceil(line.length / 2))).join('')
  return `${/\s/.test(part) ? part.slice(0, part.lastIndexOf(' ')) : part} …`
}
