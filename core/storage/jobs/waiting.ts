import type { Database } from '../../api/index.ts'
import type { WaitingJob, WhichWait } from './jobs.ts'
import { QUEUE } from './pg-boss-db.ts'

/** `Jobs.waiting` for pg-boss. */
export async function waitingIn(
  db: Database,
  kind: string,
  { key, under, having, limit }: WhichWait,
): Promise<readonly WaitingJob[]> {
  const { rows } = await db.query<WaitingJob>(
    `select substr(singleton_key, length($2) + 1) as key, data->'payload' as payload, start_after as at from pgboss.job
     where name = $1 and state < 'active' and starts_with(singleton_key, $2)
       and ($3::text is null or singleton_key = $2 || $3 or starts_with(singleton_key, $2 || $3 || '/'))
       and ($4::text is null or singleton_key = $2 || $4) and ($5::text is null or data->'payload' ? $5)
     order by start_after, singleton_key limit $6`,
    [QUEUE, `${kind}:`, under ?? null, key ?? null, having ?? null, limit],
  )
  return rows
}
