/** What is known about the judge in a channel when a turn has to be judged. */
import type { Database } from 'kikimimi'
import { type Coefficients, START } from '../combine.ts'

const DAY = 24 * 60 * 60_000
/** A paused judge is asked again after this time, for a sample of this many calls. */
export const RETRIED_MS = 7 * DAY
export const SAMPLE = 20

/** The points as they are calibrated. */
export const ALONE: Coefficients = { ...START, c: 0 }

export interface Standing {
  /** With the verdict. */
  readonly coefficients: Coefficients
  /** Without it. */
  readonly alone: Coefficients
  /**
   * `asked`: the verdict counts. `sampled`: the judge is paused, and asked to see what its verdicts are worth now. `paused`: it is not
   * asked.
   */
  readonly state: 'asked' | 'sampled' | 'paused'
  /** When a paused judge is asked again. */
  readonly retryAt?: Date
}

const BEGINNING: Standing = { coefficients: START, alone: ALONE, state: 'asked' }

/** @param prompt the hash of the prompt; what was learned about another one does not count */
export async function standingIn(db: Database, channel: string, prompt: string, now: Date): Promise<Standing> {
  if (db.kind === 'none') return BEGINNING
  const { rows } = await db.query<Row>(
    `select c.coefficients, c.alone, c.prompt, c.paused_at,
       (select count(*)::int from judge_llm.outcome o
        where o.channel = c.channel and not o.heeded and o.at >= c.paused_at + $2 * interval '1 ms') as sampled
     from judge_llm.channel c where c.channel = $1`,
    [channel, RETRIED_MS],
  )
  const [row] = rows
  if (!row) return BEGINNING
  const { coefficients, alone, paused_at, sampled } = row
  if (row.prompt !== prompt) return { ...BEGINNING, alone }
  if (!paused_at) return { coefficients, alone, state: 'asked' }
  const retryAt = new Date(paused_at.getTime() + RETRIED_MS)
  return { coefficients, alone, state: now >= retryAt && sampled < SAMPLE ? 'sampled' : 'paused', retryAt }
}

interface Row {
  readonly coefficients: Coefficients
  readonly alone: Coefficients
  readonly prompt: string
  readonly paused_at: Date | null
  readonly sampled: number
}
