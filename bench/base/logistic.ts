/** Logistic regression with a quadratic penalty, by Newton's method (Hastie, Tibshirani, Friedman: The Elements of Statistical Learning, 4.4.1). */

export interface Example {
  readonly values: readonly number[]
  readonly label: boolean
  readonly weight: number
}

export interface Logistic {
  /** The log odds of an example with average values. */
  readonly bias: number
  readonly means: readonly number[]
  readonly weights: readonly number[]
}

/** The penalty of a standardized weight. */
const PENALTY = 20
const STEPS = 50
const CONVERGED = 1e-9

export function fit(examples: readonly Example[]): Logistic {
  const { means, scales } = standards(examples)
  // The last column is the bias, which has no penalty.
  const rows = examples.map(({ values }) => [...values.map((value, at) => (value - (means[at] ?? 0)) / (scales[at] ?? 1)), 1])
  const size = means.length + 1
  let weights: readonly number[] = new Array<number>(size).fill(0)
  let loss = lossOf(weights)
  for (let step = 0; step < STEPS; step++) {
    const change = newtonStep(weights)
    let length = 1
    let next = weights
    let nextLoss = loss
    // A full step can overshoot.
    for (; length > 1e-6; length /= 2) {
      next = weights.map((weight, at) => weight + length * (change[at] ?? 0))
      nextLoss = lossOf(next)
      if (nextLoss <= loss) break
    }
    const gain = loss - nextLoss
    weights = next
    loss = nextLoss
    if (gain < CONVERGED * Math.abs(loss)) break
  }
  return {
    bias: weights[size - 1] ?? 0,
    means,
    weights: scales.map((scale, at) => (weights[at] ?? 0) / scale),
  }

  function penalty(at: number): number {
    return at < size - 1 ? PENALTY : 0
  }

  function lossOf(weights: readonly number[]): number {
    let sum = weights.reduce((total, weight, at) => total + 0.5 * penalty(at) * weight ** 2, 0)
    for (const [index, { label, weight }] of examples.entries()) {
      const odds = dot(rows[index] ?? [], weights)
      sum += weight * (Math.max(odds, 0) + Math.log1p(Math.exp(-Math.abs(odds))) - (label ? odds : 0))
    }
    return sum
  }

  function newtonStep(weights: readonly number[]): readonly number[] {
    const gradient = weights.map((weight, at) => -penalty(at) * weight)
    const hessian = weights.map((_, row) => weights.map((_, column) => (row === column ? penalty(row) + 1e-8 : 0)))
    for (const [index, { label, weight }] of examples.entries()) {
      const row = rows[index] ?? []
      const p = sigmoid(dot(row, weights))
      const error = weight * (Number(label) - p)
      const spread = weight * p * (1 - p)
      for (let i = 0; i < size; i++) {
        const value = row[i] ?? 0
        gradient[i] = (gradient[i] ?? 0) + error * value
        const line = hessian[i] ?? []
        for (let j = 0; j < size; j++) line[j] = (line[j] ?? 0) + spread * value * (row[j] ?? 0)
      }
    }
    return solve(hessian, gradient)
  }
}

/** The probability of the label. */
export function predict({ bias, means, weights }: Logistic, values: readonly number[]): number {
  return sigmoid(values.reduce((sum, value, at) => sum + (weights[at] ?? 0) * (value - (means[at] ?? 0)), bias))
}

function standards(examples: readonly Example[]): { readonly means: readonly number[]; readonly scales: readonly number[] } {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  const mean = (of: (values: readonly number[]) => number) =>
    examples.reduce((sum, { values, weight }) => sum + weight * of(values), 0) / total
  const means = (examples[0]?.values ?? []).map((_, at) => mean(values => values[at] ?? 0))
  const scales = means.map((middle, at) => Math.sqrt(mean(values => ((values[at] ?? 0) - middle) ** 2)) || 1)
  return { means, scales }
}

/** Solves a positive definite system by elimination. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0])
  for (const [at, pivot] of rows.entries()) {
    for (const row of rows.slice(at + 1)) {
      const factor = (row[at] ?? 0) / (pivot[at] ?? 1)
      for (let column = at; column < row.length; column++) row[column] = (row[column] ?? 0) - factor * (pivot[column] ?? 0)
    }
  }
  const solution = new Array<number>(rows.length).fill(0)
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at] ?? []
    const known = solution.reduce((sum, value, column) => (column > at ? sum + value * (row[column] ?? 0) : sum), 0)
    solution[at] = ((row[rows.length] ?? 0) - known) / (row[at] ?? 1)
  }
  return solution
}

function dot(row: readonly number[], weights: readonly number[]): number {
  let sum = 0
  for (let at = 0; at < weights.length; at++) sum += (row[at] ?? 0) * (weights[at] ?? 0)
  return sum
}

function sigmoid(odds: number): number {
  return 1 / (1 + Math.exp(-odds))
}
