/** What points mean: the probability that a member in the place of the bot would answer. */
import type { Points } from './points.ts'

/**
 * The calibration of the points of `attentive`: log odds = (points − 94) / 22. A logistic regression over 5,358 turns in the places of the
 * three busiest members of 16 days of IRC, of which 374 were answered. Half of the days are from the years that the rules were made
 * from, where points tell more: [tuning](../../docs/tuning.md#with-a-judge). 20 points are 3 %, 60 are 18 %, 80 are 35 %, 100 are 57 %.
 */
const ORIGIN = 94
const POINTS_PER_UNIT = 22

/** From this probability on, a judge is not asked. */
const SURE = 0.9

export function probabilityOf(points: number): number {
  return 1 / (1 + Math.exp((ORIGIN - points) / POINTS_PER_UNIT))
}

/** The scores for which another decider is asked. */
export interface Band {
  readonly low: number
  readonly high: number
}

/** Whether a judge decides: above `low`, except from `high` on where the answer is nearly sure. */
export function isJudged(points: number, { low, high, probability }: Band & Pick<Points, 'probability'>): boolean {
  return points > low && (points < high || probability(points) < SURE)
}
