import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { escapeIdentifier } from 'pg'
import type { Database } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'

export interface Migration {
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/**
 * Runs the SQL files of a folder, `001-name.sql`, that this database has not run yet: in order, each in a transaction, each
 * once even when processes start together. The owner, `kikimimi` or the name of a plugin, gets a schema of its name.
 * Returns the names of the files that ran. Throws MIGRATION_FAILED, MIGRATION_CHANGED, or MIGRATION_UNKNOWN when a later
 * version has used this database.
 * @param only the files to run, by name, with their checksums. Default: all
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
  refuseOthers(owner, all, only ?? new Map())
  const before = await checksums(db, owner)
  refuseOthers(owner, all, before)

  const ran: string[] = []
  for (const migration of migrations) {
    if (!before.has(migration.name) && (await runOnce(db, owner, migration, all, clock))) ran.push(migration.name)
  }
  return ran
}

/** The names that {@link migrate} would run now. Throws the errors that {@link migrate} throws before it runs a file. */
export async function pendingMigrations(db: Database, owner: string, folder: URL): Promise<string[]> {
  const migrations = await readMigrations(owner, folder)
  const before = await checksums(db, owner)
  refuseOthers(owner, migrations, before)
  return migrations.flatMap(({ name }) => (before.has(name) ? [] : [name]))
}

/** The SQL files of a folder, in order. */
export async function readMigrations(owner: string, folder: URL): Promise<Migration[]> {
  const files = await readdir(folder).catch((error: unknown) => {
    throw new KikimimiError('MIGRATION_FAILED', `[${owner}] cannot read its migrations: ${reason(error)}`, { cause: error })
  })
  const names = files.filter(name => name.endsWith('.sql')).sort()
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

async function checksums(db: Database, owner: string): Promise<Map<string, string>> {
  // to_regclass answers from a cache that an advisory lock does not refresh: the second of two processes would miss the
  // table.
  const { rowCount } = await db.query(`select 1 from pg_tables where schemaname = 'kikimimi' and tablename = 'migration'`)
  if (rowCount === 0) return new Map()
  const { rows } = await db.query<Migration>('select name, checksum from kikimimi.migration where owner = $1', [owner])
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

/** Throws when the database has run a migration that is unknown or different here. @param ran checksums by name */
function refuseOthers(owner: string, known: readonly Migration[], ran: ReadonlyMap<string, string>): void {
  for (const [name, checksum] of ran) {
    const migration = known.find(one => one.name === name)
    if (!migration) {
      throw new KikimimiError(
        'MIGRATION_UNKNOWN',
        `[${owner}] ${name} has made these tables, and is not known here. Take the version of ${owner} that they come from, or a later one; or restore a backup from before it.`,
      )
    }
    if (migration.checksum === checksum) continue
    throw new KikimimiError(
      'MIGRATION_CHANGED',
      `[${owner}] ${name} has run on this database and is another file now. Bring the old one back, and write the change as a new migration.`,
    )
  }
}

/** Any number works, as long as every version of kikimimi uses the same. */
const LOCK = 0x6b696b69

function runOnce(db: Database, owner: string, migration: Migration, known: readonly Migration[], clock: Clock): Promise<boolean> {
  return db.transaction(async () => {
    // The lock ends with the transaction, so it needs no connection of its own and no release.
    await db.query('select pg_advisory_xact_lock($1)', [LOCK])
    const before = await checksums(db, owner)
    // Another process may have run it meanwhile.
    refuseOthers(owner, known, before)
    if (before.has(migration.name)) return false

    await db.script(`${RECORD} create schema if not exists ${escapeIdentifier(owner.replaceAll('-', '_'))};`)
    await db.script(migration.sql).catch((error: unknown) => {
      throw new KikimimiError('MIGRATION_FAILED', `[${owner}] ${migration.name}${line(migration.sql, error)}: ${reason(error)}`, {
        cause: error,
      })
    })
    await db.query('insert into kikimimi.migration (owner, name, checksum, at) values ($1, $2, $3, $4)', [
      owner,
      migration.name,
      migration.checksum,
      new Date(clock.now()),
    ])
    return true
  })
}

const RECORD = `
  create schema if not exists kikimimi;
  create table if not exists kikimimi.migration (
    owner text not null,
    name text not null,
    checksum text not null,
    at timestamptz not null,
    primary key (owner, name)
  );`

/** Postgres counts characters; people count lines. */
function line(sql: string, error: unknown): string {
  if (!(error instanceof Error && 'position' in error && error.position)) return ''
  return `, line ${sql.slice(0, Number(error.position) - 1).split('\n').length}`
}
