/** Shares with their intervals, and the difference of two configurations on the same cases. */

export interface Share {
  /** The number of cases. */
  readonly n: number
  readonly passed: number
  /** 0…1, with the 95 % interval of Wilson (1927). */
  readonly value: number
  readonly low: number
  readonly high: number
}

export interface Difference {
  /** The number of cases that both configurations have run. */
  readonly n: number
  /** Cases that only the first, and only the second configuration passes. */
  readonly lost: number
  readonly won: number
  /** The share of the second minus that of the first, -1…1, with its 95 % interval. */
  readonly value: number
  readonly low: number
  readonly high: number
}

/** The normal quantile of a 95 % interval. */
const Z = 1.959964

/** @param all the number of cases of which the results are a random sample. Default: unlimited */
export function shareOf(results: readonly boolean[], all = Number.POSITIVE_INFINITY): Share {
  const n = results.length
  const passed = results.filter(Boolean).length
  return { n, passed, ...wilson(passed, n, all) }
}

/**
 * Newcombe (1998), "Improved confidence intervals for the difference between binomial proportions based on paired data", method 10:
 * the intervals of Wilson of both shares, with the correlation of the pairs. It is right for few cases too, and for no difference at all.
 *
 * @param pairs whether the first and the second configuration passed a case
 */
export function differenceOf(pairs: readonly (readonly [first: boolean, second: boolean])[]): Difference {
  const n = pairs.length
  const count = (first: boolean, second: boolean) => pairs.filter(pair => pair[0] === first && pair[1] === second).length
  const [both, won, lost, neither] = [count(true, true), count(false, true), count(true, false), count(false, false)]
  if (n === 0) return { n, lost, won, value: 0, low: -1, high: 1 }
  const second = wilson(both + won, n)
  const first = wilson(both + lost, n)
  const phi = correlation(both, won, lost, neither)
  const value = (won - lost) / n
  const reach = (one: number, other: number) => Math.sqrt(Math.max(0, one ** 2 - 2 * phi * one * other + other ** 2))
  return {
    ...{ n, lost, won, value },
    low: value - reach(second.value - second.low, first.high - first.value),
    high: value + reach(second.high - second.value, first.value - first.low),
  }
}

function wilson(passed: number, n: number, all = Number.POSITIVE_INFINITY): Pick<Share, 'value' | 'low' | 'high'> {
  if (n === 0) return { value: 0, low: 0, high: 1 }
  const value = passed / n
  // A sample of all cases leaves nothing open.
  if (n >= all) return { value, low: value, high: value }
  // The finite population correction (Cochran, 1977): a sample of few cases tells more than one of many.
  const size = all === Number.POSITIVE_INFINITY ? n : (n * (all - 1)) / (all - n)
  const middle = (value + Z ** 2 / (2 * size)) / (1 + Z ** 2 / size)
  const reach = (Z / (1 + Z ** 2 / size)) * Math.sqrt((value * (1 - value)) / size + Z ** 2 / (4 * size ** 2))
  return { value, low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) }
}

/** Of the pairs, with Newcombe's correction for continuity. */
function correlation(both: number, won: number, lost: number, neither: number): number {
  const sides = (both + won) * (lost + neither) * (both + lost) * (won + neither)
  if (sides === 0) return 0
  const n = both + won + lost + neither
  const raw = both * neither - won * lost
  const corrected = raw > n / 2 ? raw - n / 2 : Math.min(0, raw)
  return corrected / Math.sqrt(sides)
}
