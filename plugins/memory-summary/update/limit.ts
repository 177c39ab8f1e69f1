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
  const start = starts.find(at => estimateTokens(whole.slice(at)) <= tokens)
  if (start !== undefined) return whole.slice(start).trim()
  const letters = [...whole]
  let from = letters.length
  for (let step = from; step >= 1; step = Math.floor(step / 2)) {
    while (from >= step && estimateTokens(`…${letters.slice(from - step).join('')}`) <= tokens) from -= step
  }
  return `…${letters.slice(from).join('')}`
}
