import { estimateTokens } from 'kikimimi'

const sentences = new Intl.Segmenter('ja', { granularity: 'sentence' })

/**
 * Cuts a text to a number of tokens. It keeps the last sentences, because memories are chronological; of one endless
 * sentence it keeps the end.
 */
export function limit(text: string, tokens: number): string {
  const whole = text.trim()
  if (estimateTokens(whole) <= tokens) return whole
  // A token has at most four characters. One more shows whether a sentence starts after it.
  const read = Math.max(0, whole.length - 4 * tokens - 1)
  const end = whole.slice(read)
  const starts = Array.from(sentences.segment(end), ({ index }) => read + index).filter(start => start > read || read === 0)
  let [first, last] = [0, starts.length]
  while (first < last) {
    const middle = (first + last) >> 1
    if (estimateTokens(whole.slice(starts[middle])) <= tokens) last = middle
    else first = middle + 1
  }
  if (first < starts.length) return whole.slice(starts[first]).trim()
  const letters = [...end]
  let from = letters.length
  for (let step = from; step >= 1; step = Math.floor(step / 2)) {
    while (from >= step && estimateTokens(`…${letters.slice(from - step).join('')}`) <= tokens) from -= step
  }
  return `…${letters.slice(from).join('')}`
}
