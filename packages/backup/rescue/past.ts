/** The tables of an earlier version, read only. */
import { type Database, KikimimiError } from 'kikimimi'
import { reason } from 'kikimimi/host'
import { contentOf } from '../data/checksums.ts'
import { type Line, type WaitingJob, waitingJobs } from '../data/dump.ts'
import { type MigrationRow, qualified } from '../data/tables.ts'
import { SHAPES } from './shapes.ts'

export interface Past {
  /** What the tables hold: numbers of rows by `schema.table`. */
  readonly found: ReadonlyMap<string, number>
  /** The migrations that made them. Empty if nothing tells. */
  readonly migrations: readonly MigrationRow[]
  readonly jobs: readonly WaitingJob[]
  /** Whether the tables come in the order of `SHAPES`. */
  readonly isOrdered: boolean
  /** Each of the wanted tables once, with its rows as JSON. A table is read before the next one is asked for. */
  tables(wanted: ReadonlySet<string>): AsyncIterable<PastTable>
}

export interface PastTable {
  readonly name: string
  /** @throws RESCUE_TABLE if the rest of the table cannot be read; other tables can */
  readonly rows: AsyncIterable<string>
}

interface Found {
  readonly name: string
  readonly quoted: string
}

/**
 * The tables of a database. Call it in a read-only transaction.
 *
 * @throws RESCUE_REFUSED if no bot has used the database
 */
export async function pastOf(db: Database): Promise<Past> {
  const { rows: all } = await db.query<Found>(
    `select n.nspname || '.' || c.relname as name, format('%I.%I', n.nspname, c.relname) as quoted
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`,
  )
  const names = new Set(all.map(({ name }) => name))
  if (!names.has('kikimimi.message'))
    throw refused('No bot of kikimimi has used this database: it has no table kikimimi.message.')
  const migrations =
    (await attempt(db, () => db.query<MigrationRow>('select owner, name, checksum from kikimimi.migration')))?.rows ?? []
  // A database can hold other things, too.
  const own = new Set([
    ...SHAPES.map(({ table }) => schemaOf(table)),
    ...migrations.map(({ owner }) => owner.replaceAll('-', '_')),
  ])
  const tables = all.filter(({ name }) => own.has(schemaOf(name)))
  const found = new Map<string, number>()
  for (const { name, quoted } of tables) {
    const counted = await attempt(db, () => db.query<{ rows: number }>(`select count(*)::int as rows from ${quoted}`))
    // Unknown: its rows tell why.
    found.set(name, counted ? (counted.rows[0]?.rows ?? 0) : Number.NaN)
  }
  // Each start stores the personas. Databases of older versions have no such table.
  if (found.get('kikimimi.personas') === 0 && found.get('kikimimi.message') === 0)
    throw refused('No bot of kikimimi has used this database: its tables are empty.')
  const jobs = await attempt(db, () => waitingJobs(db))
  return {
    found,
    migrations,
    jobs: jobs ?? [],
    isOrdered: true,
    async *tables(wanted) {
      for (const { table } of SHAPES) {
        const one = tables.find(({ name }) => name === table)
        if (one && wanted.has(table)) yield { name: table, rows: readable(db, one) }
      }
    },
  }
}

const PAGE = 500

/** The rows up to the first that cannot be read. A nested transaction that fails leaves the outer one as it is. */
async function* readable(db: Database, { name, quoted }: Found): AsyncGenerator<string> {
  const cursor = `"rows of ${name.replaceAll('"', '')}"`
  const fetch = () => db.transaction(() => db.query<{ row: string }>(`fetch ${PAGE} from ${cursor}`))
  try {
    await db.transaction(() =>
      db.query(`declare ${cursor} no scroll cursor for select row_to_json(t)::text as row from ${quoted} t`),
    )
    for (;;) {
      const { rows } = await fetch()
      for (const { row } of rows) yield row
      if (rows.length < PAGE) break
    }
  } catch (error) {
    throw new KikimimiError('RESCUE_TABLE', `${name} cannot be read: ${reason(error)}`, { cause: error })
  }
}

async function attempt<T>(db: Database, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await db.transaction(read)
  } catch {
    return undefined
  }
}

/**
 * The tables of a backup. It is read twice.
 *
 * @throws BACKUP_UNREADABLE for a backup that is not complete
 */
export async function pastIn(read: () => AsyncIterable<string>): Promise<Past> {
  const { tables: sums } = await contentOf(read())
  const jobs: WaitingJob[] = []
  let migrations: readonly MigrationRow[] = []
  const found = new Map(Object.entries(sums).map(([name, { rows }]) => [plain(name), rows]))
  return {
    found,
    get migrations() {
      return migrations
    },
    jobs,
    isOrdered: false,
    async *tables(wanted) {
      const lines = read()[Symbol.asyncIterator]()
      let line = await lines.next()
      async function* rows() {
        for (line = await lines.next(); !line.done && line.value.startsWith(ROW); line = await lines.next()) {
          yield line.value.slice(ROW.length, -1)
        }
      }
      while (!line.done) {
        const parsed: Line = JSON.parse(line.value)
        if ('migrations' in parsed) migrations = parsed.migrations
        else if ('job' in parsed) jobs.push(parsed.job)
        if (!('table' in parsed)) {
          line = await lines.next()
          continue
        }
        const name = plain(parsed.table)
        const all = rows()
        if (wanted.has(name)) yield { name, rows: all }
        // Also the rest of a table whose reader has stopped.
        for await (const _row of all);
      }
    },
  }
}

const ROW = '{"row":'

/** `"schema"."table"` without quotes. */
const plain = (table: string) => qualified(table).replaceAll('"', '')

const schemaOf = (table: string) => table.slice(0, table.indexOf('.'))

export function refused(why: string, cause?: unknown): KikimimiError {
  return new KikimimiError('RESCUE_REFUSED', why, { cause })
}
