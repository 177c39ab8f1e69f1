/**
 * All data of a bot, as JSON lines: the migrations that made the tables, then each table with its rows, then the waiting
 * jobs. The format is the same from both databases and for both.
 *
 */
import type { Clock, Database } from 'kikimimi'
import { createTableSums } from './checksums.ts'
import { atOneMoment, type MigrationRow, migrationsOf, rowsOf, tablesOf } from './tables.ts'

export const FORMAT = 1

export type Line =
  | { readonly kikimimi: number; readonly at: string; readonly migrations: readonly MigrationRow[] }
  | { readonly table: string }
  /** A row of the table above: its columns by name. */
  | { readonly row: unknown }
  | { readonly job: WaitingJob }
  /** Older dumps have no `tables`. */
  | { readonly end: { readonly rows: number; readonly jobs: number; readonly tables?: Readonly<Record<string, TableSum>> } }

/** See `createTableSums`. */
export interface TableSum {
  readonly rows: number
  /** 16 hexadecimal digits. */
  readonly sum: string
}

export interface WaitingJob {
  readonly kind: string
  readonly key: string | null
  readonly payload: unknown
  readonly at: string
  readonly urgent: boolean
}

/**
 * Awaits each `write`, so that a slow disk does not fill the memory. Returns the number of rows.
 *
 * @param more jobs besides those that wait in the database
 */
export function dump(
  db: Database,
  clock: Clock,
  write: (line: string) => Promise<void>,
  more: readonly WaitingJob[] = [],
): Promise<number> {
  const put = (line: Line) => write(JSON.stringify(line))
  return atOneMoment(db, async () => {
    const migrations = await migrationsOf(db)
    await put({ kikimimi: FORMAT, at: new Date(clock.now()).toISOString(), migrations })
    const sums = createTableSums()
    let count = 0
    for (const table of await tablesOf(db, migrations)) {
      await put({ table: table.name })
      for await (const row of rowsOf(db, table)) {
        await write(`{"row":${row}}`)
        sums.add(table.name, row)
        count++
      }
    }
    const jobs = [...(await waitingJobs(db)), ...more]
    for (const job of jobs) await put({ job })
    await put({ end: { rows: count, jobs: jobs.length, tables: sums.all } })
    return count
  })
}

export async function waitingJobs(db: Database): Promise<readonly WaitingJob[]> {
  const { rows: queue } = await db.query(`select 1 from pg_tables where schemaname = 'pgboss' and tablename = 'job'`)
  if (queue.length === 0) return []
  const { rows } = await db.query<Omit<WaitingJob, 'at'> & { at: Date }>(
    `select data->>'kind' as kind, data->>'key' as key, data->'payload' as payload, start_after as at, priority > 0 as urgent
     from pgboss.job where state <= 'active' and data ? 'kind' order by created_on`,
  )
  return rows.map(row => ({ ...row, at: row.at.toISOString() }))
}
