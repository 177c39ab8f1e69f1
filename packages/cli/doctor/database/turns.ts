/** Turns that do not go on. A turn is in the row of its conversation. */
import type { Database } from 'kikimimi'
import { counted, type Diagnosis, ok } from '../diagnosis.ts'
import type { Patient } from '../patient.ts'
import { LONG_MS, toldTime } from './late.ts'

export async function stuckTurns({ db, folder, clock }: Patient): Promise<Diagnosis[]> {
  // No process runs on the data folder now. On a server each process extends its leases every few seconds.
  const isDead = folder === undefined ? `leased_until < clock_timestamp() - interval '1 minute'` : 'true'
  const { rows } = await db.query<{ stuck: number; late: number; since: Date | null; waiting: number }>(
    `select count(*) filter (where leased_by is not null and ${isDead})::int as stuck,
       count(*) filter (where due_at < $1)::int as late, min(due_at) as since, count(due_at)::int as waiting
     from kikimimi.conversation where due_at is not null or leased_by is not null`,
    [new Date(clock.now() - LONG_MS)],
  )
  const { stuck = 0, late = 0, since = null, waiting = 0 } = rows[0] ?? {}
  const found: Diagnosis[] = []
  if (stuck > 0)
    found.push({
      severity: 'warning',
      what: `${counted(stuck, 'turn')} of a process that has ended`,
      where: 'kikimimi.conversation',
      remedy: 'Put it back into the queue: the next start does it too.',
      fix: () => putBack(db, isDead),
    })
  if (late > 0 && since && folder === undefined)
    found.push({
      severity: 'warning',
      what: `${counted(late, 'turn')} due since ${toldTime(since)}, and no process takes them`,
      where: 'kikimimi.conversation',
      remedy: 'Start the bot. If it runs, look in its log for errors, or set a larger "concurrency".',
    })
  return found.length > 0 ? found : [ok(`turns: ${waiting} waiting, none stuck`)]
}

async function putBack(db: Database, isDead: string): Promise<string> {
  const { rowCount } = await db.query(
    `update kikimimi.conversation set leased_by = null, leased_until = null, due_at = least(due_at, now())
     where leased_by is not null and ${isDead}`,
  )
  return `put ${counted(rowCount, 'turn')} back into the queue`
}
