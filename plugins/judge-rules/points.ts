import { service, type Turn } from 'kikimimi'

/** What the points of a turn mean, for another decider. */
export interface Points {
  /** The probability, 0…1, that a member in the place of the bot would answer. */
  probability(points: number): number
  /** The points from which the bot speaks without a judge, 0…100. */
  threshold(turn: Turn): number
  /** The form of an unasked answer: `full`, or by the score if the option `diversity` is on. */
  style(turn: Turn, points: number): 'react' | 'ack' | 'full'
}

export const Points = service<Points>('points', '@kikimimi/judge-rules')
