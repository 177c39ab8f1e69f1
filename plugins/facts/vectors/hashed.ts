/** The built-in embedding: no model, no network, constant over time. It finds similar spellings: typos, endings. */
import { kindOf, tokenId, tokensOf } from '../text/tokens.ts'

export const HASHED = { name: 'hashed-1', dimensions: 256 } as const

const WEIGHTS = { word: 1, pair: 0.5, kanji: 0.3 } as const

/** Total weight of the pieces of a Latin word, relative to the word. */
const PIECES = 1

/**
 * A vector of length one. Each feature of the text (its tokens, and groups of three letters of its Latin words) adds a
 * random direction, which depends on the feature only. All zero for a text without features.
 */
export function hashedVector(text: string): Float32Array {
  const vector = new Float32Array(HASHED.dimensions)
  for (const token of tokensOf(text)) {
    add(vector, tokenId(token), WEIGHTS[token.kind])
    if (token.kind !== 'word' || !/^[\p{sc=Latin}\p{N}_]+$/u.test(token.text)) continue
    const pieces = threes(` ${token.text} `)
    for (const piece of pieces) add(vector, tokenId({ text: `piece ${piece}`, kind: 'pair' }), PIECES / Math.sqrt(pieces.length))
  }
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map(value => value / length)
}

/** The similarity of two texts from their tokens alone: nearly the cosine, without the vectors. */
export function hashedSimilarity(one: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>): number {
  const weight = (token: number, counts: ReadonlyMap<number, number>) => (counts.get(token) ?? 0) * WEIGHTS[kindOf(token)]
  const length = (counts: ReadonlyMap<number, number>) => Math.hypot(...[...counts.keys()].map(token => weight(token, counts)))
  const dot = [...one.keys()].reduce((sum, token) => sum + weight(token, one) * weight(token, other), 0)
  return dot === 0 ? 0 : dot / (length(one) * length(other))
}

function threes(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.slice(at, at + 3))
}

/** Adds or subtracts `weight` in each dimension, by the bits of xorshift32. */
function add(vector: Float32Array, seed: number, weight: number): void {
  let bits = seed || 1
  for (let at = 0; at < vector.length; at++) {
    if (at % 32 === 0) {
      bits ^= bits << 13
      bits ^= bits >>> 17
      bits ^= bits << 5
    }
    vector[at] = (vector[at] ?? 0) + ((bits >>> (at % 32)) & 1 ? weight : -weight)
  }
}
