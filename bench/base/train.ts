/** Trains a linear model with several classes: multinomial logistic regression with AdaGrad (Duchi et al., 2011). */
import { gzipSync } from 'node:zlib'
import { type Features, type Model, numberOf, softmax } from '@kikimimi/speech-acts/linear'
import { seededRandom } from 'kikimimi/host'

export interface Labelled<Class extends string> {
  readonly features: Features
  readonly is: Class
  /** How much the example counts. */
  readonly weight: number
}

export interface Training {
  /** Rows of weights. A power of two. */
  readonly buckets: number
  readonly epochs: number
  /** A feature of fewer sentences has no weight. */
  readonly fewest: number
  /** L2 penalty for each step. */
  readonly penalty: number
  /** Weights are whole numbers up to this one. Fewer numbers make a smaller file. */
  readonly largest: number
  /** A smaller weight becomes 0. */
  readonly smallest: number
}

const RATE = 0.4
/** Largest share of the words that a sentence loses in an epoch. Words that the grammar does not have are as if left out. */
const DROPPED = 0.4
/** Share of the weights that are larger, and become the largest. */
const CLIPPED = 0.0005
const SHAPE = 1.5

export function train<Class extends string>(
  classes: readonly Class[],
  examples: readonly Labelled<Class>[],
  { buckets, epochs, fewest, penalty, largest, smallest }: Training,
): Model<Class> {
  const random = seededRandom(1)
  const count = classes.length
  const weights = new Float64Array((buckets + 1) * count)
  const squares = new Float64Array((buckets + 1) * count).fill(1e-5)
  const read = examples.map(({ features, is, weight }) => ({
    words: Int32Array.from(features.words, feature => numberOf(feature) % buckets),
    shape: Int32Array.from(features.shape, feature => numberOf(feature) % buckets),
    is: classes.indexOf(is),
    weight,
  }))
  const counts = new Int32Array(buckets)
  for (const { words, shape } of read) for (const feature of [...words, ...shape]) counts[feature] = (counts[feature] ?? 0) + 1
  const isKept = (feature: number) => (counts[feature] ?? 0) >= fewest
  for (const one of read) {
    one.words = one.words.filter(isKept)
    one.shape = one.shape.filter(isKept)
  }
  const sums = new Array<number>(count)
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (const { words, shape, is, weight } of shuffled(read, random)) {
      const rate = random() * DROPPED
      const kept = words.filter(() => random() >= rate)
      const parts = [
        [kept, 1 / Math.sqrt(Math.max(1, kept.length))],
        [shape, SHAPE / Math.sqrt(Math.max(1, shape.length))],
        [[buckets], 1],
      ] as const
      for (let at = 0; at < count; at++) {
        let sum = 0
        for (const [features, value] of parts) for (const feature of features) sum += value * (weights[feature * count + at] ?? 0)
        sums[at] = sum
      }
      const errors = softmax(sums).map((share, at) => (share - (at === is ? 1 : 0)) * weight)
      for (const [features, value] of parts)
        for (const feature of features) for (let at = 0; at < count; at++) step(feature * count + at, (errors[at] ?? 0) * value)
    }
  }
  const sizes = weights.map(Math.abs).sort()
  const scale = (sizes[Math.floor((sizes.length - 1) * (1 - CLIPPED))] ?? 1) / largest
  const rounded = (weight: number) =>
    Math.abs(weight) < smallest ? 0 : Math.max(-largest, Math.min(largest, Math.round(weight)))
  return { classes, scale, weights: Int8Array.from(weights, weight => rounded(weight / scale)) }

  function step(at: number, slope: number): void {
    const gradient = slope + penalty * (weights[at] ?? 0)
    squares[at] = (squares[at] ?? 0) + gradient * gradient
    weights[at] = (weights[at] ?? 0) - (RATE * gradient) / Math.sqrt(squares[at] ?? 1)
  }
}

/** Characters of a line of a file of weights. */
const LINE = 120

/** What `readModel` reads. */
export function written({ scale, weights }: Pick<Model<string>, 'scale' | 'weights'>): string {
  return `${scale}\n${packed(weights)}`
}

/** Compressed bytes in base64, on lines. */
export function packed(bytes: Uint8Array | Int8Array): string {
  const text = gzipSync(bytes, { level: 9 }).toString('base64')
  return Array.from({ length: Math.ceil(text.length / LINE) }, (_, at) => text.slice(at * LINE, (at + 1) * LINE)).join('\n')
}

export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map(one => [random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one)
}
