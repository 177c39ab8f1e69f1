/** Jobs and turns that failed in every attempt. They are reported for a day. */
import { deadLettersIn } from 'kikimimi/host'
import { counted, type Diagnosis, ok } from '../diagnosis.ts'
import type { Patient } from '../patient.ts'

export async function deadLetters({ db }: Patient): Promise<Diagnosis[]> {
  const letters = await deadLettersIn(db)
  if (letters.length === 0) return [ok('dead letters: none')]
  const byKind = Map.groupBy(letters, ({ kind }) => kind)
  return [...byKind].map(([kind, [latest, ...more]]) => ({
    severity: 'warning',
    what: `${counted(more.length + 1, kind === 'turn' ? 'turn' : `job "${kind}"`, kind === 'turn' ? 'turns' : `jobs "${kind}"`)} failed in every attempt, the last time with: ${latest?.why}`,
    where: kind === 'turn' ? 'kikimimi.conversation' : 'pgboss.job',
    remedy: 'Remove the cause, then run: kikimimi doctor dead-letters --replay all',
  }))
}
