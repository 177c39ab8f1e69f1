/** Where vectors live. The default home is pgvector, in the bot's own database; a plugin can lend another. */
import { KikimimiError, service } from 'kikimimi'

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
  /** Keeps them, in the place of what was there for the same item and space. Throws ARGUMENT_INVALID for a vector of another length. */
  upsert(space: Space, rows: readonly VectorRow[]): Promise<void>
  /** Takes the items out of every space. */
  remove(items: readonly number[]): Promise<void>
  /**
   * The nearest within the scopes, nearest first; nothing at all while the home is out of reach, for then keywords have to
   * do. Throws ARGUMENT_INVALID for a vector of another length.
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

/** Throws ARGUMENT_INVALID unless the vector belongs to the space. */
export function checkVector({ name, dimensions }: Space, vector: Float32Array): void {
  if (vector.length === dimensions && vector.every(Number.isFinite)) return
  throw new KikimimiError(
    'ARGUMENT_INVALID',
    `[facts] ${name} makes vectors of ${dimensions} finite numbers, and this one has ${vector.length}. Is it from another model?`,
  )
}
