/** Where vectors live. The default home is pgvector, in the bot's own database; a plugin can lend another. */
import { type Database, service } from 'kikimimi'

/** Vectors that can be compared: of one model and one length. */
export interface Space {
  /** The model's. */
  readonly name: string
  readonly dimensions: number
}

export interface VectorRow {
  /** The id of a fact or an indexed message. */
  readonly item: number
  /** Where it may be read. */
  readonly scope: number
  readonly vector: Float32Array
}

export interface Near {
  readonly item: number
  /** Cosine, −1…1. */
  readonly similarity: number
}

/** A home of vectors. What it cannot do it rejects, and is asked again later. Its contract suite is in `@kikimimi/facts/testing`. */
export interface VectorIndex {
  /**
   * Where the vectors of a space are, in words that items are marked with: other words when those there were lost, or are
   * to be kept somewhere else, and all are made anew.
   */
  home(space: Space): Promise<string>
  /** Keeps them, in the place of what was there for the same item and space. Throws RangeError for a vector of another length. */
  upsert(space: Space, rows: readonly VectorRow[]): Promise<void>
  /** Takes the items out of every space. */
  remove(items: readonly number[]): Promise<void>
  /**
   * The nearest within the scopes, nearest first; nothing at all while the home is out of reach, for then keywords have to
   * do. Throws RangeError for a vector of another length.
   */
  search(
    space: Space,
    vector: Float32Array,
    within: { readonly scopes: readonly number[]; readonly limit: number },
  ): Promise<readonly Near[] | undefined>
  /** Empties every other space: their model is not used any more. */
  keepOnly(space: Space): Promise<void>
}

/** Lent by a plugin that keeps vectors elsewhere. */
export const Vectors = service<VectorIndex>('vectors', '@kikimimi/chroma')

export function spaceKey({ name, dimensions }: Space): string {
  return `${name}/${dimensions}`
}

/** Throws RangeError unless the vector belongs to the space. */
export function checkVector({ name, dimensions }: Space, vector: Float32Array): void {
  if (vector.length === dimensions && vector.every(Number.isFinite)) return
  throw new RangeError(
    `[facts] ${name} makes vectors of ${dimensions} finite numbers, and this one has ${vector.length}. Is it from another model?`,
  )
}

/** How many are compared in full at least, and for each that is wanted. A scope with fewer is searched exactly. */
const EXACT = 200
const OVERSAMPLE = 2

/**
 * pgvector without an index of its own kind, which would take minutes to build on PGlite and find too little behind a
 * filter: within the scopes the signs of all vectors are compared, and the nearest of those in full. Measured with 20,000
 * vectors of 256 numbers on PGlite: the signs take 7 to 10 ms, all vectors in full 26.
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
        // One by one goes a vector in its binary form, which is ten times faster than a list of them as text.
        for (const { item, scope, vector } of rows) await db.query(UPSERT, [item, key, scope, vector])
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
      // Materialized, so that no choice of a plan can compare vectors outside the scopes.
      const { rows } = await db.query<Near>(
        `with near as materialized (
           select item, space from facts.sign where space = (select id from facts.space where key = $1) and scope = any($2)
           order by bits <~> binary_quantize($3::vector) limit $4
         )
         select item, 1 - (v.embedding <=> $3::vector) as similarity from near join facts.vector v using (item, space)
         order by v.embedding <=> $3::vector, item limit $5`,
        [spaceKey(space), scopes, vector, Math.max(EXACT, OVERSAMPLE * limit), limit],
      )
      return rows.filter(({ similarity }) => Number.isFinite(similarity))
    },

    async keepOnly(space) {
      await db.query('delete from facts.space where key <> $1', [spaceKey(space)])
    },
  }
}

const UPSERT = `
  with home as (select id from facts.space where key = $2), sign as (
    insert into facts.sign (item, space, scope, bits) select $1, id, $3, binary_quantize($4::vector)::varbit from home
    on conflict (item, space) do update set scope = excluded.scope, bits = excluded.bits
  )
  insert into facts.vector (item, space, embedding) select $1, id, $4::vector from home
  on conflict (item, space) do update set embedding = excluded.embedding`
