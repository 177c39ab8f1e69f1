/** Jobs that failed in every attempt. The queue keeps them for a day. */
import { type Database, KikimimiError } from 'kikimimi'
import { counted, type Diagnosis, ok } from '../diagnosis.ts'
import type { Patient } from '../patient.ts'
import { hasQueue } from './jobs.ts'

export interface DeadLetter {
  readonly id: string
  readonly kind: string
  /** The key under which the job was scheduled, such as a conversation. */
  readonly key: string
  readonly failedAt: Date
  readonly attempts: number
  /** The error, without words of people. */
  readonly why: string
}

/** The newest first. */
export async function deadLettersIn(db: Database): Promise<readonly DeadLetter[]> {
  if (!(await hasQueue(db))) return []
  const { rows } = await db.query<DeadLetter>(
    `select id::text, data->>'kind' as kind, coalesce(data->>'key', '') as key, completed_on as "failedAt", retry_count + 1 as attempts,
       coalesce(output->>'message', output->>'reason', 'unknown') as why
     from pgboss.job where state = 'failed' order by completed_on desc, id`,
  )
  return rows
}

export async function deadLetters({ db }: Patient): Promise<Diagnosis[]> {
  const letters = await deadLettersIn(db)
  if (letters.length === 0) return [ok('dead letters: none')]
  const byKind = Map.groupBy(letters, ({ kind }) => kind)
  return [...byKind].map(([kind, [latest, ...more]]) => ({
    severity: 'warning',
    what: `${counted(more.length + 1, 'job')} "${kind}" failed in every attempt, the last time with: ${latest?.why}`,
    where: 'pgboss.job',
    remedy: 'Remove the cause, then run: kikimimi doctor dead-letters --replay all',
  }))
}

/**
 * Puts dead letters back into the queue, with all attempts. A running bot takes them within seconds, another one at its start.
 *
 * @param which an id, or its beginning, or `all`
 * @returns what happened to each
 * @throws ARGUMENT_INVALID if no dead letter has the id
 */
export async function replay(db: Database, which: string): Promise<readonly (DeadLetter & { readonly isBack: boolean })[]> {
  const letters = await deadLettersIn(db)
  const chosen = which === 'all' ? letters : letters.filter(({ id }) => id.startsWith(which))
  if (which !== 'all' && chosen.length !== 1) {
    const found = chosen.length === 0 ? 'No dead letter has' : `${chosen.length} dead letters have`
    throw new KikimimiError('ARGUMENT_INVALID', `${found} the id ${which}. List them with: kikimimi doctor dead-letters`)
  }
  const replayed: (DeadLetter & { readonly isBack: boolean })[] = []
  for (const letter of chosen) replayed.push({ ...letter, isBack: await putBack(db, letter.id) })
  return replayed
}

/** False: a job of the same key waits already, and is newer. */
async function putBack(db: Database, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update pgboss.job j set state = 'retry', retry_count = 0, completed_on = null, output = null, start_after = now(),
       deletion_seconds = (select q.deletion_seconds from pgboss.queue q where q.name = j.name)
     where id = $1 and state = 'failed'
       and not exists (select from pgboss.job o where o.name = j.name and o.state < 'active' and o.singleton_key = j.singleton_key)`,
    [id],
  )
  return rowCount > 0
}
