import type { Database } from '../api/index.ts'
import type { Clock } from '../base/clock.ts'
import { migrate } from '../storage/database/migrate.ts'

/** The owner of tables: `kikimimi` or the name of a plugin, and the folder of its migrations. */
export type Owners = readonly (readonly [name: string, folder: URL])[]

/** The state of a database after its migrations, before a bot uses it. */
interface Fresh {
  readonly folders: Map<string, string>
  readonly schema: string
  /** Rows that migrations insert, as a JSON array for each table. */
  readonly rows: readonly { readonly table: string; readonly json: string }[]
}

/** Kept on `globalThis`, like {@link sharedTestDatabase}. */
const KNOWN = Symbol.for('kikimimi.test.fresh')

interface Known {
  [KNOWN]?: Fresh | undefined
}

/**
 * Brings a database to the state after the migrations of these owners. Tables that an earlier test left unchanged in shape
 * are emptied and used again, which takes a tenth of the time of creating them. Other tables are dropped and created.
 */
export async function resetDatabase(db: Database & Known, owners: Owners, clock: Clock): Promise<void> {
  const before = db[KNOWN]
  const wanted = new Map(owners.map(([name, folder]) => [name, folder.href]))
  // Tables of other plugins would appear in a dump of the database.
  const isUsable = before && [...before.folders].every(([name, folder]) => wanted.get(name) === folder)
  const fresh = isUsable && (await schemaOf(db)) === before.schema ? before : undefined
  db[KNOWN] = undefined
  if (fresh) await emptyTables(db, fresh)
  else await dropAll(db)

  const folders = fresh?.folders ?? new Map<string, string>()
  const missing = owners.filter(([name]) => !folders.has(name))
  for (const [name, folder] of missing) {
    await migrate(db, name, folder, clock)
    folders.set(name, folder.href)
  }
  db[KNOWN] = fresh && missing.length === 0 ? fresh : { folders, schema: await schemaOf(db), rows: await rowsOf(db) }
}

const OURS = `nspname !~ '^pg_' and nspname not in ('information_schema', 'public', 'pgboss', 'extensions')`
const FILLED = `from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${OURS} and c.relkind = 'r' and c.oid::regclass::text <> 'kikimimi.migration' and pg_relation_size(c.oid) > 0`

async function dropAll(db: Database): Promise<void> {
  const { rows } = await db.query<{ name: string }>(`select nspname as name from pg_namespace where ${OURS}`)
  for (const { name } of rows) await db.script(`drop schema "${name}" cascade`)
  await emptyQueue(db)
}

/** A bot whose start failed on a new server has made no queue. */
async function emptyQueue(db: Database): Promise<void> {
  const { rows } = await db.query(`select 1 from pg_tables where schemaname = 'pgboss' and tablename = 'job'`)
  if (rows.length > 0) await db.query('delete from pgboss.job')
}

async function emptyTables(db: Database, { rows }: Fresh): Promise<void> {
  const { rows: filled } = await db.query<{ name: string }>(`select c.oid::regclass::text as name ${FILLED}`)
  if (filled.length > 0) await db.script(`truncate ${filled.map(({ name }) => name).join(', ')} cascade`)
  await db.query(
    `with sequence as materialized (
       select s.seqrelid, s.seqstart from pg_sequence s
       join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS}
     )
     select setval(seqrelid, seqstart, false) from sequence where pg_sequence_last_value(seqrelid) is not null`,
  )
  for (const { table, json } of rows)
    await db.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [json])
  await emptyQueue(db)
}

async function rowsOf(db: Database): Promise<Fresh['rows']> {
  const { rows: filled } = await db.query<{ name: string }>(`select c.oid::regclass::text as name ${FILLED}`)
  return Promise.all(
    filled.map(async ({ name }) => {
      const { rows } = await db.query<{ json: string }>(`select json_agg(t)::text as json from ${name} t`)
      return { table: name, json: rows[0]?.json ?? '[]' }
    }),
  )
}

/** A text that changes with every column, index, constraint, function and trigger. */
async function schemaOf(db: Database): Promise<string> {
  const { rows } = await db.query<{ schema: string }>(
    `with here as (
       select c.oid, c.relname, c.relkind, c.reloptions from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${OURS}
     )
     select md5(concat(
       (select string_agg(concat(oid, relname, relkind, reloptions), ' ' order by oid) from here),
       (select string_agg(concat(attrelid, attname, atttypid, attnotnull, atthasdef, attisdropped), ' ' order by attrelid, attnum)
        from pg_attribute where attrelid in (select oid from here)),
       (select string_agg(concat(indexrelid, indisvalid), ' ' order by indexrelid)
        from pg_index where indrelid in (select oid from here)),
       (select string_agg(concat(oid, convalidated), ' ' order by oid) from pg_constraint where conrelid in (select oid from here)),
       (select string_agg(concat(oid, tgenabled), ' ' order by oid) from pg_trigger where tgrelid in (select oid from here)),
       (select string_agg(concat(p.oid, md5(prosrc)), ' ' order by p.oid)
        from pg_proc p join pg_namespace n on n.oid = p.pronamespace where ${OURS})
     )) as schema`,
  )
  return rows[0]?.schema ?? ''
}
