/** Jobs that do not go on. */
import type { Database } from 'kikimimi'
import { hasQueue } from 'kikimimi/host'
import { counted, type Diagnosis, ok } from '../diagnosis.ts'
import type { Patient } from '../patient.ts'
import { LONG_MS, toldTime } from './late.ts'

export async function stuckJobs({ db, folder, clock }: Patient): Promise<Diagnosis[]> {
  if (!(await hasQueue(db))) return [ok('jobs: none yet')]
  // No process runs on the data folder now. On a server a process says every few seconds that it works on a job.
  const isDead =
    folder === undefined
      ? `coalesce(heartbeat_on, started_on) + greatest(3 * coalesce(heartbeat_seconds, 0), 60) * interval '1 second' < clock_timestamp()
         and (heartbeat_seconds is not null or started_on + expire_seconds * interval '1 second' < clock_timestamp())`
      : 'true'
  const { rows: stuck } = await db.query<{ lane: string; id: string; kind: string }>(
    `select name as lane, id, data->>'kind' as kind from pgboss.job where state = 'active' and ${isDead}`,
  )
  const { rows } = await db.query<{ late: number; since: Date | null; waiting: number }>(
    `select count(*) filter (where start_after < $1)::int as late, min(start_after) filter (where start_after < $1) as since, count(*)::int as waiting
     from pgboss.job where state < 'active'`,
    [new Date(clock.now() - LONG_MS)],
  )
  const { late = 0, since, waiting = 0 } = rows[0] ?? {}
  const found: Diagnosis[] = []
  if (stuck.length > 0) {
    const kinds = [...new Set(stuck.map(({ kind }) => kind))].join(', ')
    found.push({
      severity: 'warning',
      what: `${counted(stuck.length, 'job')} of a process that has ended (${kinds})`,
      where: 'pgboss.job',
      remedy: 'Put them back into the queue: the next start does it too.',
      fix: () => putBack(db, stuck),
    })
  }
  if (late > 0 && since && folder === undefined) {
    found.push({
      severity: 'warning',
      what: `${counted(late, 'job')} due since ${toldTime(since)}, and no process takes them`,
      where: 'pgboss.job',
      remedy: 'Start the bot. If it runs, look in its log for errors of the job queue, or set a larger "concurrency".',
    })
  }
  return found.length > 0 ? found : [ok(`jobs: ${waiting} waiting, none stuck`)]
}

async function putBack(db: Database, jobs: readonly { readonly lane: string; readonly id: string }[]): Promise<string> {
  let back = 0
  for (const { lane, id } of jobs) {
    // A job that was scheduled under its key since is newer, and takes its place.
    const { rowCount } = await db.query(
      `update pgboss.job j set state = 'retry', heartbeat_on = null, start_after = now() where name = $1 and id = $2 and state = 'active'
         and not exists (select from pgboss.job o where o.name = j.name and o.state = 'retry' and o.singleton_key = j.singleton_key)`,
      [lane, id],
    )
    back += rowCount
  }
  return `put ${counted(back, 'job')} back into the queue`
}
