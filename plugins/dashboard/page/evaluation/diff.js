/** The words of a text that another text does not have. */

/** More words than this are not compared: the work grows with their square. */
const MOST = 1_500

/**
 * The text in parts; `isOnly`: the other text does not have the part there.
 *
 * @param {string} text @param {string} other
 * @returns {readonly { text: string, isOnly: boolean }[]}
 */
export function differenceOf(text, other) {
  const [own, others] = [wordsOf(text), wordsOf(other)]
  if (own.length > MOST || others.length > MOST || other === '') return [{ text, isOnly: false }]
  // The length of the longest common subsequence of the rests.
  const width = others.length + 1
  const common = new Uint16Array((own.length + 1) * width)
  const at = (/** @type {number} */ i, /** @type {number} */ j) => common[i * width + j] ?? 0
  for (let i = own.length - 1; i >= 0; i--)
    for (let j = others.length - 1; j >= 0; j--)
      common[i * width + j] = own[i] === others[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  /** @type {{ text: string, isOnly: boolean }[]} */
  const parts = []
  for (let i = 0, j = 0; i < own.length; ) {
    const word = own[i] ?? ''
    const isOnly = word !== others[j]
    if (isOnly && j < others.length && at(i, j + 1) > at(i + 1, j)) {
      j++
      continue
    }
    const last = parts.at(-1)
    if (last?.isOnly === isOnly) last.text += word
    else parts.push({ text: word, isOnly })
    i++
    if (!isOnly) j++
  }
  return parts
}

/** Words with what stands between them; Japanese has no spaces. @param {string} text */
function wordsOf(text) {
  return Array.from(new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text), ({ segment }) => segment)
}
