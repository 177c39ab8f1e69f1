/** Answers that were begun and are not finished. */
import { counted, type Diagnosis, ok } from '../diagnosis.ts'
import type { Patient } from '../patient.ts'

/** An answer is sent within minutes, or given up. */
const LONG_MS = 60 * 60_000

export async function hangingDeliveries({ db, clock }: Patient): Promise<Diagnosis[]> {
  const { rows } = await db.query<{ state: string; count: number; since: Date }>(
    `select state, count(*)::int as count, min(at) as since from kikimimi.delivery
     where state not in ('sent', 'failed', 'lost') and at < $1 group by state order by state`,
    [new Date(clock.now() - LONG_MS)],
  )
  if (rows.length === 0) return [ok('deliveries: none hangs')]
  return rows.map(({ state, count, since }) => ({
    severity: 'warning',
    what: `${counted(count, 'part')} of answers in the state "${state}" since ${since.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    where: 'kikimimi.delivery',
    remedy:
      'Start the bot: the next turn of the conversation sends them, or gives them up. If it runs, its log says what the platform answers.',
  }))
}
