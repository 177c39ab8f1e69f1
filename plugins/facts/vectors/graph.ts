/**
 * Searching very many vectors on a server: by pgvector's HNSW, a graph from neighbour to neighbour. It is built in the
 * background, and what it does not pay for is compared in full as ever.
 */
import type { Database } from 'kikimimi'
import { type Near, type Space, spaceKey } from '../api/vectors.ts'

/** With fewer vectors in a space no graph is built. Up to so many all signs are compared in some 20 ms on a server. */
const WORTH_A_GRAPH = 50_000

/**
 * A walk along the graph takes longer the less of what it meets may be read, comparing all takes longer the more of it there
 * is. So the walk pays from the share on whose square is this many rows of all: 5 % of a million, 16 % of 100,000; measured
 * with 100 wanted.
 */
const WORTH_A_WALK = 2_500

/** Rows that are looked at to estimate the share. Counting them took longer than the search. */
const SAMPLE = 500

/** What pgvector can put into a graph of half-precision numbers. Their precision costs no answer, and halves its size. */
const MOST_DIMENSIONS = 4_000

/** How many neighbours a walk keeps in sight. With pgvector's 40, or without going on behind a filter, it loses most of them. */
const EF_SEARCH = 300

interface Ground {
  readonly id: number | null
  readonly graph: boolean
  /** The part of all vectors that may be read, and how many there are: estimates. */
  readonly share: number
  readonly all: number
}

/** The nearest by the graph; nothing where there is none, or where comparing all is faster. */
export async function searchGraph(
  db: Database,
  space: Space,
  vector: Float32Array,
  { scopes, limit }: { readonly scopes: readonly number[]; readonly limit: number },
): Promise<readonly Near[] | undefined> {
  if (db.kind === 'pglite') return undefined
  const { id, graph, share, all } = await survey(db, space, scopes)
  if (id === null || !graph || share ** 2 * all < WORTH_A_WALK) return undefined
  return db.transaction(async () => {
    await db.query(
      `select set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', $1, true),
         set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`,
      [String(Math.max(EF_SEARCH, limit))],
    )
    const { rows } = await db.query<Near>(
      `with near as materialized (
         select item, embedding from facts.vector where space = ${id} and scope = any($1)
         order by ${halves('embedding', space)} <=> ${halves('$2::vector', space)} limit $3
       )
       select item, 1 - (embedding <=> $2::vector) as similarity from near order by similarity desc, item`,
      [scopes, vector, limit],
    )
    return rows
  })
}

async function survey(db: Database, space: Space, scopes: readonly number[]): Promise<Ground> {
  const { rows } = await db.query<Ground>(
    `with home as materialized (select id from facts.space where key = $1),
       vector as materialized (select greatest(1, reltuples) as rows from pg_class where oid = 'facts.vector'::regclass)
     select (select id from home), (select rows from vector) as all,
       exists (
         select 1 from pg_index i join pg_class c on c.oid = i.indexrelid
         where i.indrelid = 'facts.vector'::regclass and i.indisvalid and c.relname = (select 'vector_graph_' || id from home)
       ) as graph,
       (select coalesce(avg((space = (select id from home) and scope = any($2))::int), 0)::float8
        from facts.vector tablesample system ((select least(100, 100 * $3::int / rows) from vector))) as share`,
    [spaceKey(space), scopes, SAMPLE],
  )
  return rows[0] ?? { id: null, graph: false, share: 0, all: 0 }
}

/**
 * Builds the graph of each space that is worth one, and takes minutes for a million vectors. Nobody waits for it, neither
 * who reads nor who writes. `maintenance_work_mem` of the server should hold it: 1 GB for a million vectors of 256 numbers.
 */
export async function buildGraphs(db: Database, { from = WORTH_A_GRAPH } = {}): Promise<void> {
  if (db.kind === 'pglite' || !(await walksOnBehindFilters(db))) return
  const { rows } = await db.query<{ id: number; key: string; state: 'valid' | 'broken' | null }>(
    `select s.id, s.key, (
       select case when i.indisvalid then 'valid' else 'broken' end from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indrelid = 'facts.vector'::regclass and c.relname = 'vector_graph_' || s.id
     ) as state
     from facts.space s
     where not exists (select 1 from pg_stat_progress_create_index where relid = 'facts.vector'::regclass)
       and (select count(*) from (select 1 from facts.sign v where v.space = s.id limit $1) enough) = $1`,
    [from],
  )
  for (const { id, key, state } of rows) {
    const dimensions = Number(key.slice(key.lastIndexOf('/') + 1))
    if (state === 'valid' || dimensions > MOST_DIMENSIONS) continue
    // What a build that was cut off has left.
    if (state === 'broken') await db.query(`drop index concurrently facts.vector_graph_${id}`)
    await db.query(
      `create index concurrently vector_graph_${id} on facts.vector
       using hnsw ((${halves('embedding', { dimensions })}) halfvec_cosine_ops) where space = ${id}`,
    )
  }
}

/** Before 0.8 pgvector stops at the filter, and finds next to nothing. */
async function walksOnBehindFilters(db: Database): Promise<boolean> {
  const { rows } = await db.query<{ version: string }>(`select extversion as version from pg_extension where extname = 'vector'`)
  const [major = 0, minor = 0] = (rows[0]?.version ?? '').split('.').map(Number)
  return major > 0 || minor >= 8
}

/** An index is of one length, which no parameter can be: a whole number that this code has made. */
function halves(vector: string, { dimensions }: Pick<Space, 'dimensions'>): string {
  return `${vector}::halfvec(${dimensions})`
}
