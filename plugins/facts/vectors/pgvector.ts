/** The default vector index: pgvector in the database of the bot. */
import type { Database } from 'kikimimi'
import { checkVector, type Near, spaceKey, type VectorIndex } from '../api/vectors.ts'
import { searchGraph } from './graph.ts'

/**
 * Vectors compared in full per result, and the minimum. Measured with vectors of 256 numbers in groups of twenty: of the
 * nearest ten among 10,000, two per result find all; of the nearest hundred, two find 50 %, eight 76 %, 16 88 %, 32 97 %.
 * Each costs 4 to 5 µs on a server, and more on PGlite.
 */
const COMPARED = { pglite: 2, postgres: 16 } as const
const LEAST = 200

/** Vectors per statement. */
const TOGETHER = 100

/**
 * Usually there is no index of pgvector, which takes minutes to build on PGlite and finds too little behind a filter.
 * Within
 * the scopes, the signs of all vectors are compared, and the nearest of those in full. Measured with 20,000 vectors of 256
 * numbers on PGlite: the signs take 7 to 10 ms, all vectors in full 26. See also graph.ts.
 */
export function pgvectorIndex(db: Database): VectorIndex {
  return {
    home: async space => spaceKey(space),

    async upsert(space, rows) {
      for (const { vector } of rows) checkVector(space, vector)
      if (rows.length === 0) return
      const key = spaceKey(space)
      await db.transaction(async () => {
        await db.query('insert into facts.space (key) values ($1) on conflict do nothing', [key])
        for (let at = 0; at < rows.length; at += TOGETHER) {
          const some = rows.slice(at, at + TOGETHER)
          await db.query(upsertOf(some.length), [key, ...some.flatMap(({ item, scope, vector }) => [item, scope, vector])])
        }
      })
    },

    async remove(items) {
      if (items.length === 0) return
      await db.query('with gone as (delete from facts.sign where item = any($1)) delete from facts.vector where item = any($1)', [
        items,
      ])
    },

    async search(space, vector, { scopes, limit }) {
      checkVector(space, vector)
      if (scopes.length === 0) return []
      const walked = await searchGraph(db, space, vector, { scopes, limit })
      if (walked) return walked
      // Materialized, so that no query plan can compare vectors outside the scopes. `offset 0`: each vector is read by its key. Otherwise
      // Postgres may join all vectors of a space with all that are near, because it expects few rows.
      const { rows } = await db.query<Near>(
        `with near as materialized (
           select item, space from facts.sign where space = (select id from facts.space where key = $1) and scope = any($2)
           order by bits <~> binary_quantize($3::vector) limit $4
         )
         select item, 1 - (v.embedding <=> $3::vector) as similarity from near cross join lateral (
           select embedding from facts.vector where item = near.item and space = near.space offset 0
         ) v
         order by v.embedding <=> $3::vector, item limit $5`,
        [
          spaceKey(space),
          scopes,
          vector,
          Math.max(LEAST, COMPARED[db.kind === 'postgres' ? 'postgres' : 'pglite'] * limit),
          limit,
        ],
      )
      return rows.filter(({ similarity }) => Number.isFinite(similarity))
    },

    async keepOnly(space) {
      await db.query('delete from facts.space where key <> $1', [spaceKey(space)])
    },
  }
}

/** One parameter per vector. In binary form it is ten times faster than a list as text. */
function upsertOf(count: number): string {
  const rows = Array.from({ length: count }, (_, at) => `($${3 * at + 2}::bigint, $${3 * at + 3}::int, $${3 * at + 4}::vector)`)
  return `
    with home as (select id from facts.space where key = $1), given (item, scope, embedding) as (values ${rows.join(', ')}), sign as (
      insert into facts.sign (item, space, scope, bits)
      select item, id, scope, binary_quantize(embedding)::varbit from given, home
      on conflict (item, space) do update set scope = excluded.scope, bits = excluded.bits
    )
    insert into facts.vector (item, space, scope, embedding) select item, id, scope, embedding from given, home
    on conflict (item, space) do update set scope = excluded.scope, embedding = excluded.embedding`
}
