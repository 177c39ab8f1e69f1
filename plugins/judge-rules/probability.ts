/** What points mean: the probability that a member in the place of the bot would answer. */
import type { Points } from './points.ts'

/**
 * The calibration of the points of `attentive`: log odds = (points − 84) / 17. A logistic regression over 2,912 turns in the places of the
 * three busiest members of eight days of IRC (2004 to 2008), of which 210 were answered; [tuning](../../docs/tuning.md#with-a-judge)
 * shows predicted and seen shares. 20 points are 2 %, 60 are 20 %, 80 are 44 %, 100 are 72 %.
 */
const ORIGIN = 84
const POINTS_PER_UNIT = 17

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
