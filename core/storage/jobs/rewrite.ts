import type { Database } from '../../api/index.ts'
import type { Jobs } from './jobs.ts'
import { QUEUE } from './pg-boss-db.ts'

interface KeptRow {
  readonly id: string
  readonly payload: unknown
  readonly output: unknown
  readonly key: string | null
  readonly ended: boolean
}

/** An id before all ids. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** `Jobs.prune` for pg-boss. Running jobs stay as they are. */
export async function pruneKept(db: Database, judge: Parameters<Jobs['prune']>[0]): Promise<void> {
  for (let after = FIRST_ID; ; ) {
    const { rows } = await db.query<KeptRow>(
      `select id, data->'payload' as payload, output, singleton_key as key, state > 'active' as ended
       from pgboss.job where id > $1 and state <> 'active' and name = $2 order by id limit 1000`,
      [after, QUEUE],
    )
    for (const row of rows) {
      const revision = judge({ ...row, key: row.key ?? '' })
      if (revision === 'drop') await db.query(`delete from pgboss.job where id = $1 and state <> 'active'`, [row.id])
      else if (revision !== 'keep') {
        await db.query(
          `update pgboss.job set data = jsonb_set(data, '{payload}', $2::jsonb) where id = $1 and state < 'active'`,
          [row.id, JSON.stringify(revision.payload)],
        )
      }
      // Why an attempt failed: the message of the error.
      if (row.output && revision !== 'drop' && judge({ payload: row.output, key: '', ended: true }) === 'drop')
        await db.query('update pgboss.job set output = null where id = $1', [row.id])
    }
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}
