import { asksQuestion } from '@kikimimi/addressing/question'
import type { Decision, TotalScore, Turn } from 'kikimimi'
import { CALLS } from './rules/rule.ts'

export interface Bounds {
  readonly threshold: number
  readonly diversity: boolean
  readonly reactFrom?: number | undefined
}

/** With `diversity`, a score below this gets a reaction. */
const ACK_FROM = 60
/** With `diversity`, a score below this gets a short phrase. */
const FULL_FROM = 80

/** The scores for which another decider is asked. */
export interface Band {
  readonly low: number
  readonly high: number
}

export interface Seen {
  /** The bot takes part in the conversation. */
  readonly engaged: boolean
  /** A message to the bot that needs no words: "@kiki thanks!" */
  readonly nods: boolean
}

/**
 * Decides whether to speak, and in which form. Undefined within the band of a judge: the judge decides. Without a judge the
 * threshold decides.
 */
export function decide(
  turn: Turn,
  score: TotalScore,
  { engaged, nods, judge, ...bounds }: Bounds & Seen & { readonly judge: Band | undefined },
): Decision | undefined {
  const { addressed } = turn
  if (addressed) {
    const why = CALLS.find(({ name }) => name === addressed)?.why ?? addressed
    return nods ? { kind: 'react', why: `${why} · only takes note` } : { kind: 'full', why }
  }

  const { points } = score
  const why = reasons(score)
  const { reactFrom } = bounds
  if (judge && points > judge.low && points < judge.high) return undefined
  const [speaks, reached, missed] = judge
    ? [points >= judge.high, `reaches ${judge.high}`, `not above ${judge.low}`]
    : [points >= bounds.threshold, `reaches ${bounds.threshold}`, `below ${bounds.threshold}`]
  if (speaks) return { kind: style(turn, points, engaged, bounds), why: `${why} · ${reached}` }
  if (reactFrom !== undefined && points >= reactFrom) return { kind: 'react', why: `${why} · ${missed}, reaches ${reactFrom}` }
  return { kind: 'silent', why: `${why} · ${missed}` }
}

/** The rules with their points, and the limited value of a sum outside 0…100. */
function reasons({ points, parts }: TotalScore): string {
  const sum = parts.reduce((total, part) => total + part.points, 0)
  const list = parts.flatMap(({ why, points }) => (points === 0 ? [] : `${why} ${points}`)).join(', ') || 'no rule applies'
  return sum === points ? list : `${list} · ${sum} counts as ${points}`
}

function style(turn: Turn, points: number, engaged: boolean, { diversity }: Bounds): 'react' | 'ack' | 'full' {
  if (!diversity || points >= FULL_FROM || asksQuestion(turn)) return 'full'
  if (points < ACK_FROM) return 'react'
  return engaged ? 'full' : 'ack'
}
