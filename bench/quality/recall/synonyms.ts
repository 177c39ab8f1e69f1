/** A stand-in for an embedding model: words have directions and weights, and some words of questions and of their evidence share one. */
import { seededRandom } from '../../../core/base/random.ts'
import { wordsOf } from '../../../plugins/facts/text/tokens.ts'
import type { Embedder } from '../../../plugins/facts/vectors/embedder.ts'
import type { TalkSet } from './data.ts'

const SPACE = { dimensions: 256 } as const

/** Share of the questions for which the model knows a synonym. */
const KNOWN = 0.5

/**
 * For half of the questions, one word that is not in the evidence means the same as one word of the evidence that is not
 * in the question. Everywhere: so a synonym also finds messages that answer nothing.
 */
export function synonyms(conversations: TalkSet['conversations'], seed = 5): Embedder {
  const random = seededRandom(seed)
  const meaning = new Map<string, string>()
  const having = new Map<string, number>()
  const lines = conversations.flatMap(({ turns }) => turns)
  for (const { text } of lines) for (const word of wordsOf(text)) having.set(word, (having.get(word) ?? 0) + 1)
  for (const { turns, questions } of conversations) {
    const texts = new Map(turns.map(({ id, text }) => [id, text]))
    for (const { q, evidence } of questions) {
      if (random() >= KNOWN) continue
      const [asked, said] = [wordsOf(q), wordsOf(evidence.map(id => texts.get(id) ?? '').join('\n'))]
      const [one] = longestFirst(asked.filter(word => !said.includes(word)))
      const [other] = longestFirst(said.filter(word => !asked.includes(word)))
      if (one !== undefined && other !== undefined && !meaning.has(one)) meaning.set(one, meaning.get(other) ?? other)
    }
  }
  const vectorOf = (text: string) => {
    const vector = new Float32Array(SPACE.dimensions)
    for (const word of new Set(wordsOf(text).map(word => meaning.get(word) ?? word))) {
      const direction = seededRandom(hash(word))
      const weight = Math.log(1 + lines.length / (1 + (having.get(word) ?? 0)))
      for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) + weight * (direction() - 0.5)
    }
    const length = Math.hypot(...vector)
    return length === 0 ? vector.fill(1 / Math.sqrt(vector.length)) : vector.map(value => value / length)
  }
  return modelOf('synonyms', vectorOf)
}

/** A bad model: the vector of a text says nothing about the text. */
export const randomVectors: Embedder = modelOf('random', text => {
  const random = seededRandom(hash(text))
  const vector = Float32Array.from({ length: SPACE.dimensions }, () => random() + random() + random() - 1.5)
  const length = Math.hypot(...vector)
  return vector.map(value => value / length)
})

function modelOf(name: string, vectorOf: (text: string) => Float32Array): Embedder {
  const space = { ...SPACE, name }
  return {
    space,
    embed: async texts => ({ space, vectors: texts.map(vectorOf) }),
    embedQuery: async text => ({ space, vector: vectorOf(text), unrelated: 0 }),
  }
}

/** Long words are rare, and equal ones come in the order of the alphabet. */
function longestFirst(words: readonly string[]): string[] {
  return words.toSorted((one, other) => other.length - one.length || (one < other ? -1 : 1))
}

function hash(word: string): number {
  return [...word].reduce((sum, character) => (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) >>> 0, 7)
}
