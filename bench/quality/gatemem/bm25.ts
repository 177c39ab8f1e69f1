/** Plain BM25 over messages, without anything else. */
const K1 = 1.2
const B = 0.75

/** The best texts for a question, best first. */
export function bm25(texts: readonly string[], question: string, limit: number): readonly string[] {
  const documents = texts.map(text => ({ text, words: wordsOf(text) }))
  const mean = documents.reduce((sum, { words }) => sum + words.length, 0) / Math.max(1, documents.length)
  const asked = [...new Set(wordsOf(question))].map(word => {
    const holding = documents.filter(({ words }) => words.includes(word)).length
    return { word, weight: Math.log(1 + (documents.length - holding + 0.5) / (holding + 0.5)) }
  })
  return documents
    .map(({ text, words }) => {
      const norm = K1 * (1 - B + (B * words.length) / mean)
      const score = asked.reduce((sum, { word, weight }) => {
        const count = words.filter(one => one === word).length
        return sum + (weight * count * (K1 + 1)) / (count + norm)
      }, 0)
      return { text, score }
    })
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ text }) => text)
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
