/** A logistic regression: signs to log odds, log odds to points and to a probability. */
import type { Sign } from './signs.ts'
import { WEIGHTS } from './weights.ts'

export interface Model {
  /** The log odds of a message with average signs. */
  readonly bias: number
  /** The average of each sign in the training data, and the log odds of each unit above it. */
  readonly signs: Readonly<Record<Sign, { readonly mean: number; readonly weight: number }>>
}

export const MODEL: Model = WEIGHTS

/** Points for one unit of log odds. With it, the usual bounds fit: 20 points are 2 %, 60 are 40 % and 80 are 78 %. */
const POINTS_PER_UNIT = 12
/** The usual threshold, and the probability that it stands for. */
const THRESHOLD = 60
const SPEAKS_FROM = 0.4

const ORIGIN = THRESHOLD - POINTS_PER_UNIT * Math.log(SPEAKS_FROM / (1 - SPEAKS_FROM))

/** The points of a message with average signs. */
export function basePoints({ bias }: Model): number {
  return ORIGIN + POINTS_PER_UNIT * bias
}

/** What a sign adds. */
export function pointsOf(sign: Sign, value: number, { signs }: Model): number {
  const { mean, weight } = signs[sign]
  return POINTS_PER_UNIT * weight * (value - mean)
}

/** The probability that points stand for. */
export function probabilityOf(points: number): number {
  return 1 / (1 + Math.exp((ORIGIN - points) / POINTS_PER_UNIT))
}
