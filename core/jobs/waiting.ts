import type { Database } from '../database.ts'
import type { WaitingJob } from '../jobs.ts'

/** `Jobs.waiting` for jobs that pg-boss keeps in a lane. */
export async function waitingIn(
  db: Database,
  lane: string,
  kind: string,
  { under, limit }: { readonly under?: string; readonly limit: number },
): Promise<readonly WaitingJob[]> {
  const { rows } = await db.query<WaitingJob>(
    `select substr(singleton_key, length($2) + 1) as key, data->'payload' as payload, start_after as at from pgboss.job
     where name = $1 and state < 'active' and starts_with(singleton_key, $2)
       and ($3::text is null or singleton_key = $2 || $3 or starts_with(singleton_key, $2 || $3 || '/'))
     order by start_after, singleton_key limit $4`,
    [lane, `${kind}:`, under ?? null, limit],
  )
  return rows
}
