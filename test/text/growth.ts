/** How the cost of a function grows with the length of a text. */
import { costOf } from './cost.ts'
import type { Reader } from './readers.ts'
import type { Shape } from './shapes.ts'

/** Each length is four times the one before, so that a power of the length shows before it takes minutes. */
const LENGTHS = [200, 800, 3_200, 12_800]

/** A cost below this one, in milliseconds, is noise. */
const NOISE = 30

/** Four times the length costs four times as much in linear time, and sixteen times as much in quadratic time. */
const MOST = 8

/** The first length at which the cost grows too fast, in words. Undefined: the function takes linear time. */
export function growthOf(read: Reader, shape: Shape): string | undefined {
  let [before, length] = [0, 0]
  for (const next of LENGTHS) {
    const text = shape.of(next)
    let cost = costOf(() => read(text), 1)
    if (cost > NOISE) {
      // Measured again, because another process or the collector may have taken part of the time.
      cost = Math.min(
        cost,
        costOf(() => read(text), 6),
      )
      const shorter = shape.of(length)
      const least = costOf(() => read(shorter), 6)
      if (length > 0 && cost > NOISE && cost > MOST * Math.max(least, NOISE / MOST / 2))
        return `${shape.name}: ${before.toFixed(1)} ms for ${length} characters, ${cost.toFixed(1)} ms for ${next}`
    }
    ;[before, length] = [cost, next]
  }
  return undefined
}
