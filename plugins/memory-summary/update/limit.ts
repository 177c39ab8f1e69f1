import { estimateTokens } from 'kikimimi'

const sentences = new Intl.Segmenter('ja', { granularity: 'sentence' })

/**
 * Cuts a text to a number of tokens. It keeps the last sentences, because memories are chronological; of one endless
 * sentence it keeps the end.
 */
export function limit(text: string, tokens: number): string {
  const whole = text.trim()
  if (estimateTokens(whole) <= tokens) return whole
  const starts = [...sentences.segment(whole)].map(({ index }) => index)
  let [first, last] = [0, starts.length]
  while (first < last) {
    const middle = (first + last) >> 1
    if (estimateTokens(whole.slice(starts[middle])) <= tokens) last = middle
    else first = middle + 1
  }
  if (first < starts.length) return whole.slice(starts[first]).trim()
  const letters = [...whole]
  let from = letters.length
  for (let step = from; step >= 1; step = Math.floor(step / 2)) {
    while (from >= step && estimateTokens(`…${letters.slice(from - step).join('')}`) <= tokens) from -= step
  }
  return `…${letters.slice(from).join('')}`
}
