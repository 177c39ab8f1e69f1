/** How well the words of texts match those of a question. */
import { kindOf } from '../text/tokens.ts'
import type { Candidate, Question } from './candidate.ts'

/** The weight of a token, low if many items have it. The formula is that of BM25 in Lucene. */
export function idf(items: number, having: number): number {
  return Math.log(1 + (items - having + 0.5) / (having + 0.5))
}

/** Weight of a single kanji relative to a word. */
export const KANJI_WEIGHT = 0.3

/** BM25: how fast a repeated word saturates, and how much a long text is penalised. */
const K1 = 1.2
const B = 0.75

export function bm25(
  { tokens, words }: Pick<Candidate, 'tokens' | 'words'>,
  { tokens: asked, meanWords }: Pick<Question, 'tokens' | 'meanWords'>,
): { words: number; pairs: number } {
  const held = K1 * (1 - B + (B * Math.max(words, meanWords)) / Math.max(1, meanWords))
  const sums = { words: 0, pairs: 0 }
  for (const [token, count] of counts(tokens, asked)) {
    const kind = kindOf(token)
    const value = ((asked.get(token) ?? 0) * count * (K1 + 1)) / (count + held)
    if (kind === 'pair') sums.pairs += value
    else sums.words += value
  }
  return sums
}

export function counts(tokens: Int32Array, asked: ReadonlyMap<number, number>): Map<number, number> {
  const counts = new Map<number, number>()
  for (const token of tokens) if (asked.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1)
  return counts
}

/** The total weight of the question, in words and in pairs. */
export function total({ tokens }: Pick<Question, 'tokens'>): { words: number; pairs: number } {
  const sums = { words: 0, pairs: 0 }
  for (const [token, weight] of tokens) {
    if (kindOf(token) === 'pair') sums.pairs += weight
    else sums.words += weight
  }
  return sums
}

/**
 * The share of the question's text: the mean of its words and of its pairs. With vectors: the mean of that and of the similarity,
 * if it is more, so that a match by words alone counts as much as without vectors. Measured on 300 questions without vectors: at
 * 0.15 nothing is recalled for 60 % of the questions without an answer, and 2 % of the answers are lost.
 */
export function evidence(
  candidate: Pick<Candidate, 'tokens' | 'similarity'>,
  { tokens, byVector, trust }: Pick<Question, 'tokens' | 'byVector' | 'trust'>,
  whole: { words: number; pairs: number },
): number {
  const found = { words: 0, pairs: 0 }
  for (const token of new Set(candidate.tokens)) {
    const weight = tokens.get(token)
    if (weight === undefined) continue
    if (kindOf(token) === 'pair') found.pairs += weight
    else found.words += weight
  }
  const shares = [
    ...(whole.words > 0 ? [found.words / whole.words] : []),
    ...(whole.pairs > 0 ? [found.pairs / whole.pairs] : []),
  ]
  const text = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length)
  const meaning = Math.max(0, candidate.similarity ?? 0)
  if (!byVector) return text
  return shares.length === 0 ? meaning : Math.max(text, (text + trust * meaning) / 2)
}

/** BM25 of several texts as one, without a penalty for length. */
export function covering(counts: ReadonlyMap<number, number>, { tokens }: Question, pairs: number): number {
  return [...counts].reduce((sum, [token, count]) => {
    const weight = (kindOf(token) === 'pair' ? pairs : 1) * (tokens.get(token) ?? 0)
    return sum + (weight * count * (K1 + 1)) / (count + K1)
  }, 0)
}
