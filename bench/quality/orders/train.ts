/** Trains the model of orders: logistic regression with AdaGrad (Duchi et al., 2011). */
import { BUCKETS } from '@kikimimi/speech-acts/linear'
import { seededRandom } from 'kikimimi/host'
import { featuresOf, type OrderModel, valuesOf } from '../../../plugins/facts/text/order-model.ts'
import { shuffled } from '../../base/train.ts'

export interface Example {
  readonly text: string
  readonly isOrder: boolean
}

const EPOCHS = 6
const RATE = 0.5
/** Largest share of the words that a sentence loses in an epoch. */
const DROPPED = 0.9
/** L2 penalty for each step. */
const PENALTY = 1e-4

export function train(examples: readonly Example[], seed = 1): OrderModel {
  const random = seededRandom(seed)
  const weights = new Float64Array(BUCKETS + 1)
  const squares = new Float64Array(BUCKETS + 1).fill(1e-6)
  const read = examples.map(({ text, isOrder }) => ({ features: featuresOf(text), isOrder }))
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (const { features, isOrder } of shuffled(read, random)) {
      // Words that the grammar does not have are as if left out.
      const rate = random() * DROPPED
      const seen = valuesOf({ ...features, words: features.words.filter(() => random() >= rate) })
      const sum = seen.reduce((total, [feature, value]) => total + value * (weights[feature] ?? 0), weights[BUCKETS] ?? 0)
      const error = 1 / (1 + Math.exp(-sum)) - (isOrder ? 1 : 0)
      for (const [feature, value] of seen) step(feature, error * value)
      step(BUCKETS, error)
    }
  }
  const largest = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 1e-9)
  return { scale: largest / 127, weights: Int8Array.from(weights, weight => Math.round((weight / largest) * 127)) }

  function step(feature: number, slope: number): void {
    const gradient = slope + PENALTY * (weights[feature] ?? 0)
    squares[feature] = (squares[feature] ?? 0) + gradient * gradient
    weights[feature] = (weights[feature] ?? 0) - (RATE * gradient) / Math.sqrt(squares[feature] ?? 1)
  }
}
