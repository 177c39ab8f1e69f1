/** Trains a linear model with several classes: multinomial logistic regression with AdaGrad (Duchi et al., 2011). */
import { seededRandom } from 'kikimimi/host'
import { BUCKETS, type Features } from '../../../packages/speech-acts/features.ts'
import { type Model, numberOf, softmax } from '../../../packages/speech-acts/model.ts'

export interface Labelled<Class extends string> {
  readonly features: Features
  readonly is: Class
  /** How much the example counts. */
  readonly weight: number
}

const EPOCHS = 5
const RATE = 0.4
/** Largest share of the words that a sentence loses in an epoch. Words that the grammar does not have are as if left out. */
const DROPPED = 0.4
/** A feature of fewer sentences has no weight. */
const FEWEST = 12
/** L2 penalty for each step. */
const PENALTY = 2e-5
/** Weights are whole numbers up to this one. Fewer numbers make a smaller file. */
const LARGEST = 8
/** Share of the weights that are larger, and become the largest. */
const CLIPPED = 0.0005
/** A smaller weight becomes 0. */
const SMALLEST = 0.7
export const SHAPE = 1.5

export function train<Class extends string>(
  classes: readonly Class[],
  examples: readonly Labelled<Class>[],
  seed = 1,
): Model<Class> {
  const random = seededRandom(seed)
  const count = classes.length
  const weights = new Float64Array((BUCKETS + 1) * count)
  const squares = new Float64Array((BUCKETS + 1) * count).fill(1e-5)
  const read = examples.map(({ features, is, weight }) => ({
    words: Int32Array.from(features.words, numberOf),
    shape: Int32Array.from(features.shape, numberOf),
    is: classes.indexOf(is),
    weight,
  }))
  const counts = new Int32Array(BUCKETS)
  for (const { words, shape } of read) for (const feature of [...words, ...shape]) counts[feature] = (counts[feature] ?? 0) + 1
  const isKept = (feature: number) => (counts[feature] ?? 0) >= FEWEST
  for (const one of read) {
    one.words = one.words.filter(isKept)
    one.shape = one.shape.filter(isKept)
  }
  const sums = new Array<number>(count)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (const { words, shape, is, weight } of shuffled(read, random)) {
      const rate = random() * DROPPED
      const kept = words.filter(() => random() >= rate)
      const parts = [
        [kept, 1 / Math.sqrt(Math.max(1, kept.length))],
        [shape, SHAPE / Math.sqrt(Math.max(1, shape.length))],
        [[BUCKETS], 1],
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
  const scale = (sizes[Math.floor((sizes.length - 1) * (1 - CLIPPED))] ?? 1) / LARGEST
  return { classes, scale, weights: Int8Array.from(weights, weight => rounded(weight / scale)) }

  function step(at: number, slope: number): void {
    const gradient = slope + PENALTY * (weights[at] ?? 0)
    squares[at] = (squares[at] ?? 0) + gradient * gradient
    weights[at] = (weights[at] ?? 0) - (RATE * gradient) / Math.sqrt(squares[at] ?? 1)
  }
}

function rounded(weight: number): number {
  return Math.abs(weight) < SMALLEST ? 0 : Math.max(-LARGEST, Math.min(LARGEST, Math.round(weight)))
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map(one => [random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one)
}
