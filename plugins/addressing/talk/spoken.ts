/**
 * The spoken text of a message: without code, quoted lines and addresses. A name or a question mark in those does not
 * address the bot.
 */
export function spoken(text: string): string {
  return text
    .replace(FENCE, ' ')
    .replace(QUOTE, ' ')
    .replace(/(`{1,2})(?:(?!\1).)+\1/g, ' ')
    .replace(/https?:\/\/[^\s、。）」』]+|(?<![\w.+-])[\w.+-]+@[\w-]{1,64}\.[\w.-]+/g, ' ')
}

/**
 * A code block to its end, or to the end of the text. Tildes count only at the start of a line, because people use them to
 * stretch words.
 */
const FENCE = /(?:(`{3,})|^[ \t]*(~{3,}))[\s\S]*?(?:\1\2|$(?![\s\S]))/gm

/** `>` or `＞` quotes a line, `>>>` on Discord quotes all lines that follow. */
const QUOTE = /^[ \t]*>>>[\s\S]*|^[ \t\u3000]*[>＞].*/gm

/** One form for variants: full width and half width, capitals and small letters. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** Characters at each end of a long message that are read: a call, a question and an answer stand there. */
const END = 2_000

/** A message without the middle of a long one. */
export function ends(text: string): string {
  return text.length > 2 * END ? `${text.slice(0, END)} · ${text.slice(-END)}` : text
}
