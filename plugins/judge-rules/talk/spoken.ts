/**
 * What somebody says in a message: without code, without lines quoted from others, without addresses.
 * A name or a question mark in those calls on nobody.
 */
export function spoken(text: string): string {
  return text
    .replace(FENCE, ' ')
    .replace(QUOTE, ' ')
    .replace(/(`{1,2})(?:(?!\1).)+\1/g, ' ')
    .replace(/https?:\/\/[^\s、。）」』]+|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]+/g, ' ')
}

/** To its end, or to the end of the text. Tildes open one only at the start of a line: people draw out words with them. */
const FENCE = /(?:(`{3,})|^[ \t]*(~{3,}))[\s\S]*?(?:\1\2|$(?![\s\S]))/gm

/** `>` quotes a line, `>>>` on Discord all that follows. */
const QUOTE = /^[ \t]*>>>[\s\S]*|^[ \t]*>.*/gm

/** One form for what people write in several: full width and half width, capitals and small letters. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
