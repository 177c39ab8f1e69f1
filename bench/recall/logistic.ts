/** Logistic regression by Newton's method, with a small penalty for large weights. */

/** @param rows signals, the same in each row. Returns their weights and the constant. */
export function fit(rows: readonly (readonly number[])[], labels: readonly number[]): { weights: number[]; constant: number } {
  const size = (rows[0]?.length ?? 0) + 1
  const PENALTY = 1
  let weights = Array.from({ length: size }, () => 0)
  for (let round = 0; round < 25; round++) {
    const gradient = weights.map((weight, at) => (at === 0 ? 0 : PENALTY * weight))
    const hessian = weights.map((_, at) => weights.map((_, other): number => (at === other && at > 0 ? PENALTY : 0)))
    for (const [n, row] of rows.entries()) {
      const signals = [1, ...row]
      const p = 1 / (1 + Math.exp(-signals.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0)))
      const spread = p * (1 - p)
      for (const [at, value] of signals.entries()) {
        gradient[at] = (gradient[at] ?? 0) + value * (p - (labels[n] ?? 0))
        const line = hessian[at]
        if (line) for (const [other, more] of signals.entries()) line[other] = (line[other] ?? 0) + value * more * spread
      }
    }
    const step = solve(hessian, gradient)
    weights = weights.map((weight, at) => weight - (step[at] ?? 0))
    if (step.every(value => Math.abs(value) < 1e-6)) break
  }
  const [constant = 0, ...rest] = weights
  return { weights: rest, constant }
}

/** Gauss, with the largest pivot. */
function solve(matrix: readonly (readonly number[])[], values: readonly number[]): number[] {
  const lines = matrix.map((line, at) => [...line, values[at] ?? 0])
  const size = lines.length
  for (let at = 0; at < size; at++) {
    const pivot = lines.slice(at).reduce((best, line) => (Math.abs(line[at] ?? 0) > Math.abs(best[at] ?? 0) ? line : best))
    lines.splice(lines.indexOf(pivot), 1)
    lines.splice(at, 0, pivot)
    for (const line of lines) {
      if (line === pivot) continue
      const factor = (line[at] ?? 0) / (pivot[at] || 1)
      for (let column = at; column <= size; column++) line[column] = (line[column] ?? 0) - factor * (pivot[column] ?? 0)
    }
  }
  return lines.map((line, at) => (line[size] ?? 0) / (line[at] || 1))
}
