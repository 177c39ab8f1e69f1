/** Loads a dump into an empty database, which then has the tables of the dump and no later ones. */
import { type Clock, type Database, KikimimiError } from 'kikimimi'
import { dropNewTables, migrate } from 'kikimimi/host'
import { FORMAT, type Line, type WaitingJob } from './dump.ts'
import { type MigrationRow, qualified, tablesOf, takeTime } from './tables.ts'

export interface RestoreOptions {
  readonly clock: Clock
  /** The folder of the migrations of the kernel and of each plugin, by owner. */
  readonly folders: ReadonlyMap<string, URL>
}

export interface Restored {
  readonly rows: number
  /** The caller schedules them with a bot that knows their kinds. */
  readonly jobs: readonly WaitingJob[]
  /** Tables in the dump of plugins that this bot does not have. */
  readonly left: readonly string[]
}

const BATCH = 500
const ROW = '{"row":'

/**
 * Restores everything or nothing.
 *
 * @throws BACKUP_UNREADABLE for an invalid or incomplete dump, BACKUP_UNFIT for a database that is not empty, MIGRATION_UNKNOWN or
 * MIGRATION_CHANGED for tables of another version
 */
export async function restore(db: Database, lines: AsyncIterable<string>, options: RestoreOptions): Promise<Restored> {
  const read = lines[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    const { value, done } = await read.next()
    if (done) throw unreadable('it ends too early')
    return value
  }
  const head = parsed(await next())
  if (!('kikimimi' in head) || head.kikimimi !== FORMAT) throw unreadable('this version does not support its format')
  await prepare(db, head.migrations, options)

  return db.transaction(async () => {
    await takeTime(db)
    const migrations = head.migrations.filter(({ owner }) => options.folders.has(owner))
    const known = new Set((await tablesOf(db, migrations)).map(({ name }) => name))
    if (known.size > 0) await db.query(`truncate ${[...known].join(', ')} cascade`)
    const addForeignKeys = await dropForeignKeys(db, [...known])
    await setTriggers(db, [...known], 'disable')
    const jobs: WaitingJob[] = []
    const left = new Set<string>()
    let rows = 0
    let table = ''
    let batch: string[] = []
    const flush = async () => {
      if (batch.length > 0 && known.has(table)) await insert(db, table, batch).catch(refuseRows(table))
      batch = []
    }
    for (;;) {
      const text = await next()
      if (text.startsWith(ROW)) {
        rows++
        // As Postgres wrote it: no number goes through JavaScript.
        batch.push(text.slice(ROW.length, -1))
        if (batch.length === BATCH) await flush()
        continue
      }
      await flush()
      const line = parsed(text)
      if ('table' in line) {
        table = qualified(line.table)
        if (!known.has(table)) left.add(table)
      } else if ('job' in line) jobs.push(line.job)
      else if ('end' in line) {
        if (line.end.rows !== rows || line.end.jobs !== jobs.length) throw unreadable('lines are missing')
        break
      }
    }
    await setTriggers(db, [...known], 'enable')
    await addForeignKeys()
    await continueSequences(db, [...known])
    return { rows, jobs, left: [...left] }
  })
}

/** Creates the tables as they were at the time of the dump. The next start of the bot applies later migrations to the restored rows. */
async function prepare(db: Database, migrations: readonly MigrationRow[], { clock, folders }: RestoreOptions): Promise<void> {
  await dropNewTables(db)
  if (await isInUse(db, migrations)) {
    throw new KikimimiError(
      'BACKUP_UNFIT',
      'A bot has used this database. Restore into an empty one: another folder, or a new database.',
    )
  }
  for (const owner of new Set(['kikimimi', ...migrations.map(one => one.owner)])) {
    const folder = folders.get(owner)
    if (!folder) continue
    const wanted = new Map(migrations.filter(one => one.owner === owner).map(one => [one.name, one.checksum]))
    await migrate(db, owner, folder, clock, wanted)
  }
}

/** The tables that an earlier, failed restore made do not count. */
async function isInUse(db: Database, migrations: readonly MigrationRow[]): Promise<boolean> {
  const { rowCount } = await db.query(`select 1 from pg_tables where schemaname = 'kikimimi' and tablename = 'migration'`)
  if (rowCount === 0) return false
  const { rows } = await db.query<MigrationRow>('select owner, name from kikimimi.migration')
  if (rows.some(({ owner, name }) => !migrations.some(one => one.owner === owner && one.name === name))) return true
  const { rowCount: tables } = await db.query(`select 1 from pg_tables where schemaname = 'kikimimi' and tablename = 'message'`)
  return tables > 0 && (await db.query('select 1 from kikimimi.conversation limit 1')).rowCount > 0
}

/** Drops the foreign keys, so that rows can come in any order. Returns a function that adds and checks them again. */
async function dropForeignKeys(db: Database, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows } = await db.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conrelid = any($1::regclass[])`,
    [tables],
  )
  for (const { table, name } of rows) await db.query(`alter table ${table} drop constraint ${name}`)
  return async () => {
    for (const { table, name, definition } of rows) await db.query(`alter table ${table} add constraint ${name} ${definition}`)
  }
}

/**
 * No trigger runs: they ran when the rows were first written. Once for each table, because a change of one row in `pg_trigger` for each
 * trigger of each partition leaves dead rows that the next change has to read: with a pair for each batch, a restore of 300,000 messages
 * into a server takes more than 20 minutes.
 */
async function setTriggers(db: Database, tables: readonly string[], to: 'disable' | 'enable'): Promise<void> {
  for (const table of tables) await db.query(`alter table ${table} ${to} trigger user`)
}

async function insert(db: Database, table: string, rows: readonly string[]): Promise<void> {
  const { rows: columns } = await db.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  const names = columns.map(({ name }) => name).join(', ')
  await db.query(
    `insert into ${table} (${names}) overriding system value
     select ${names} from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    [`[${rows.join(',')}]`],
  )
}

/** An error of the rows is one of the backup. Others, such as a full disk, stay what they are. */
const refuseRows = (table: string) => (error: unknown) => {
  const isOfRows = error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))
  throw isOfRows ? unreadable(`a row of ${table} does not fit its table (${error.message})`, error) : error
}

interface Numbers {
  readonly sequence: string
  /** The columns that it numbers, each with its table: SQL. */
  readonly columns: readonly string[]
}

/**
 * Sets the sequences of the tables to continue after the greatest number. A sequence that belongs to no column, such as `facts.realm`,
 * numbers the columns of its name in its schema.
 */
export async function continueSequences(db: Database, tables: readonly string[]): Promise<void> {
  const { rows } = await db.query<Numbers>(SEQUENCES, [tables])
  for (const { sequence, columns } of rows) {
    await db.query(
      `select setval($1, greatest(1, coalesce(max(n), 0)), max(n) is not null) from (${columns.join(' union all ')}) numbered (n)`,
      [sequence],
    )
  }
}

const SEQUENCES = `
  select s.oid::regclass::text as sequence, array_agg(format('select max(%I)::bigint from %s', a.attname, a.attrelid::regclass)) as columns
  from pg_class s
  join pg_attribute a on a.attnum > 0 and not a.attisdropped and a.attrelid = any($1::regclass[])
  join pg_class t on t.oid = a.attrelid
  left join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = s.oid and d.refclassid = 'pg_class'::regclass
    and d.refobjsubid > 0 and d.deptype in ('a', 'i')
  where s.relkind = 'S' and case when d.refobjid is null then t.relnamespace = s.relnamespace and a.attname = s.relname
    else d.refobjid = a.attrelid and d.refobjsubid = a.attnum end
  group by s.oid`

function parsed(text: string): Line {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw unreadable('it is not JSON', error)
  }
}

function unreadable(why: string, cause?: unknown): KikimimiError {
  return new KikimimiError('BACKUP_UNREADABLE', `This is not a complete backup of a bot: ${why}.`, { cause })
}
