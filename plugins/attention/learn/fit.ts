/**
 * Logistic regression that stays near given weights: a quadratic penalty on the difference to them, by Newton's method. The worst
 * fitting examples are left out (trimmed likelihood; Hadi and Luceño 1997), because some labels are wrong.
 */
import { type Model, oddsOf } from '../model.ts'
import { SIGNS } from '../signs.ts'
import type { Example } from './example.ts'

/** The share of examples of each label that is left out. */
const TRIMMED = 0.05
/** Steps of trimming. */
const ROUNDS = 2
const STEPS = 30
const CONVERGED = 1e-6

/** Examples as numbers, which can be fitted several times. */
export interface Prepared {
  readonly examples: readonly Example[]
  /** The log odds of each example by the given weights. */
  readonly odds: Float64Array
  /** 1: the message was answered. */
  readonly labels: Float64Array
  /** For each example the value of each sign in standard deviations, and 1 for the bias. */
  readonly rows: Float64Array
  /** The standard deviation of each sign. */
  readonly scales: readonly number[]
}

const WIDTH = SIGNS.length + 1

export function prepare(examples: readonly Example[], near: Model): Prepared {
  const scales = SIGNS.map(sign => {
    const values = examples.map(({ signs }) => signs[sign])
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1
  })
  const rows = new Float64Array(examples.length * WIDTH)
  for (const [index, { signs }] of examples.entries()) {
    for (const [at, sign] of SIGNS.entries()) {
      rows[index * WIDTH + at] = (signs[sign] - near.signs[sign].mean) / (scales[at] ?? 1)
    }
    rows[index * WIDTH + WIDTH - 1] = 1
  }
  return {
    ...{ examples, rows, scales },
    odds: Float64Array.from(examples, ({ signs }) => oddsOf(signs, near)),
    labels: Float64Array.from(examples, ({ label }) => Number(label)),
  }
}

/**
 * The difference to the given weights, of each sign for a standard deviation, last that of the bias.
 *
 * @param strength penalty of a difference; a higher one stays nearer
 * @param weights of the examples; 0 leaves one out
 * @param start a difference near the result, which saves time
 */
export function difference(prepared: Prepared, weights: Float64Array, strength: number, start = noDifference()): Float64Array {
  let fitted = newton(prepared, weights, strength, start)
  for (let round = 0; round < ROUNDS; round++) fitted = newton(prepared, trimmed(prepared, weights, fitted), strength, fitted)
  return fitted
}

export function noDifference(): Float64Array {
  return new Float64Array(WIDTH)
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
    const each = losses.filter((_, index) => (weights[index] as number) > 0 && prepared.labels[index] === label).sort()
    const most = each[Math.ceil((1 - TRIMMED) * each.length) - 1] ?? 0
    for (const [index, loss] of losses.entries()) if (loss > most && prepared.labels[index] === label) kept[index] = 0
  }
  return kept
}

function newton(prepared: Prepared, weights: Float64Array, strength: number, start: Float64Array): Float64Array {
  const { odds, labels, rows } = prepared
  const change = start.slice()
  const gradient = new Float64Array(WIDTH)
  const hessian = new Float64Array(WIDTH * WIDTH)
  for (let step = 0; step < STEPS; step++) {
    hessian.fill(0)
    for (let at = 0; at < WIDTH; at++) {
      gradient[at] = -strength * (change[at] as number)
      hessian[at * WIDTH + at] = strength
    }
    for (let index = 0; index < weights.length; index++) {
      const weight = weights[index] as number
      if (weight === 0) continue
      const row = index * WIDTH
      const p = 1 / (1 + Math.exp(-((odds[index] as number) + dot(rows, index, change))))
      const error = weight * ((labels[index] as number) - p)
      const spread = weight * p * (1 - p)
      for (let i = 0; i < WIDTH; i++) {
        const value = rows[row + i] as number
        const spreadValue = spread * value
        gradient[i] = (gradient[i] as number) + error * value
        for (let j = 0; j <= i; j++) {
          hessian[i * WIDTH + j] = (hessian[i * WIDTH + j] as number) + spreadValue * (rows[row + j] as number)
        }
      }
    }
    const move = solve(hessian, gradient)
    for (let at = 0; at < WIDTH; at++) change[at] = (change[at] as number) + Math.max(-1, Math.min(1, move[at] as number))
    if (move.every(by => Math.abs(by) < CONVERGED)) break
  }
  return change
}

/** The loss of one example with a difference. */
export function lossAt({ odds, labels, rows }: Prepared, index: number, change: Float64Array): number {
  const value = (odds[index] as number) + dot(rows, index, change)
  return Math.max(value, 0) + Math.log1p(Math.exp(-Math.abs(value))) - (labels[index] as number) * value
}

function dot(rows: Float64Array, index: number, change: Float64Array): number {
  let sum = 0
  for (let at = 0; at < WIDTH; at++) sum += (rows[index * WIDTH + at] as number) * (change[at] as number)
  return sum
}

/** Solves a positive definite system, of which the lower triangle is given, by Cholesky's decomposition in place. */
function solve(lower: Float64Array, right: Float64Array): Float64Array {
  const at = (row: number, column: number) => lower[row * WIDTH + column] as number
  for (let column = 0; column < WIDTH; column++) {
    for (let row = column; row < WIDTH; row++) {
      let sum = at(row, column)
      for (let k = 0; k < column; k++) sum -= at(row, k) * at(column, k)
      lower[row * WIDTH + column] = row === column ? Math.sqrt(sum) : sum / at(column, column)
    }
  }
  const solution = right.slice()
  const known = (row: number) => solution[row] as number
  for (let row = 0; row < WIDTH; row++) {
    for (let k = 0; k < row; k++) solution[row] = known(row) - at(row, k) * known(k)
    solution[row] = known(row) / at(row, row)
  }
  for (let row = WIDTH - 1; row >= 0; row--) {
    for (let k = row + 1; k < WIDTH; k++) solution[row] = known(row) - at(k, row) * known(k)
    solution[row] = known(row) / at(row, row)
  }
  return solution
}
