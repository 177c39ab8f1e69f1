/** How far vectors can be trusted: how often what is near by vector also has words of the question. */

/** Searches whose agreement counts, and searches that a new model has ahead with full trust. */
const SEARCHES = 100
const AHEAD = 3

/**
 * Agreement from which vectors count, and from which they count fully. Measured on the conversations of bench/: random vectors
 * agree by 0 ± 0.04, vectors with much noise by 0.05 to 0.08, vectors of words with their synonyms by 0.14 to 0.2.
 */
const NONE = 0.03
const FULL = 0.12

/** Minimum number of near texts that could disagree, for a measurement that means something. */
const LEAST = 30

/**
 * By how much more often than by chance the nearest texts are among those found by words: 0 by chance, 1 for always. Undefined if
 * there are too few texts to tell.
 *
 * @param items the number of texts that were searched
 */
export function agreementOf(near: readonly number[], byWords: readonly number[], items: number): number | undefined {
  const chance = byWords.length / Math.max(1, items)
  const room = near.length * (1 - chance)
  if (byWords.length === 0 || room < LEAST) return undefined
  const found = new Set(byWords)
  return (near.filter(id => found.has(id)).length - near.length * chance) / room
}

/** The trust in a model: 0…1, by the mean agreement of its last searches. A single question about a meaning has none. */
export class Trust {
  readonly #seen: number[] = Array.from({ length: AHEAD }, () => FULL)

  see(agreement: number): void {
    this.#seen.push(agreement)
    if (this.#seen.length > SEARCHES) this.#seen.shift()
  }

  get value(): number {
    const mean = this.#seen.reduce((sum, one) => sum + one, 0) / this.#seen.length
    return Math.min(1, Math.max(0, (mean - NONE) / (FULL - NONE)))
  }
}
