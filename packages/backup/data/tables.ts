/** The tables of a bot as JSON lines. Backups and exports read them here, and differ only in the {@link Choice}. */
import type { Database } from 'kikimimi'

/**
 * `everything`: all tables and columns. `readable`: without the messages, which an export writes channel by channel, without columns
 * that only a machine reads, such as vectors, and without tables that hold only numbers.
 */
export type Choice = 'everything' | 'readable'

export interface Table {
  /** Quoted for SQL, with its schema. */
  readonly name: string
  /** `facts/fact` */
  readonly path: string
  /** Quoted for SQL, separated by commas. */
  readonly columns: string
}

export interface MigrationRow {
  readonly owner: string
  readonly name: string
  readonly checksum: string
}

/** Backups of earlier versions left out the schema of the kernel, if it was the name of the user. */
export function qualified(table: string): string {
  return table.includes('.') ? table : `kikimimi.${table}`
}

const PAGE = 500

/** Lets the transaction wait for the reader or the writer of a file, which a bot's transaction may not do for long. */
export async function takeTime(db: Database): Promise<void> {
  await db.query('set local idle_in_transaction_session_timeout = 0')
}

/** Runs `work` over one state of the database, although the bot may write meanwhile. */
export function atOneMoment<T>(db: Database, work: () => Promise<T>): Promise<T> {
  return db.transaction(async () => {
    await db.query('set transaction isolation level repeatable read, read only')
    await takeTime(db)
    return work()
  })
}

export async function migrationsOf(db: Database): Promise<readonly MigrationRow[]> {
  const { rows } = await db.query<MigrationRow>('select owner, name, checksum from kikimimi.migration order by owner, name')
  return rows
}

/** The tables that these migrations made. Unlogged tables are never included: their rows are of use only to a running bot. */
export async function tablesOf(
  db: Database,
  migrations: readonly MigrationRow[],
  choice: Choice = 'everything',
): Promise<readonly Table[]> {
  const schemas = [...new Set(migrations.map(({ owner }) => owner.replaceAll('-', '_')))]
  const { rows } = await db.query<Table>(TABLES, [schemas, choice === 'everything'])
  return rows
}

const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name, n.nspname || '/' || c.relname as path,
    string_agg(quote_ident(a.attname), ', ' order by a.attnum)
      filter (where $2 or t.typname not in ('bytea', 'vector', 'bit', 'varbit')) as columns
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
    and c.oid not in ('kikimimi.migration'::regclass, 'kikimimi.migration_step'::regclass)
  group by c.oid, n.nspname, c.relname
  -- Readable are texts, times, lists and JSON.
  having $2 or c.oid <> 'kikimimi.message'::regclass
    and bool_or(t.typcategory in ('S', 'D', 'A') or t.typname in ('json', 'jsonb'))
  order by 1`

/** The rows of a table as JSON, inside a transaction. As Postgres writes them: no number goes through JavaScript. */
export async function* rowsOf(db: Database, { name, columns }: Table): AsyncGenerator<string> {
  await db.query(`declare kept no scroll cursor for select row_to_json(t)::text as row from (select ${columns} from ${name}) t`)
  for (;;) {
    const { rows } = await db.query<{ row: string }>(`fetch ${PAGE} from kept`)
    for (const { row } of rows) yield row
    if (rows.length < PAGE) break
  }
  await db.query('close kept')
}
