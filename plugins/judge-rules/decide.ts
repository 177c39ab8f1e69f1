import { asksQuestion } from '@kikimimi/addressing/question'
import type { Decision, TotalScore, Turn } from 'kikimimi'
import type { Points } from './points.ts'
import { type Band, isJudged } from './probability.ts'
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

export interface Seen {
  /** The bot takes part in the conversation. */
  readonly engaged: boolean
  /** A message to the bot that needs no words: "@kiki thanks!" */
  readonly nods: boolean
}

interface Judging {
  /** Absent: no plugin judges. */
  readonly judge: (Band & Pick<Points, 'probability'>) | undefined
}

/**
 * Decides whether to speak, and in which form. Undefined within the band of a judge: the judge decides. Without a judge the
 * threshold decides.
 */
export function decide(
  turn: Turn,
  score: TotalScore,
  { engaged, nods, judge, ...bounds }: Bounds & Seen & Judging,
): Decision | undefined {
  const { addressed } = turn
  if (addressed) {
    const why = CALLS.find(({ name }) => name === addressed)?.why ?? addressed
    return nods ? { kind: 'react', why: `${why} · only takes note` } : { kind: 'full', why }
  }

  const { points } = score
  const why = reasons(score)
  const { reactFrom } = bounds
  if (judge && isJudged(points, judge)) return undefined
  const [speaks, reached, missed] = judge
    ? [points >= judge.high, `reaches ${judge.high}`, `not above ${judge.low}`]
    : [points >= bounds.threshold, `reaches ${bounds.threshold}`, `below ${bounds.threshold}`]
  if (speaks) return { kind: styleOf(turn, points, { engaged, ...bounds }), why: `${why} · ${reached}` }
  if (reactFrom !== undefined && points >= reactFrom) return { kind: 'react', why: `${why} · ${missed}, reaches ${reactFrom}` }
  return { kind: 'silent', why: `${why} · ${missed}` }
}

/** The rules with their points, and the limited value of a sum outside 0…100. */
function reasons({ points, parts }: TotalScore): string {
  const sum = parts.reduce((total, part) => total + part.points, 0)
  const list = parts.flatMap(({ why, points }) => (points === 0 ? [] : `${why} ${points}`)).join(', ') || 'no rule applies'
  return sum === points ? list : `${list} · ${sum} counts as ${points}`
}

/** The form of an unasked answer. */
export function styleOf(
  turn: Turn,
  points: number,
  { diversity, engaged }: Pick<Bounds & Seen, 'diversity' | 'engaged'>,
): 'react' | 'ack' | 'full' {
  if (!diversity || points >= FULL_FROM || asksQuestion(turn)) return 'full'
  if (points < ACK_FROM) return 'react'
  return engaged ? 'full' : 'ack'
}
