/** Vector indexes. The default is pgvector in the database of the bot; a plugin can provide another one. */
import { KikimimiError, service } from 'kikimimi'

/** A set of comparable vectors: of one model and one length. */
export interface Space {
  /** Name of the model. */
  readonly name: string
  readonly dimensions: number
}

export interface VectorRow {
  /** Id of a fact or an indexed message. */
  readonly item: number
  /** Scope of the audience. */
  readonly scope: number
  readonly vector: Float32Array
}

export interface Near {
  readonly item: number
  /** Cosine, −1…1. */
  readonly similarity: number
}

/**
 * A vector index. A failed method rejects and is called again later. Its contract suite is in `@kikimimi/facts/testing`.
 */
export interface VectorIndex {
  /**
   * Location of the vectors of a space, stored with each item. A different location means that the vectors were lost or
   * belong
   * elsewhere: all vectors are made again.
   */
  home(space: Space): Promise<string>
  /**
   * Stores vectors, and replaces those of the same item and space. Throws ARGUMENT_INVALID for a vector of another length.
   */
  upsert(space: Space, rows: readonly VectorRow[]): Promise<void>
  /** Removes the items from every space. */
  remove(items: readonly number[]): Promise<void>
  /**
   * The nearest vectors within the scopes, nearest first; undefined while the index is unreachable: the search then uses
   * keywords. Throws ARGUMENT_INVALID for a vector of another length.
   */
  search(
    space: Space,
    vector: Float32Array,
    within: { readonly scopes: readonly number[]; readonly limit: number },
  ): Promise<readonly Near[] | undefined>
  /** Empties every other space, because its model is not used any more. */
  keepOnly(space: Space): Promise<void>
}

/** Provided by a plugin that keeps vectors elsewhere. */
export const Vectors = service<VectorIndex>('vectors', '@kikimimi/chroma')

export function spaceKey({ name, dimensions }: Space): string {
  return `${name}/${dimensions}`
}

/** Throws ARGUMENT_INVALID if the length of the vector differs from that of the space. */
export function checkVector({ name, dimensions }: Space, vector: Float32Array): void {
  if (vector.length === dimensions && vector.every(Number.isFinite)) return
  throw new KikimimiError(
    'ARGUMENT_INVALID',
    `[facts] ${name} makes vectors of ${dimensions} finite numbers, and this one has ${vector.length}. Is it from another model?`,
  )
}
