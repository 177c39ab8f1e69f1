/** Finds the position of a quote in a message. */

/**
 * The words of a text that match a quote, as they stand there. Differences of width, capitals, spaces, quotation marks and
 * backslashes of the prompt are ignored. Undefined if the text does not contain them, or only in lines that quote
 * others (`> …`).
 */
export function findQuote(quote: string, text: string): string | undefined {
  const wanted = plain(quote)
  if (wanted === '') return undefined
  for (const passage of ownPassages(text)) {
    const pieces = [...graphemes.segment(passage)].map(({ segment, index }) => ({
      index,
      end: index + segment.length,
      text: plain(segment),
    }))
    const at = pieces
      .map(piece => piece.text)
      .join('')
      .indexOf(wanted)
    if (at < 0) continue
    let before = 0
    const inside = pieces.filter(piece => {
      const start = before
      before += piece.text.length
      return piece.text !== '' && start < at + wanted.length && before > at
    })
    return passage.slice(inside[0]?.index, inside.at(-1)?.end)
  }
  return undefined
}

const graphemes = new Intl.Segmenter('ja', { granularity: 'grapheme' })

/** The own lines of a text, without quotes. */
function ownPassages(text: string): string[] {
  return text.split(/^[ \t]*(?:>|＞).*$/mu).filter(passage => passage.trim() !== '')
}

function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’`]/g, "'")
    .replace(/[\p{C}\p{Z}\s\\]+/gu, '')
}
