/**
 * Searches many vectors on a server with the HNSW graph of pgvector. The graph is built in the background. Where it does
 * not
 * pay off, all vectors are compared.
 */
import type { Database } from 'kikimimi'
import { type Near, type Space, spaceKey } from '../api/vectors.ts'

/** Minimum number of vectors in a space for a graph. Below it, a comparison of all signs takes some 20 ms on a server. */
const WORTH_A_GRAPH = 50_000

/**
 * A search along the graph takes longer if fewer of its vectors may be read. A comparison of all takes longer if there are
 * more. So the graph pays off from the share whose square is this number of rows divided by all: 5 % of a million, 16 % of
 * 100,000; measured with 100 results.
 */
const WORTH_A_WALK = 2_500

/** Rows in the sample that estimates the share. Counting took longer than the search. */
const SAMPLE = 500

/** The maximum for half-precision numbers in pgvector. Their precision loses no answer and halves the size. */
const MOST_DIMENSIONS = 4_000

/**
 * Neighbours that a search keeps in view. With the default 40, or without iterative scans behind a filter, most are lost.
 */
const EF_SEARCH = 300

interface Ground {
  readonly id: number | null
  readonly graph: boolean
  /** Estimates: the share of all vectors that may be read, and their number. */
  readonly share: number
  readonly all: number
}

/** The nearest vectors by the graph; undefined if there is no graph, or if comparing all is faster. */
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
 * Builds the graph of each space that is large enough. It takes minutes for a million vectors and blocks neither readers
 * nor writers. `maintenance_work_mem` of the server should hold it: 1 GB for a million vectors of 256 numbers.
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
    // The remains of an interrupted build.
    if (state === 'broken') await db.query(`drop index concurrently facts.vector_graph_${id}`)
    await db.query(
      `create index concurrently vector_graph_${id} on facts.vector
       using hnsw ((${halves('embedding', { dimensions })}) halfvec_cosine_ops) where space = ${id}`,
    )
  }
}

/** Before version 0.8, pgvector stops at the filter and finds very little. */
async function walksOnBehindFilters(db: Database): Promise<boolean> {
  const { rows } = await db.query<{ version: string }>(`select extversion as version from pg_extension where extname = 'vector'`)
  const [major = 0, minor = 0] = (rows[0]?.version ?? '').split('.').map(Number)
  return major > 0 || minor >= 8
}

/** An index has one length, which cannot be a parameter. The number is generated by this code. */
function halves(vector: string, { dimensions }: Pick<Space, 'dimensions'>): string {
  return `${vector}::halfvec(${dimensions})`
}
