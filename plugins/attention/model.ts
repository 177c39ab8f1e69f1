/** A logistic regression: signs to log odds, log odds to points and to a probability. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { SIGNS, type Sign, type Signs } from './signs.ts'
import { WEIGHTS } from './weights.ts'

export const model = z.strictObject({
  bias: z.number().describe('The log odds of a message with average signs.'),
  signs: z
    .record(z.enum(SIGNS), z.strictObject({ mean: z.number(), weight: z.number() }).readonly())
    .describe('The average of each sign in the training data, and the log odds of each unit above it.'),
})

export interface Model {
  /** The log odds of a message with average signs. */
  readonly bias: number
  /** The average of each sign in the training data, and the log odds of each unit above it. */
  readonly signs: Readonly<Record<Sign, { readonly mean: number; readonly weight: number }>>
}

/** The weights that every channel begins with. */
export const SHARED: Model = WEIGHTS

/** Points for one unit of log odds. With it, the usual bounds fit: 20 points are 3 %, 60 are 40 % and 80 are 76 %. */
export const POINTS_PER_UNIT = 13
/** The usual threshold, and the probability that it stands for. */
const THRESHOLD = 60
export const SPEAKS_FROM = 0.4

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

/** The log odds of a message. */
export function oddsOf(values: Signs, { bias, signs }: Model): number {
  return SIGNS.reduce((sum, sign) => sum + signs[sign].weight * (values[sign] - signs[sign].mean), bias)
}

/** A short name of the weights. Equal weights have equal names. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)
}

/** The model with its keys in one order, as {@link hashOf} needs it. */
export function ordered({ bias, signs }: Model): Model {
  const each = SIGNS.map(sign => [sign, { mean: signs[sign].mean, weight: signs[sign].weight }] as const)
  return { bias, signs: Object.fromEntries(each) as Model['signs'] }
}
