/** Jobs and turns that failed in every attempt. They are kept for a day. */
import type { Database } from '../../api/index.ts'
import type { DeadLetter } from '../../api/operator.ts'
import { KikimimiError } from '../../base/errors.ts'

/** Whether the queue has its tables. */
export async function hasQueue(db: Database): Promise<boolean> {
  const { rowCount } = await db.query(`select 1 from pg_tables where schemaname = 'pgboss' and tablename = 'job'`)
  return rowCount > 0
}

/** The newest first. */
export async function deadLettersIn(db: Database, limit?: number): Promise<readonly DeadLetter[]> {
  const { rows: turns } = await db.query<DeadLetter>(
    `select id, 'turn' as kind, '' as key, failed_at as "failedAt", coalesce(failure, 'unknown') as why
     from kikimimi.conversation where failed_at > now() - interval '1 day' order by failed_at desc limit $1`,
    [limit ?? null],
  )
  if (!(await hasQueue(db))) return turns
  const { rows: jobs } = await db.query<DeadLetter>(
    `select id::text, data->>'kind' as kind, coalesce(data->>'key', '') as key, completed_on as "failedAt",
       coalesce(output->>'message', output->>'reason', 'unknown') as why
     from pgboss.job where state = 'failed' order by completed_on desc limit $1`,
    [limit ?? null],
  )
  return [...turns, ...jobs].sort((one, other) => other.failedAt.getTime() - one.failedAt.getTime()).slice(0, limit)
}

/**
 * Puts dead letters back into their queues, with all attempts. A running bot takes them within seconds, another one at its start.
 *
 * @param which an id, or its beginning, or `all`
 * @returns what happened to each
 * @throws ARGUMENT_INVALID if no dead letter has the id
 */
export async function replayDeadLetters(
  db: Database,
  which: string,
): Promise<readonly (DeadLetter & { readonly isBack: boolean })[]> {
  const letters = await deadLettersIn(db)
  const chosen = which === 'all' ? letters : letters.filter(({ id }) => id.startsWith(which))
  if (which !== 'all' && chosen.length !== 1) {
    const found = chosen.length === 0 ? 'No dead letter has' : `${chosen.length} dead letters have`
    throw new KikimimiError('ARGUMENT_INVALID', `${found} the id ${which}. List them with: kikimimi doctor dead-letters`)
  }
  const replayed: (DeadLetter & { readonly isBack: boolean })[] = []
  for (const letter of chosen) replayed.push({ ...letter, isBack: await putBack(db, letter) })
  return replayed
}

/**
 * Puts a dead letter back into its queue, with all attempts.
 *
 * @returns false: it is none any more, or a newer job of its key waits already
 */
export async function putBack(db: Database, { kind, id }: Pick<DeadLetter, 'kind' | 'id'>): Promise<boolean> {
  return kind === 'turn' ? takeAgain(db, id) : runAgain(db, id)
}

/** The messages of the turn are not processed yet. */
async function takeAgain(db: Database, conversation: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update kikimimi.conversation set due_at = least(due_at, now()), attempts = 0, failure = null, failed_at = null
     where id = $1 and failed_at is not null`,
    [conversation],
  )
  return rowCount > 0
}

/** False: a job of the same key waits already, and is newer. */
async function runAgain(db: Database, id: string): Promise<boolean> {
  if (!UUID.test(id)) return false
  const { rowCount } = await db.query(
    `update pgboss.job j set state = 'retry', retry_count = 0, completed_on = null, output = null, start_after = now(),
       deletion_seconds = (select q.deletion_seconds from pgboss.queue q where q.name = j.name)
     where id = $1 and state = 'failed'
       and not exists (select from pgboss.job o where o.name = j.name and o.state < 'active' and o.singleton_key = j.singleton_key)`,
    [id],
  )
  return rowCount > 0
}

/** The id of a job. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
