import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { escapeIdentifier } from 'pg'
import type { Database } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import { refuseOtherTables } from './other-tables.ts'
import { codeOf, isSilent } from './unavailable.ts'
import { untilUnlocked } from './until-unlocked.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/**
 * Runs the SQL files of a folder, `001-name.sql`, that this database has not run yet: in order, each in a transaction, each
 * once even when processes start together. A file that begins with `-- kikimimi: online` has steps, which run while other processes
 * write: see {@link stepsOf}. The owner, `kikimimi` or the name of a plugin, gets a schema of its name.
 * Returns the names of the files that ran. Throws MIGRATION_FAILED, MIGRATION_CHANGED, or MIGRATION_UNKNOWN when a later
 * version has used this database.
 * @param only the files that made a backup, by name, with their checksums: only these run. Default: all
 */
export async function migrate(
  db: Database,
  owner: string,
  folder: URL,
  clock: Clock,
  only?: ReadonlyMap<string, string>,
): Promise<string[]> {
  const all = await readMigrations(owner, folder)
  const migrations = only ? all.filter(({ name }) => only.has(name)) : all
  if (only) refuseOtherTables(all, { owner, folder, ran: only, where: 'backup' })
  const refuse = refuseOthers(db, owner, folder, all)
  const before = await checksums(db, owner)
  refuse(before)

  const ran: string[] = []
  for (const migration of migrations) {
    if (before.has(migration.name)) continue
    const run = isOnline(migration) ? runOnline : runOnce
    if (await run(db, owner, migration, refuse, clock)) ran.push(migration.name)
  }
  return ran
}

/** The names that {@link migrate} would run now. Throws the errors that {@link migrate} throws before it runs a file. */
export async function pendingMigrations(db: Database, owner: string, folder: URL): Promise<string[]> {
  const migrations = await readMigrations(owner, folder)
  const before = await checksums(db, owner)
  refuseOthers(db, owner, folder, migrations)(before)
  return migrations.flatMap(({ name }) => (before.has(name) ? [] : [name]))
}

/** The SQL files of a folder, in order. */
export async function readMigrations(owner: string, folder: URL): Promise<Migration[]> {
  const files = await readdir(folder).catch((error: unknown) => {
    throw new KikimimiError('MIGRATION_FAILED', `[${owner}] cannot read its migrations: ${reason(error)}`, { cause: error })
  })
  const names = files.filter(name => name.endsWith('.sql')).sort()
  if (names.length === 0) {
    const problem = `${fileURLToPath(folder)} has no SQL file. Add 001-what-it-does.sql, or remove "migrations" from the definition.`
    throw new KikimimiError('MIGRATION_FAILED', `[${owner}] ${problem}`)
  }
  for (const [index, name] of names.entries()) {
    const number = name.slice(0, 3)
    if (!/^\d{3}-[\w-]+\.sql$/.test(name) || number === names[index + 1]?.slice(0, 3)) {
      throw new KikimimiError(
        'MIGRATION_FAILED',
        `[${owner}] ${name} in ${fileURLToPath(folder)}: migrations are named 001-what-it-does.sql, each number once.`,
      )
    }
  }
  return Promise.all(
    names.map(async name => {
      // Git on Windows may change line ends; the file is still the same.
      const sql = (await readFile(new URL(name, folder), 'utf8')).replaceAll('\r\n', '\n')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** The names of the files that a database has run, by owner. */
export async function ranIn(db: Database): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (!(await hasRun(db))) return new Map()
  const { rows } = await db.query<{ owner: string; names: string[] }>(
    'select owner, array_agg(name) as names from kikimimi.migration group by owner',
  )
  return new Map(rows.map(({ owner, names }) => [owner, new Set(names)]))
}

async function checksums(db: Database, owner: string): Promise<Map<string, string>> {
  if (!(await hasRun(db))) return new Map()
  const { rows } = await db.query<Migration>('select name, checksum from kikimimi.migration where owner = $1', [owner])
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

/** Whether the database has the table of migrations. */
async function hasRun(db: Database): Promise<boolean> {
  // to_regclass answers from a cache that an advisory lock does not refresh: the second of two processes would miss the
  // table.
  const { rowCount } = await db.query(`select 1 from pg_tables where schemaname = 'kikimimi' and tablename = 'migration'`)
  return rowCount > 0
}

/** Throws when these are not the checksums, by name, of the files that are known. */
type Refuse = (ran: ReadonlyMap<string, string>) => void

const refuseOthers =
  (db: Database, owner: string, folder: URL, known: readonly Migration[]): Refuse =>
  ran =>
    refuseOtherTables(known, { owner, folder, ran, where: db.kind === 'pglite' ? 'folder' : 'server' })

/** Any number works, as long as every version of kikimimi uses the same. */
const LOCK = 0x6b696b69

function runOnce(db: Database, owner: string, migration: Migration, refuse: Refuse, clock: Clock): Promise<boolean> {
  return whenUnlocked(owner, migration, shortLocks =>
    db.transaction(async () => {
      // The lock ends with the transaction, so it needs no connection of its own and no release.
      await db.query('select pg_advisory_xact_lock($1)', [LOCK])
      const before = await checksums(db, owner)
      // Another process may have run it meanwhile.
      refuse(before)
      if (before.has(migration.name)) return false

      await db.script(shortLocks)
      await prepare(db, owner, migration)
      await runSql(db, owner, migration, { sql: migration.sql, before: 0 })
      await record(db, owner, migration, clock)
      return true
    }),
  )
}

/** See {@link untilUnlocked}. */
const whenUnlocked = <T>(owner: string, { name }: Migration, transaction: (shortLocks: string) => Promise<T>): Promise<T> =>
  untilUnlocked(
    transaction,
    cause =>
      new KikimimiError(
        'MIGRATION_FAILED',
        `[${owner}] ${name}: other sessions have locked its tables for ten minutes. End their transactions (pg_stat_activity lists them), and start again.`,
        { cause },
      ),
  )

const DENIED = '42501'

/** Makes the schema of the owner, and the tables that list what has run. */
const prepare = (db: Database, owner: string, migration: Migration) =>
  runSql(db, owner, migration, { sql: makeSchema(owner), before: 0 })

async function runSql(db: Database, owner: string, { name }: Migration, { sql, before }: Pick<Step, 'sql' | 'before'>) {
  return db.script(sql).catch((error: unknown) => {
    // Without the name of the file: the next start continues.
    if (isSilent(error)) throw error
    const advice = codeOf(error) === DENIED ? ' Make the user of DATABASE_URL the owner of the database and of its schemas.' : ''
    throw new KikimimiError('MIGRATION_FAILED', `[${owner}] ${name}${line(sql, error, before)}: ${reason(error)}${advice}`, {
      cause: error,
    })
  })
}

async function record(db: Database, owner: string, { name, checksum }: Migration, clock: Clock): Promise<void> {
  await db.query('insert into kikimimi.migration (owner, name, checksum, at) values ($1, $2, $3, $4)', [
    owner,
    name,
    checksum,
    new Date(clock.now()),
  ])
}

const makeSchema = (owner: string) => `${RECORD} create schema if not exists ${escapeIdentifier(owner.replaceAll('-', '_'))};`

// ---------------------------------------------------------------- steps beside a running bot

/** A part of an online migration: see {@link stepsOf}. */
interface Step {
  readonly kind: '' | 'concurrently' | 'repeat'
  readonly sql: string
  /** Number of lines of the file before it. */
  readonly before: number
}

const ONLINE = '-- kikimimi: online\n'
const STEP = /^-- step(?:: (concurrently|repeat))?\n/gm

function isOnline({ sql }: Migration): boolean {
  return sql.startsWith(ONLINE)
}

/**
 * The steps of an online migration, which runs while other processes write. Each line `-- step` begins one, with a transaction of its
 * own. `-- step: concurrently` is one statement outside a transaction, which runs again after a crash. `-- step: repeat` is one
 * statement that runs again, each time in a transaction, until it returns no row.
 */
function stepsOf({ sql }: Migration): readonly Step[] {
  const begins = [...sql.matchAll(STEP)]
  return begins.map(({ index, 0: { length }, 1: kind = '' }, at) => ({
    kind: kind === 'concurrently' || kind === 'repeat' ? kind : '',
    sql: sql.slice(index + length, begins[at + 1]?.index),
    before: sql.slice(0, index + length).split('\n').length - 1,
  }))
}

/** Milliseconds between two questions whether another process has finished. */
const WAIT = 100

/**
 * Runs the steps of an online migration that no process has finished. The lock is held in a transaction that does nothing else. Other
 * processes ask for it again and again: a statement that waits for a lock holds a snapshot, and `create index concurrently` waits
 * for snapshots.
 */
async function runOnline(db: Database, owner: string, migration: Migration, refuse: Refuse, clock: Clock): Promise<boolean> {
  const outside = AsyncLocalStorage.snapshot()
  // A process of its own is the only one.
  if (db.kind !== 'postgres') return runSteps(db, owner, migration, refuse, clock, async () => {})
  for (;;) {
    const result = await db.transaction(async () => {
      // A script keeps no snapshot for the rest of the transaction; a query does. The transaction is idle while a step runs.
      const { rows } = await db.script(`
        set local idle_in_transaction_session_timeout = 0;
        select pg_try_advisory_xact_lock(${LOCK + 1}) as mine`)
      const inside = AsyncLocalStorage.snapshot()
      const hold = () =>
        inside(() => db.script('select 1')).catch((error: unknown) => {
          throw new KikimimiError(
            'MIGRATION_FAILED',
            `[${owner}] ${migration.name}: the connection with the lock of the upgrade is lost. Start again: it continues.`,
            { cause: error },
          )
        })
      return rows[0]?.mine ? outside(() => runSteps(db, owner, migration, refuse, clock, hold)) : undefined
    })
    if (result !== undefined) return result
    await setTimeout(WAIT)
  }
}

/** @param hold rejects when the lock is lost: another process runs the steps now */
async function runSteps(
  db: Database,
  owner: string,
  migration: Migration,
  refuse: Refuse,
  clock: Clock,
  hold: () => Promise<unknown>,
): Promise<boolean> {
  const before = await checksums(db, owner)
  // Another process may have run it meanwhile.
  refuse(before)
  if (before.has(migration.name)) return false
  await prepare(db, owner, migration)
  const { rows } = await db.query<{ steps: number }>(
    'select coalesce(max(step), 0) as steps from kikimimi.migration_step where owner = $1 and name = $2',
    [owner, migration.name],
  )
  for (const [at, step] of stepsOf(migration).entries())
    if (at >= (rows[0]?.steps ?? 0)) await runStep(db, owner, migration, step, at + 1, hold)
  await db.transaction(async () => {
    await db.query('delete from kikimimi.migration_step where owner = $1 and name = $2', [owner, migration.name])
    await record(db, owner, migration, clock)
  })
  return true
}

async function runStep(
  db: Database,
  owner: string,
  migration: Migration,
  step: Step,
  number: number,
  hold: () => Promise<unknown>,
): Promise<void> {
  const finished = () =>
    db.query('insert into kikimimi.migration_step (owner, name, step) values ($1, $2, $3)', [owner, migration.name, number])
  /** Returns whether the step has returned a row. */
  const inTransaction = async (then?: () => Promise<unknown>) => {
    await hold()
    return whenUnlocked(owner, migration, shortLocks =>
      db.transaction(async () => {
        await db.script(shortLocks)
        const { rows } = await runSql(db, owner, migration, step)
        await then?.()
        return rows.length > 0
      }),
    )
  }
  if (step.kind === '') {
    await inTransaction(finished)
    return
  }
  if (step.kind === 'repeat') while (await inTransaction());
  else {
    await hold()
    await runConcurrently(db, owner, migration, step)
  }
  await finished()
}

/**
 * A crash may have left an index that is not complete, which is removed first. The server may also still work on it: it does not notice
 * that the process is gone. Then the index is complete afterwards.
 */
async function runConcurrently(db: Database, owner: string, migration: Migration, step: Step): Promise<void> {
  const [, index] = /\bcreate (?:unique )?index concurrently (\w+)/i.exec(step.sql) ?? []
  // The embedded database has one connection: nothing runs beside it.
  const here = (sql: string) => ({ sql: db.kind === 'postgres' ? sql : sql.replace(/ concurrently\b/i, ''), before: step.before })
  if (index) {
    const schema = owner.replaceAll('-', '_')
    const state = async () => (await db.query<{ valid: boolean; building: boolean }>(INDEX, [schema, index])).rows[0]
    let found = await state()
    for (; found?.building; found = await state()) await setTimeout(WAIT)
    if (found?.valid) return
    const name = `${escapeIdentifier(schema)}.${escapeIdentifier(index)}`
    if (found) await runSql(db, owner, migration, here(`drop index concurrently ${name}`))
  }
  await runSql(db, owner, migration, here(step.sql))
}

const INDEX = `
  select i.indisvalid as valid, exists (select 1 from pg_stat_progress_create_index p where p.index_relid = i.indexrelid) as building
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relname = $2`

const RECORD = `
  create schema if not exists kikimimi;
  create table if not exists kikimimi.migration (
    owner text not null,
    name text not null,
    checksum text not null,
    at timestamptz not null,
    primary key (owner, name)
  );
  -- The finished steps of an online migration that has begun.
  create table if not exists kikimimi.migration_step (owner text not null, name text not null, step int not null, primary key (owner, name, step));`

/** Postgres counts characters; people count lines. */
function line(sql: string, error: unknown, before: number): string {
  if (!(error instanceof Error && 'position' in error && error.position)) return ''
  return `, line ${before + sql.slice(0, Number(error.position) - 1).split('\n').length}`
}
