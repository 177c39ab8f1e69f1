import type { Database } from '../../api/index.ts'
import type { QueueState } from '../../api/operator.ts'

/** Largest number of kinds of failed jobs in a report. */
export const FAILED_KINDS = 50

interface FailedRow {
  readonly kind: string
  readonly retrying: number
  readonly deadLetters: number
  readonly last: Date | null
  readonly why: string | null
}

/** `Jobs.queue` for pg-boss. */
export async function queueIn(db: Database, now: Date): Promise<QueueState> {
  const { rows } = await db.query<Omit<QueueState, 'failed'>>(
    `select count(*) filter (where state < 'active' and start_after <= $1)::int as due,
       count(*) filter (where state < 'active' and start_after > $1)::int as later,
       count(*) filter (where state = 'active')::int as active
     from pgboss.job where state <= 'active'`,
    [now],
  )
  // Dead letters are kept for a day: there can be very many.
  const { rows: failed } = await db.query<FailedRow>(
    `with bad as (
       select name, id, data->>'kind' as kind, state, completed_on as at from pgboss.job where state in ('retry', 'failed')
     ), kinds as (
       select kind, count(*) filter (where state = 'retry')::int as retrying,
         count(*) filter (where state = 'failed')::int as "deadLetters", max(at) filter (where state = 'failed') as last
       from bad group by kind order by 3 desc, 2 desc, 1 limit $1
     ), latest as (
       select distinct on (kind) kind, name, id from bad order by kind, at desc nulls last
     )
     select kinds.*, job.output->>'message' as why
     from kinds join latest using (kind) join pgboss.job job using (name, id) order by "deadLetters" desc, retrying desc, kind`,
    [FAILED_KINDS],
  )
  return {
    ...(rows[0] ?? { due: 0, later: 0, active: 0 }),
    failed: failed.map(({ last, why, ...row }) => ({ ...row, ...(last && { last }), ...(why !== null && { why }) })),
  }
}
