/** Finds the position of a quote in a message. */
import { foldLookalikes, ownPassages } from '@kikimimi/facts'

/**
 * The words of a text that match a quote, as they stand there. Differences of width, capitals, spaces, quotation marks and
 * backslashes of the prompt are ignored. Undefined if the text does not contain them, or only in lines that quote
 * others (`> …`), or that imitate a line of another participant or of the prompt.
 *
 * @param names of the participants, by id
 */
export function findQuote(quote: string, text: string, names: ReadonlyMap<string, string> = new Map()): string | undefined {
  const wanted = plain(quote)
  if (wanted === '') return undefined
  for (const passage of ownPassages(text.slice(0, SHOWN), names.values())) {
    if (!plain(passage).includes(wanted)) continue
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

/** Characters of a message that a transcript shows to a model: a quotation is of these. */
const SHOWN = 4_000

const graphemes = new Intl.Segmenter('ja', { granularity: 'grapheme' })

function plain(text: string): string {
  return foldLookalikes(text)
    .toLowerCase()
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’`]/g, "'")
    .replace(/[\p{C}\p{Z}\s\\]+/gu, '')
}
