/** From a verdict, or without one, to a decision. */
import type { Decision, DecisionToSpeak } from 'kikimimi'
import type { Standing } from './measure/standing.ts'
import type { Verdict } from './verdict.ts'

export interface Weighed {
  /** The probabilities without the verdict and with it. */
  readonly before: number
  readonly after: number
  /** The bot speaks from this probability on. */
  readonly speaksFrom: number
}

/** The decision with the verdict, which counts as evidence. */
export function withVerdict(
  verdict: Pick<Verdict, 'reason' | 'confidence' | 'delayMs'>,
  { before, after, speaksFrom }: Weighed,
  style: DecisionToSpeak['kind'],
): Decision {
  const { reason, confidence, delayMs } = verdict
  const why = `${reason} · probability ${shown(before)}, with the verdict ${shown(after)}: ${compared(after, speaksFrom)}`
  if (after < speaksFrom) return { kind: 'silent', why, confidence }
  return { kind: style, why, confidence, ...(delayMs > 0 && { delayMs }) }
}

/** The decision by the points, where the judge is paused. */
export function withoutVerdict(
  { state, retryAt }: Pick<Standing, 'state' | 'retryAt'>,
  { before, speaksFrom }: Omit<Weighed, 'after'>,
  style: DecisionToSpeak['kind'],
): Decision {
  const until = retryAt && state === 'paused' ? ` until ${retryAt.toISOString().slice(0, 10)}` : ''
  const what = state === 'sampled' ? 'the judge is paused and was asked as a sample' : `the judge is paused here${until}`
  const why = `${what}, because its verdicts told no more than the points · probability ${shown(before)}: ${compared(before, speaksFrom)}`
  return before < speaksFrom ? { kind: 'silent', why } : { kind: style, why }
}

function compared(probability: number, speaksFrom: number): string {
  return probability < speaksFrom ? `below ${shown(speaksFrom)}` : `reaches ${shown(speaksFrom)}`
}

/** Two digits, never rounded up to a bound that is not reached. */
function shown(probability: number): string {
  return (Math.floor(100 * probability + 1e-9) / 100).toFixed(2)
}
