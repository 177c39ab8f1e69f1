import type { Decision, TotalScore, Turn } from 'kikimimi'
import { asksQuestion, isEngaged, RULES, type Sight } from './rules.ts'

export interface Bounds {
  readonly threshold: number
  readonly diversity: boolean
  readonly ackFrom: number
  readonly fullFrom: number
  readonly reactFrom?: number | undefined
}

/** Speak or not, and in what form. */
export function decide(turn: Turn, sight: Sight, score: TotalScore, bounds: Bounds): Decision {
  const { addressed } = turn
  if (addressed) return { kind: 'full', why: RULES.find(({ name }) => name === addressed)?.why ?? addressed }

  const { points } = score
  const { threshold, reactFrom } = bounds
  const parts = score.parts.map(part => `${part.why} ${part.points}`).join(', ') || 'no rule applies'
  if (points >= threshold) return { kind: style(turn, sight, points, bounds), why: `${parts} · reaches ${threshold}` }
  if (reactFrom !== undefined && points >= reactFrom)
    return { kind: 'react', why: `${parts} · below ${threshold}, reaches ${reactFrom}` }
  return { kind: 'silent', why: `${parts} · below ${threshold}` }
}

function style(turn: Turn, sight: Sight, points: number, { diversity, ackFrom, fullFrom }: Bounds): 'react' | 'ack' | 'full' {
  if (!diversity || points >= fullFrom || asksQuestion(turn)) return 'full'
  if (points < ackFrom) return 'react'
  return isEngaged(sight) ? 'full' : 'ack'
}
