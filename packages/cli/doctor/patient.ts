/** The database of a bot, as the checks see it. */
import type { Clock, Database } from 'kikimimi'
import {
  type DatabaseDeps,
  dropNewTables,
  KERNEL_MIGRATIONS,
  type LoadedPlugin,
  migrate,
  type OpenDatabase,
  openDatabase,
} from 'kikimimi/host'
import { type Catalog, readCatalog } from './database/catalog.ts'

const KERNEL = 'kikimimi'

/** The owner of tables: `kikimimi` or a plugin. */
export interface Owner {
  readonly name: string
  readonly migrations: URL
}

export interface Patient {
  readonly db: Database
  /** The data folder. Absent: the database is on a server. */
  readonly folder?: string
  readonly owners: readonly Owner[]
  readonly plugins: readonly LoadedPlugin[]
  readonly clock: Clock
  /** What the migrations that this database has run make in an empty one. */
  expected(): Promise<Catalog>
}

interface Whose {
  /** The data folder, or the URL of a server. */
  readonly target: string
  readonly plugins: readonly LoadedPlugin[]
  readonly deps: DatabaseDeps
}

/** An open database, and what belongs into it. */
export function patientOf(db: OpenDatabase, { target, plugins, deps }: Whose): Patient {
  const owners = ownersOf(plugins)
  let expected: Promise<Catalog> | undefined
  return {
    db,
    ...(db.kind === 'pglite' && { folder: target }),
    owners,
    plugins,
    clock: deps.clock,
    expected() {
      expected ??= expectedOf(db, owners, deps)
      return expected
    },
  }
}

function ownersOf(plugins: readonly LoadedPlugin[]): readonly Owner[] {
  const own = plugins.flatMap(({ name, definition: { migrations } }) => (migrations ? { name, migrations } : []))
  return [{ name: KERNEL, migrations: KERNEL_MIGRATIONS }, ...own]
}

/** The schema of an owner of tables. */
export function schemaOf({ name }: Owner): string {
  return name.replaceAll('-', '_')
}

type Ran = readonly (Owner & { readonly ran: ReadonlyMap<string, string> })[]

/** By what has run: an empty database with all tables takes a second. */
const catalogs = new Map<string, Promise<Catalog>>()

async function expectedOf(db: Database, owners: readonly Owner[], deps: DatabaseDeps): Promise<Catalog> {
  const all: Ran = await Promise.all(owners.map(async owner => ({ ...owner, ran: await ranOf(db, owner.name) })))
  const key = JSON.stringify(all.map(({ name, ran }) => [name, ...ran]))
  const catalog = catalogs.get(key) ?? catalogOf(all, deps)
  catalogs.set(key, catalog)
  catalog.catch(() => catalogs.delete(key))
  return catalog
}

async function catalogOf(all: Ran, deps: DatabaseDeps): Promise<Catalog> {
  const empty = await openDatabase('memory', deps)
  try {
    const ofKernel = all.find(({ name }) => name === KERNEL)?.ran
    if ([...(await ranOf(empty, KERNEL)).keys()].some(name => !ofKernel?.has(name))) await dropNewTables(empty)
    for (const { name, migrations, ran } of all) if (ran.size > 0) await migrate(empty, name, migrations, deps.clock, ran)
    return await readCatalog(empty, all.map(schemaOf))
  } finally {
    await empty.close()
  }
}

/** The migrations of an owner that this database has run, with their checksums. */
export async function ranOf(db: Database, owner: string): Promise<ReadonlyMap<string, string>> {
  const { rowCount } = await db.query(`select 1 from pg_tables where schemaname = 'kikimimi' and tablename = 'migration'`)
  if (rowCount === 0) return new Map()
  const { rows } = await db.query<{ name: string; checksum: string }>(
    'select name, checksum from kikimimi.migration where owner = $1 order by name',
    [owner],
  )
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}
