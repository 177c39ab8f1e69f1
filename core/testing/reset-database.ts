import type { Database } from '../api/index.ts'
import type { Clock } from '../base/clock.ts'
import { migrate } from '../storage/database/migrate.ts'

/** The owner of tables: `kikimimi` or the name of a plugin, and the folder of its migrations. */
export type Owners = readonly (readonly [name: string, folder: URL])[]

/** The state of a database after the migrations of some owners, before a bot uses it. */
interface Fresh {
  /** The folder of each owner. */
  readonly folders: ReadonlyMap<string, string>
  /** What {@link shapesOf} gives for it. */
  readonly shapes: ReadonlyMap<string, string>
  readonly rows: readonly Row[]
  /** Deleted rows whose space is not free yet. */
  deleted: number
}

/** Rows that migrations insert into a table, as a JSON array. */
interface Row {
  readonly schema: string
  readonly table: string
  readonly json: string
}

/** Kept on `globalThis`, like {@link sharedTestDatabase}. */
const KNOWN = Symbol.for('kikimimi.test.fresh')

interface Known {
  [KNOWN]?: Fresh | undefined
}

const KERNEL = 'kikimimi'
const schemasOf = (owner: string) => (owner === KERNEL ? [KERNEL, 'kikimimi_v1'] : [owner.replaceAll('-', '_')])

/** Scans become slow when tables hold more deleted rows than this. */
const MANY_DELETED = 20_000

/**
 * Brings a database to the state after the migrations of these owners. Tables that an earlier test left unchanged in shape
 * are emptied and used again: that takes a hundredth of the time of creating them. Other tables are dropped, those of further plugins
 * too, because they would appear in a dump of the database.
 */
export async function resetDatabase(db: Database & Known, owners: Owners, clock: Clock): Promise<void> {
  const before = db[KNOWN]
  db[KNOWN] = undefined
  const now = await shapesOf(db)
  const isAsBefore = ([name, folder]: Owners[number]) =>
    before?.folders.get(name) === folder.href && schemasOf(name).every(schema => now.get(schema) === before.shapes.get(schema))
  const kept = new Set(owners.filter(isAsBefore).map(([name]) => name))
  if (!kept.has(KERNEL)) kept.clear()
  const schemas = new Set([...kept].flatMap(schemasOf))
  const others = [...now.keys()].filter(schema => !schemas.has(schema))
  const missing = owners.filter(([name]) => !kept.has(name))

  for (const schema of others) await db.script(`drop schema "${schema}" cascade`)
  if (before && kept.size > 0) {
    const rows = before.rows.filter(({ schema }) => schemas.has(schema))
    if (others.length > 0) await prepareEmptying(db, rows)
    before.deleted += await empty(db)
    await db.query('delete from kikimimi.migration where owner <> all($1)', [[...kept]])
  }
  await emptyQueue(db)
  for (const [name, folder] of missing) await migrate(db, name, folder, clock)

  if (before && others.length === 0 && missing.length === 0) {
    db[KNOWN] = before
    if (before.deleted < MANY_DELETED) return
    await db.script('vacuum')
    before.deleted = 0
  } else {
    const rows = await rowsOf(db)
    await prepareEmptying(db, rows)
    const folders = new Map(owners.map(([name, folder]) => [name, folder.href]))
    db[KNOWN] = { folders, shapes: await shapesOf(db), rows, deleted: before?.deleted ?? 0 }
  }
}

const OURS = `nspname !~ '^pg_' and nspname not in ('information_schema', 'public', 'pgboss', 'extensions')`
/** After so many rounds of deletes, what is left is kept by a trigger. */
const ROUNDS = 5

const TABLES = `select c.oid, nspname as schema, format('%I.%I', nspname, relname) as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where ${OURS} and c.relkind = 'r' and (nspname, relname) <> ('kikimimi', 'migration')`

/**
 * Makes a function that leaves these rows alone in the tables, and returns how many rows it has deleted. It deletes, because TRUNCATE makes
 * new files for each table and index, and makes Postgres plan all statements again; so does a change of session_replication_role. In a
 * function its own plans are kept. Tables with triggers come first, because these write into others. A table that another one refers to is
 * tried again. What triggers keep is deleted without them.
 */
async function prepareEmptying(db: Database, rows: readonly Row[]): Promise<void> {
  const { rows: tables } = await db.query<{ name: string; triggers: boolean }>(
    `select name, exists (select 1 from pg_trigger where tgrelid = oid and not tgisinternal and tgtype & 8 > 0) as triggers
     from (${TABLES}) tables order by name`,
  )
  const { rows: sequences } = await db.query<{ reset: string }>(
    `select format('perform setval(%s, %s, false);', seqrelid, seqstart) as reset from pg_sequence s
     join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS}`,
  )
  const deletes = (of: typeof tables) =>
    of.map(
      ({ name, triggers }) => `
      if exists (select 1 from only ${name}) then
        begin
          delete from only ${name};
          get diagnostics one = row_count;
          deleted := deleted + one;
          more := more or ${triggers};
        exception when foreign_key_violation or raise_exception then
          more := true;
        end;
      end if;`,
    )
  const inRounds = (of: typeof tables) => `
    for round in 1..${ROUNDS} loop
      more := false;
      ${deletes(of).join('')}
      exit when not more;
    end loop;
    if more then
      deleted := deleted + public.kikimimi_test_force();
    end if;`
  const inserts = rows.map(
    ({ table, json }) => `insert into ${table} select * from json_populate_recordset(null::${table}, $json$${json}$json$);`,
  )
  const forced = tables.map(({ name }) => `delete from only ${name}; get diagnostics one = row_count; deleted := deleted + one;`)
  await db.script(
    `create or replace function public.kikimimi_test_force() returns integer language plpgsql set session_replication_role = replica as $empty$
     declare
       one integer;
       deleted integer := 0;
     begin
       ${forced.join('\n')}
       return deleted;
     end $empty$;
     create or replace function public.kikimimi_test_empty() returns integer language plpgsql as $empty$
     declare
       one integer;
       deleted integer := 0;
       more boolean;
     begin
       ${inRounds(tables.filter(({ triggers }) => triggers))}
       ${inRounds(tables.filter(({ triggers }) => !triggers))}
       ${[...sequences.map(({ reset }) => reset), ...inserts].join('\n')}
       return deleted;
     end $empty$`,
  )
}

async function empty(db: Database): Promise<number> {
  const { rows } = await db.query<{ deleted: number }>('select public.kikimimi_test_empty() as deleted')
  return rows[0]?.deleted ?? 0
}

/** A bot whose start failed on a new server has made no queue. */
async function emptyQueue(db: Database): Promise<void> {
  const { rows } = await db.query(`select 1 from pg_tables where schemaname = 'pgboss' and tablename = 'job'`)
  if (rows.length > 0) await db.query('delete from pgboss.job')
}

async function rowsOf(db: Database): Promise<Row[]> {
  const { rows: filled } = await db.query<{ name: string; schema: string }>(
    `select name, schema from (${TABLES}) tables where pg_relation_size(oid) > 0`,
  )
  const all: Row[] = []
  for (const { name, schema } of filled) {
    const { rows } = await db.query<{ json: string | null }>(`select json_agg(t)::text as json from ${name} t`)
    if (rows[0]?.json) all.push({ schema, table: name, json: rows[0].json })
  }
  return all
}

/** For each schema a number that changes with every column, index, constraint, function and trigger. */
async function shapesOf(db: Database): Promise<Map<string, string>> {
  const { rows } = await db.query<{ schema: string; shape: string }>(
    `with spaces as materialized (
       select oid, nspname from pg_namespace where ${OURS}
     ), here as materialized (
       select oid, relnamespace as space, relkind, hash_record_extended(row(oid, relname, relkind, reloptions), 0) as hash
       from pg_class where relnamespace in (select oid from spaces)
     ), hashes as (
       select space, hash from here
       union all
       select space, hash_record_extended(row(attrelid, attnum, attname, atttypid, attnotnull, atthasdef, attisdropped), 0)
       from here join pg_attribute on attrelid = here.oid where here.relkind in ('r', 'p') and attnum > 0
       union all
       select space, hash_record_extended(row(indexrelid, indisvalid), 0) from here join pg_index on indexrelid = here.oid
       union all
       select space, hash_record_extended(row(1, c.oid, convalidated), 0) from here join pg_constraint c on conrelid = here.oid
       union all
       select space, hash_record_extended(row(2, t.oid, tgenabled), 0) from here join pg_trigger t on tgrelid = here.oid
       union all
       select pronamespace, hash_record_extended(row(3, oid, prosrc), 0)
       from pg_proc where pronamespace in (select oid from spaces)
     )
     select nspname as schema, sum(hash)::text as shape from spaces left join hashes on space = oid group by nspname`,
  )
  return new Map(rows.map(({ schema, shape }) => [schema, shape]))
}
