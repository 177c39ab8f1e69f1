/** The verdict of a model as evidence: how it changes the probability that an answer is welcome. Pure, so that a replay can use it. */

/** One set for each channel: logit p = a + b · logit(prior) + c · verdict. */
export interface Coefficients {
  /** Log odds that every turn of the channel has more. */
  readonly a: number
  /** The weight of the log odds of the points. */
  readonly b: number
  /** Log odds of a verdict with full confidence. 0: the verdict says nothing. */
  readonly c: number
}

/**
 * What a channel begins with, and what its own coefficients are shrunk to. The points count as they are calibrated. A verdict counts 2.5,
 * which is 2 at the usual confidence of 0.8: odds seven times as high or as low. With it, each of four simulated judges, with true and
 * false positive rates from 60 % and 30 % to 90 % and 5 %, does better than where the verdict replaces the points, on two times eight
 * days of IRC: [tuning](../../docs/tuning.md#with-a-judge).
 */
export const START: Coefficients = { a: 0, b: 1, c: 2.5 }

/**
 * With a judge as good as {@link START} says, the bot speaks from this probability on. It follows the cost: p · cost(silence) = (1 − p) · cost(answer), so 0.3 says that a missing
 * answer costs 2.3 times as much as an unwanted one. F1 is highest at half of its own value (Lipton, Elkan and Naryanaswamy, 2014), and
 * a judge with a true positive rate of 75 % and a false positive rate of 10 % reaches 0.6.
 */
export const SPEAKS_FROM = 0.3

/** The verdict as a number, −1…1: the confidence, negative for silence. */
export function signedVerdict({ respond, confidence }: { readonly respond: boolean; readonly confidence: number }): number {
  return respond ? confidence : -confidence
}

/**
 * The probability that an answer is welcome, after the verdict.
 *
 * @param prior the calibrated probability of the points, 0…1
 * @param verdict see {@link signedVerdict}; 0 for none
 */
export function combine({ a, b, c }: Coefficients, prior: number, verdict: number): number {
  return 1 / (1 + Math.exp(-(a + b * logOdds(prior) + c * verdict)))
}

/**
 * The probability from which the bot speaks. The less a verdict tells in this channel, the nearer it is to where the points speak alone:
 * a judge that says nothing changes nothing.
 *
 * @param alone where the points speak without a judge
 * @param informed where the bot speaks with a judge as good as {@link START} says
 */
export function speaksFromWith({ c }: Pick<Coefficients, 'c'>, alone: number, informed: number): number {
  return alone + (informed - alone) * Math.max(0, Math.min(1, c / START.c))
}

/** No prior is surer than this, so that a verdict always counts. */
const SUREST = 0.999

/** The log odds of a probability. */
export function logOdds(probability: number): number {
  const p = Math.min(SUREST, Math.max(1 - SUREST, probability))
  return Math.log(p / (1 - p))
}
