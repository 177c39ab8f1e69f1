/** A vector index in Chroma: a collection for each space, with the ids of items as ids and their scope as metadata. */
import { randomUUID } from 'node:crypto'
import { checkVector, type Near, spaceKey, type VectorIndex } from '@kikimimi/facts'
import { type ChromaClient, ChromaNotFoundError, type Collection } from 'chromadb'
import type { Database } from 'kikimimi'
import { type Calls, ChromaFailure } from './calls.ts'

export interface ChromaIndexDeps {
  readonly db: Database
  readonly calls: Calls
  /** Prefix of the collection names. */
  readonly prefix: string
}

/** All sections of an answer have ten seconds together, and a model may have used three of them. */
const SEARCH_MS = 2_000
const WRITE_MS = 20_000

/** Items per call. Chroma accepts some thousands; the exact limit takes a request of its own. */
const TOGETHER = 1_000

/**
 * Number of neighbours that a search of Chroma examines. Measured with 20,000 vectors of 256 numbers and the nearest 100 of
 * a
 * tenth of them: Chroma's default of 100 finds 94 %.
 */
const EF_SEARCH = 200

/**
 * A filtered search of Chroma misses items of a small scope if the nearest vectors lie outside of it. So if a search
 * returns
 * fewer items than requested, the index compares all items of the scope itself, up to this number.
 */
const WHOLE = 500

export interface ChromaIndex extends VectorIndex {
  /** Throws {@link ChromaFailure} if the server cannot be used. */
  greet(): Promise<void>
}

export function chromaIndex({ db, calls, prefix }: ChromaIndexDeps): ChromaIndex {
  /** Names of known collections, by space. */
  const known = new Map<string, string>()

  async function nameOf(key: string): Promise<string> {
    const { rows } = await db.query<{ name: string }>(
      `with made as (insert into chroma.collection (space, name) values ($1, $2) on conflict do nothing returning name)
       select name from made union all select name from chroma.collection where space = $1`,
      [key, `${prefix}-${randomUUID()}`],
    )
    const [row] = rows
    // Another process created it at the same time.
    return row ? row.name : nameOf(key)
  }

  async function open(key: string, deadlineMs: number): Promise<string> {
    const name = await nameOf(key)
    const { id } = await calls.run(
      client =>
        client.getOrCreateCollection({
          name,
          embeddingFunction: null,
          configuration: { hnsw: { space: 'cosine', ef_search: EF_SEARCH } },
          metadata: { space: key },
        }),
      deadlineMs,
    )
    known.set(key, id)
    return id
  }

  /** @throws ChromaNotFoundError if the collection was deleted; the next call creates it again */
  async function inCollection<T>(key: string, deadlineMs: number, run: (collection: Collection) => Promise<T>): Promise<T> {
    const id = known.get(key) ?? (await open(key, deadlineMs))
    try {
      return await calls.run(client => run(client.collection(id)), deadlineMs)
    } catch (error) {
      if (error instanceof ChromaNotFoundError) known.delete(key)
      throw error
    }
  }

  const collections = async () =>
    (await db.query<{ space: string; name: string }>('select space, name from chroma.collection')).rows

  return {
    greet: () => calls.run(greet, SEARCH_MS),

    /** Contains the id of the collection: a collection that was lost and created again has another id. */
    home: async space => `${spaceKey(space)} in ${await open(spaceKey(space), WRITE_MS)}`,

    async upsert(space, rows) {
      for (const { vector } of rows) checkVector(space, vector)
      for (let at = 0; at < rows.length; at += TOGETHER) {
        const some = rows.slice(at, at + TOGETHER)
        await inCollection(spaceKey(space), WRITE_MS, collection =>
          collection.upsert({
            ids: some.map(({ item }) => String(item)),
            embeddings: some.map(({ vector }) => [...vector]),
            metadatas: some.map(({ scope }) => ({ scope })),
          }),
        )
      }
    },

    async remove(items) {
      for (const { space } of items.length === 0 ? [] : await collections()) {
        for (let at = 0; at < items.length; at += TOGETHER) {
          const ids = items.slice(at, at + TOGETHER).map(String)
          await inCollection(space, WRITE_MS, collection => collection.delete({ ids })).catch(unlessGone)
        }
      }
    },

    async search(space, vector, { scopes, limit }) {
      checkVector(space, vector)
      if (scopes.length === 0) return []
      if (calls.resting) return undefined
      try {
        return await inCollection(spaceKey(space), SEARCH_MS, collection => nearest(collection, vector, { scopes, limit }))
      } catch (error) {
        // The log has the reason.
        if (error instanceof ChromaFailure || error instanceof ChromaNotFoundError) return undefined
        throw error
      }
    },

    async keepOnly(space) {
      for (const other of await collections()) {
        if (other.space === spaceKey(space)) continue
        await calls.run(client => client.deleteCollection({ name: other.name }), WRITE_MS).catch(unlessGone)
        known.delete(other.space)
        await db.query('delete from chroma.collection where space = $1', [other.space])
      }
    },
  }
}

/** Checks the token and the database. The heartbeat needs neither. */
async function greet(client: ChromaClient): Promise<void> {
  const count: unknown = await client.countCollections().catch(unlessGone)
  if (typeof count !== 'number') throw new TypeError('no API v2')
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ChromaNotFoundError)) throw error
}

async function nearest(
  collection: Collection,
  vector: Float32Array,
  { scopes, limit }: { readonly scopes: readonly number[]; readonly limit: number },
): Promise<Near[]> {
  const where = { scope: { $in: [...scopes] } }
  const found = await collection.query({ queryEmbeddings: [[...vector]], nResults: limit, where, include: ['distances'] })
  const near = new Map(found.ids[0]?.map((id, at) => [id, 1 - (found.distances[0]?.[at] ?? 1)]))
  if (near.size < limit) {
    const few = await collection.get({ where, limit: WHOLE, include: ['embeddings'] })
    for (const [at, id] of few.ids.entries()) near.set(id, cosine(vector, few.embeddings[at] ?? []))
  }
  return [...near]
    .map(([id, similarity]) => ({ item: Number(id), similarity }))
    .sort((one, other) => other.similarity - one.similarity || one.item - other.item)
    .slice(0, limit)
}

function cosine(one: Float32Array, other: readonly number[]): number {
  const dot = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
  return dot / (Math.hypot(...one) * Math.hypot(...other) || 1)
}
