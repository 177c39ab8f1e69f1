/**
 * Logistic regression that stays near given weights: a quadratic penalty on the difference to them, by Newton's method. The worst
 * fitting examples are left out (trimmed likelihood; Hadi and Luceño 1997), because some labels are wrong.
 */
import type { Labelled } from './example.ts'

/** The share of examples of each label that is left out. */
const TRIMMED = 0.05
/** Steps of trimming. */
const ROUNDS = 2
const STEPS = 30
const CONVERGED = 1e-6

/** Examples as numbers, which can be fitted several times. */
export interface Prepared {
  readonly examples: readonly Labelled[]
  /** The log odds of each example by the given weights. */
  readonly odds: Float64Array
  /** The features of each example, one example after the other. The last one is 1, for the bias. */
  readonly rows: Float64Array
  /** The number of features, that of the bias included. */
  readonly width: number
}

/**
 * The difference to the given weights, for each feature, last that of the bias.
 *
 * @param strength penalty of a difference; a higher one stays nearer
 * @param weights of the examples; 0 leaves one out
 * @param start a difference near the result, which saves time
 */
export function difference(
  prepared: Prepared,
  weights: Float64Array,
  strength: number,
  start = noDifference(prepared),
): Float64Array {
  let fitted = newton(prepared, weights, strength, start)
  for (let round = 0; round < ROUNDS; round++) fitted = newton(prepared, trimmed(prepared, weights, fitted), strength, fitted)
  return fitted
}

export function noDifference({ width }: Prepared): Float64Array {
  return new Float64Array(width)
}

/**
 * The standard deviation of each difference: of the normal distribution at the optimum (Laplace's approximation), with the penalty as
 * its prior.
 */
export function deviations(prepared: Prepared, weights: Float64Array, strength: number, change: Float64Array): readonly number[] {
  const { width } = prepared
  const { hessian } = slopes(prepared, weights, strength, change)
  return Array.from(change, (_, at) => {
    const unit = Float64Array.from({ length: width }, (_, index) => Number(index === at))
    return Math.sqrt(solve(hessian.slice(), unit)[at] as number)
  })
}

/** The mean loss of examples with a difference. */
export function lossOf(prepared: Prepared, weights: Float64Array, change: Float64Array): number {
  let [sum, total] = [0, 0]
  for (const [index, weight] of weights.entries()) {
    if (weight === 0) continue
    sum += weight * lossAt(prepared, index, change)
    total += weight
  }
  return total === 0 ? 0 : sum / total
}

function trimmed(prepared: Prepared, weights: Float64Array, change: Float64Array): Float64Array {
  const kept = weights.slice()
  const losses = Float64Array.from(weights, (weight, index) => (weight > 0 ? lossAt(prepared, index, change) : 0))
  for (const label of [0, 1]) {
    const each = losses
      .filter((_, index) => (weights[index] as number) > 0 && Number(prepared.examples[index]?.label) === label)
      .sort()
    const most = each[Math.ceil((1 - TRIMMED) * each.length) - 1] ?? 0
    for (const [index, loss] of losses.entries())
      if (loss > most && Number(prepared.examples[index]?.label) === label) kept[index] = 0
  }
  return kept
}

function newton(prepared: Prepared, weights: Float64Array, strength: number, start: Float64Array): Float64Array {
  const change = start.slice()
  for (let step = 0; step < STEPS; step++) {
    const { hessian, gradient } = slopes(prepared, weights, strength, change)
    const move = solve(hessian, gradient)
    for (let at = 0; at < change.length; at++) change[at] = (change[at] as number) + Math.max(-1, Math.min(1, move[at] as number))
    if (move.every(by => Math.abs(by) < CONVERGED)) break
  }
  return change
}

/** The gradient of the likelihood with its penalty, and the lower triangle of the negative Hessian. */
function slopes({ examples, odds, rows, width }: Prepared, weights: Float64Array, strength: number, change: Float64Array) {
  const gradient = Float64Array.from(change, by => -strength * by)
  const hessian = new Float64Array(width * width)
  for (let at = 0; at < width; at++) hessian[at * width + at] = strength
  for (let index = 0; index < weights.length; index++) {
    const weight = weights[index] as number
    if (weight === 0) continue
    const row = index * width
    const p = 1 / (1 + Math.exp(-((odds[index] as number) + dot(rows, row, change))))
    const error = weight * (Number(examples[index]?.label) - p)
    const spread = weight * p * (1 - p)
    for (let i = 0; i < width; i++) {
      const value = rows[row + i] as number
      const spreadValue = spread * value
      gradient[i] = (gradient[i] as number) + error * value
      for (let j = 0; j <= i; j++) {
        hessian[i * width + j] = (hessian[i * width + j] as number) + spreadValue * (rows[row + j] as number)
      }
    }
  }
  return { gradient, hessian }
}

/** The loss of one example: the negative logarithm of the probability of its label. */
export function lossAt({ examples, odds, rows, width }: Prepared, index: number, change: Float64Array): number {
  const value = (odds[index] as number) + dot(rows, index * width, change)
  return Math.max(value, 0) + Math.log1p(Math.exp(-Math.abs(value))) - Number(examples[index]?.label) * value
}

function dot(rows: Float64Array, row: number, change: Float64Array): number {
  let sum = 0
  for (let at = 0; at < change.length; at++) sum += (rows[row + at] as number) * (change[at] as number)
  return sum
}

/** Solves a positive definite system, of which the lower triangle is given, by Cholesky's decomposition in place. */
function solve(lower: Float64Array, right: Float64Array): Float64Array {
  const width = right.length
  const at = (row: number, column: number) => lower[row * width + column] as number
  for (let column = 0; column < width; column++) {
    for (let row = column; row < width; row++) {
      let sum = at(row, column)
      for (let k = 0; k < column; k++) sum -= at(row, k) * at(column, k)
      lower[row * width + column] = row === column ? Math.sqrt(sum) : sum / at(column, column)
    }
  }
  const solution = right.slice()
  const known = (row: number) => solution[row] as number
  for (let row = 0; row < width; row++) {
    for (let k = 0; k < row; k++) solution[row] = known(row) - at(row, k) * known(k)
    solution[row] = known(row) / at(row, row)
  }
  for (let row = width - 1; row >= 0; row--) {
    for (let k = row + 1; k < width; k++) solution[row] = known(row) - at(k, row) * known(k)
    solution[row] = known(row) / at(row, row)
  }
  return solution
}
