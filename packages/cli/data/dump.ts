/**
 * Everything a bot keeps, as lines of JSON: which migrations made the tables, then each table with its rows, then the jobs that
 * wait. The same from either database, and for either.
 */
import { type Clock, type Database } from 'kikimimi'

export const FORMAT = 1

export type Line =
  | { readonly kikimimi: number; readonly at: string; readonly migrations: readonly MigrationRow[] }
  | { readonly table: string }
  /** Of the table above: its columns by name. */
  | { readonly row: unknown }
  | { readonly job: WaitingJob }
  | { readonly end: { readonly rows: number; readonly jobs: number } }

export interface MigrationRow {
  readonly owner: string
  readonly name: string
  readonly checksum: string
}

export interface WaitingJob {
  readonly kind: string
  readonly key: string | null
  readonly payload: unknown
  readonly at: string
  readonly urgent: boolean
}

const PAGE = 500

/** One moment of the database. `write` is waited for, so that a slow disk holds up no memory. Returns how many rows there were. */
export async function dump(db: Database, clock: Clock, write: (line: string) => Promise<void>): Promise<number> {
  const put = (line: Line) => write(JSON.stringify(line))
  return db.transaction(async () => {
    await db.query('set transaction isolation level repeatable read, read only')
    const migrations = await migrationsOf(db)
    await put({ kikimimi: FORMAT, at: new Date(clock.now()).toISOString(), migrations })
    let count = 0
    for (const table of await tablesOf(db, migrations)) {
      await put({ table })
      for await (const row of eachRow(db, `select * from ${table}`)) {
        await write(`{"row":${row}}`)
        count++
      }
    }
    const jobs = await waitingJobs(db)
    for (const job of jobs) await put({ job })
    await put({ end: { rows: count, jobs: jobs.length } })
    return count
  })
}

/** The rows of a query as JSON, inside a transaction. As Postgres writes it: no number of it goes through JavaScript. */
export async function* eachRow(db: Database, select: string): AsyncGenerator<string> {
  await db.query(`declare dumped no scroll cursor for select to_jsonb(t)::text as row from (${select}) t`)
  for (;;) {
    const { rows } = await db.query<{ row: string }>(`fetch ${PAGE} from dumped`)
    for (const { row } of rows) yield row
    if (rows.length < PAGE) break
  }
  await db.query('close dumped')
}

export async function migrationsOf(db: Database): Promise<readonly MigrationRow[]> {
  const { rows } = await db.query<MigrationRow>('select owner, name, checksum from kikimimi.migration order by owner, name')
  return rows
}

/** The tables of the kernel and of the plugins. What is in an unlogged one is of use to nobody later. */
export async function tablesOf(db: Database, migrations: readonly MigrationRow[]): Promise<string[]> {
  const schemas = [...new Set(migrations.map(({ owner }) => owner.replaceAll('-', '_')))]
  const { rows } = await db.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($1) and c.relkind = 'r' and c.relpersistence = 'p' and c.oid <> 'kikimimi.migration'::regclass order by 1`,
    [schemas],
  )
  return rows.map(({ name }) => name)
}

async function waitingJobs(db: Database): Promise<readonly WaitingJob[]> {
  const { rows: queue } = await db.query(`select 1 from pg_tables where schemaname = 'pgboss' and tablename = 'job'`)
  if (queue.length === 0) return []
  const { rows } = await db.query<Omit<WaitingJob, 'at'> & { at: Date }>(
    `select data->>'kind' as kind, data->>'key' as key, data->'payload' as payload, start_after as at, priority > 0 as urgent
     from pgboss.job where state <= 'active' and data ? 'kind' order by created_on`,
  )
  return rows.map(row => ({ ...row, at: row.at.toISOString() }))
}
