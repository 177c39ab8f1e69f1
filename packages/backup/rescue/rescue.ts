/** Moves the data of an earlier version into an empty database with the tables of this one. */
import { type Clock, type Database, KikimimiError } from 'kikimimi'
import { migrate, reason } from 'kikimimi/host'
import type { WaitingJob } from '../data/dump.ts'
import { continueSequences } from '../data/restore.ts'
import { migrationsOf } from '../data/tables.ts'
import { type Past, refused } from './past.ts'
import { FORMER_PLATFORMS, SHAPES, type Shape, whyLeft } from './shapes.ts'

export interface RescueOptions {
  readonly clock: Clock
  /** The folder of the migrations of the kernel and of each plugin, by owner. */
  readonly folders: ReadonlyMap<string, URL>
  /** Receives the number of rows so far. */
  readonly progress?: (rows: number) => void
}

export interface Rescued {
  readonly kinds: readonly RescuedKind[]
  /** The tables that no kind takes. */
  readonly left: readonly Left[]
  /** They are no rows of a table. */
  readonly jobs: readonly WaitingJob[]
}

/** What became of the rows of one table. */
export interface RescuedKind {
  readonly what: string
  readonly table: string
  /** Nothing if the rows cannot be counted. */
  readonly found?: number
  readonly taken: number
  readonly left: readonly Left[]
}

export interface Left {
  /** A table, or a column of it. */
  readonly what: string
  readonly rows: number
  readonly why: string
  /** Data was lost that this version could keep. */
  readonly isLoss: boolean
}

/**
 * @param db an empty database
 * @throws RESCUE_REFUSED for data of a later version
 */
export async function rescue(db: Database, past: Past, { clock, folders, progress = () => {} }: RescueOptions): Promise<Rescued> {
  for (const [owner, folder] of folders) await migrate(db, owner, folder, clock)
  await db.script(PREPARE)
  // A follower of the log without an earlier position begins with the first message after the rescue.
  await db.query('delete from kikimimi.follower')
  const { rows } = await db.query<{ name: string }>(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p')`,
  )
  const here = new Set(rows.map(({ name }) => name))
  const wanted = new Map(SHAPES.filter(shape => here.has(targetOf(shape))).map(shape => [shape.table, shape]))
  const kinds: RescuedKind[] = []
  const stashed: Shape[] = []
  let count = 0
  const counted = async function* (given: AsyncIterable<string>) {
    for await (const row of given) {
      progress(++count)
      yield row
    }
  }
  for await (const table of past.tables(new Set(wanted.keys()))) {
    const shape = wanted.get(table.name)
    if (!shape) continue
    // A backup has its tables in the order of their names, which suits those of the kernel.
    if (past.isOrdered || shape.table.startsWith('kikimimi.')) kinds.push(await load(db, shape, counted(table.rows), past))
    else {
      await stash(db, shape, counted(table.rows))
      stashed.push(shape)
    }
  }
  await refuseLater(db, past)
  for (const shape of SHAPES.filter(one => stashed.includes(one))) kinds.push(await load(db, shape, stashedRows(db, shape), past))
  await finish(db, here)
  const promised = await promises(db, past.jobs, folders)
  const jobs = [...renamedTurns(past.jobs), ...promised.jobs, ...(await jobsOf(db, kinds))]
  await db.script('drop schema past cascade')
  const order = (table: string) => SHAPES.findIndex(one => one.table === table)
  kinds.sort((one, other) => order(one.table) - order(other.table))
  return { kinds: kinds.filter(({ found }) => found !== 0), left: leftBehind(past, here, promised.left), jobs }
}

const PREPARE = `
  create schema past;
  create function past.renamed(id text) returns text language sql immutable as $$
    select coalesce((
      select now || regexp_replace(substr(id, length(before) + 1), '^//' || before || '(?=/|$)', '//' || now) from (values ${Object.entries(
        FORMER_PLATFORMS,
      )
        .map(([before, now]) => `('${before}', '${now}')`)
        .join(', ')}) as p(before, now)
      where id = before or starts_with(id, before || '/')
    ), id)
  $$;`

/** The same migrations as here, and more: a later version has worked with the data, and tables can mean something else. */
async function refuseLater(db: Database, past: Past): Promise<void> {
  const own = (await migrationsOf(db)).filter(({ owner }) => owner === 'kikimimi')
  const theirs = past.migrations.filter(({ owner }) => owner === 'kikimimi')
  const same = own.filter(({ name, checksum }) => theirs.some(one => one.name === name && one.checksum === checksum))
  if (own.length > 0 && same.length === own.length && theirs.length > own.length) {
    throw refused('A later version of kikimimi wrote this data. Install that version: its backups need no rescue.')
  }
}

// ---------------------------------------------------------------- rows

const BATCH = 500

async function load(db: Database, shape: Shape, rows: AsyncIterable<string>, past: Past): Promise<RescuedKind> {
  const { what, table, only } = shape
  const target = targetOf(shape)
  const why = new Map<string, { rows: number; isLoss: boolean }>()
  const leave = (reason: string, count: number, isLoss = true) =>
    why.set(reason, { rows: (why.get(reason)?.rows ?? 0) + count, isLoss })
  let taken = 0
  let insert: Insert | undefined
  if (shape.replaces) await db.query(`delete from ${target}`)

  async function take(batch: readonly string[]): Promise<void> {
    insert ??= await insertOf(db, shape, batch[0] ?? '{}')
    for (const [column, count] of valuesOf(batch, insert.unknown)) {
      if (count > 0) leave(`because this version has no column ${column}`, count)
    }
    try {
      const { rows } = await db.query<{ fit: number; inserted: number }>(insert.sql, [`[${batch.join(',')}]`])
      const { fit = 0, inserted = 0 } = rows[0] ?? {}
      taken += inserted
      if (only && fit < batch.length) leave(only.others, batch.length - fit, false)
      if (inserted < fit) leave('because the same is there already', fit - inserted, false)
    } catch (error) {
      if (!isOfRows(error)) throw error
      if (batch.length === 1) leave(`because it does not fit the table of this version (${reason(error)})`, 1)
      else for (const row of batch) await take([row])
    }
  }

  let batch: string[] = []
  try {
    for await (const row of rows) {
      batch.push(row)
      if (batch.length < BATCH) continue
      await take(batch)
      batch = []
    }
  } catch (error) {
    if (!(error instanceof KikimimiError && error.code === 'RESCUE_TABLE')) throw error
    const known = (past.found.get(table) ?? 0) - taken - batch.length
    leave(`because ${error.message}`, known)
  }
  if (batch.length > 0) await take(batch)
  const left = [...why].map(([text, { rows, isLoss }]) => ({ what: table, rows, why: text, isLoss }))
  // A backup has the names of empty tables alone.
  const found = past.found.get(table) ?? 0
  return { what, table, ...(!Number.isNaN(found) && { found }), taken, left }
}

interface Insert {
  /** Returns how many of the rows fit, and how many were inserted. */
  readonly sql: string
  /** Columns of the row that this version does not have. */
  readonly unknown: readonly string[]
}

async function insertOf(db: Database, shape: Shape, example: string): Promise<Insert> {
  const { was = {}, set = {}, missing = {}, ids = [], only } = shape
  const table = targetOf(shape)
  const { rows } = await db.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  )
  const here = new Set(rows.map(({ name }) => name))
  const given = Object.keys(JSON.parse(example))
  const value = (column: string): string | undefined => {
    if (set[column]) return set[column]
    const former = was[column] ?? ''
    const from = given.includes(column) ? column : given.includes(former) ? former : undefined
    if (!from) return missing[column]
    return ids.includes(column) ? `to_jsonb(past.renamed(old->>'${from}'))` : `old->'${from}'`
  }
  const values = [...here].flatMap(column => {
    const sql = value(column)
    return sql ? [{ column, sql }] : []
  })
  const names = values.map(({ column }) => `"${column}"`).join(', ')
  // A function has at most a hundred arguments.
  const pairs = values.map(({ column, sql }) => `jsonb_build_object('${column}', ${sql})`)
  const sql = `
    with fit as materialized (select old from jsonb_array_elements($1::jsonb) e(old) ${only ? `where ${only.where}` : ''}),
    inserted as (
      insert into ${table} (${names}) overriding system value
      select ${values.map(({ column }) => `n."${column}"`).join(', ')}
      from fit, lateral jsonb_populate_record(null::${table}, ${pairs.join(' || ')}) n
      on conflict do nothing returning 1
    )
    select (select count(*)::int from fit) as fit, (select count(*)::int from inserted) as inserted`
  const former = new Set(Object.values(was))
  return { sql, unknown: given.filter(column => !here.has(column) && !former.has(column)) }
}

/** How many rows have a value in each of the columns. */
function valuesOf(batch: readonly string[], columns: readonly string[]): Map<string, number> {
  if (columns.length === 0) return new Map()
  const rows = batch.map(row => JSON.parse(row) as Record<string, unknown>)
  return new Map(columns.map(column => [column, rows.filter(row => row[column] !== null).length]))
}

/** Values that do not fit, and rules that a row breaks. */
function isOfRows(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(22|23)/.test(String(error.code))
}

// ---------------------------------------------------------------- rows that wait for others

const targetOf = ({ table, into = table }: Shape) => into

const stashOf = ({ table }: Shape) => `past."${table}"`

async function stash(db: Database, shape: Shape, rows: AsyncIterable<string>): Promise<void> {
  await db.query(`create table ${stashOf(shape)} (at bigint generated always as identity primary key, row jsonb not null)`)
  let batch: string[] = []
  const write = () =>
    db.query(`insert into ${stashOf(shape)} (row) select value from jsonb_array_elements($1::jsonb)`, [`[${batch.join(',')}]`])
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < BATCH) continue
    await write()
    batch = []
  }
  if (batch.length > 0) await write()
}

async function* stashedRows(db: Database, shape: Shape): AsyncGenerator<string> {
  for (let last = 0; ; ) {
    const { rows } = await db.query<{ at: number; row: string }>(
      `select at, row::text as row from ${stashOf(shape)} where at > $1 order by at limit ${BATCH}`,
      [last],
    )
    for (const { row } of rows) yield row
    last = rows.at(-1)?.at ?? last
    if (rows.length < BATCH) return
  }
}

// ---------------------------------------------------------------- after the rows

async function finish(db: Database, here: ReadonlySet<string>): Promise<void> {
  await continueSequences(
    db,
    SHAPES.flatMap(({ table, into = table }) => (here.has(into) ? [into] : [])),
  )
}

async function jobsOf(db: Database, kinds: readonly RescuedKind[]): Promise<WaitingJob[]> {
  const jobs: WaitingJob[] = []
  for (const { table, taken } of kinds) {
    const { jobs: sql } = SHAPES.find(shape => shape.table === table) ?? {}
    if (!sql || taken === 0) continue
    const { rows } = await db.query<Omit<WaitingJob, 'at' | 'urgent'> & { at: Date }>(sql)
    jobs.push(...rows.map(({ at, ...job }) => ({ ...job, at: at.toISOString(), urgent: false })))
  }
  return jobs
}

/** Turns that wait were jobs once. */
function renamedTurns(jobs: readonly WaitingJob[]): WaitingJob[] {
  return jobs.flatMap(job => {
    if (job.kind !== 'turn' || typeof job.payload !== 'object' || job.payload === null) return []
    const { conversation } = job.payload as { readonly conversation?: unknown }
    if (typeof conversation !== 'string') return []
    return [{ ...job, payload: { ...job.payload, conversation: renamedId(conversation) } }]
  })
}

/** What a person was told, and what waited to be done: "I am forgetting you". */
const PROMISED = 'remember.finish'

/** Begins the erasures that waited, and keeps the other work that the bot has promised. The oldest version had no such jobs. */
async function promises(
  db: Database,
  all: readonly WaitingJob[],
  folders: RescueOptions['folders'],
): Promise<{ readonly jobs: readonly WaitingJob[]; readonly left: readonly Left[] }> {
  const jobs: WaitingJob[] = []
  let lost = 0
  for (const job of all) {
    if (job.kind !== PROMISED) continue
    const { finish } = job.payload as { readonly finish?: { readonly kind?: unknown; readonly people?: unknown } }
    if (finish?.kind === 'forget')
      await db.query(
        `insert into kikimimi.forgetting (platform, person, before)
         select one->>'platform', one->>'id', $2 from jsonb_array_elements($1::jsonb) one
         on conflict (platform, person) do update set before = greatest(forgetting.before, excluded.before)`,
        [JSON.stringify(finish.people ?? []), new Date(job.at)],
      )
    else if (folders.has('remember')) jobs.push(job)
    else lost++
  }
  const why = 'because bot.config.ts has no plugin remember: add it, and rescue again'
  return { jobs, left: lost > 0 ? [{ what: 'promises to forget', rows: lost, why, isLoss: true }] : [] }
}

/** The id of a conversation, with the name that its platform has now. */
function renamedId(id: string): string {
  const [platform = '', ...parts] = id.split('/')
  const now = FORMER_PLATFORMS[platform]
  return now ? [now, ...parts.map((part, at) => (at === 1 && part === platform ? now : part))].join('/') : id
}

function leftBehind(past: Past, here: ReadonlySet<string>, promised: readonly Left[]): Left[] {
  const known = new Map(SHAPES.map(shape => [shape.table, targetOf(shape)]))
  const tables = [...past.found].flatMap(([table, rows]): Left[] => {
    if (rows === 0 || here.has(known.get(table) ?? '')) return []
    const [owner = ''] = table.split('.')
    return known.has(table)
      ? [
          {
            what: table,
            rows,
            why: `because bot.config.ts has no plugin ${owner.replaceAll('_', '-')}: add it, and rescue again`,
            isLoss: true,
          },
        ]
      : [{ what: table, rows, why: whyLeft(table), isLoss: false }]
  })
  const others = past.jobs.filter(({ kind }) => kind !== 'turn' && kind !== PROMISED).length
  const again = { what: 'waiting jobs', rows: others, why: 'because the bot plans its work again', isLoss: false }
  return [...tables, ...promised, ...(others > 0 ? [again] : [])]
}
