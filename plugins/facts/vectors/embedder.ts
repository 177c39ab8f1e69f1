/** Makes vectors for texts with the bot's embedding model. */
import { type Clock, KikimimiError, type Logger, type Models } from 'kikimimi'
import { checkVector, type Space } from '../api/vectors.ts'
import { withDeadline } from '../deadline.ts'
import { LANGUAGES } from '../language.ts'

export interface Embedded {
  readonly space: Space
  /** One vector per text, in order. */
  readonly vectors: readonly Float32Array[]
}

/** The vector of a question. */
export interface EmbeddedQuery {
  readonly space: Space
  readonly vector: Float32Array
  /** The cosine of unrelated texts, which is far above 0 with most models. */
  readonly unrelated: number
}

export interface Embedder {
  /** Absent before the first response of a model. */
  readonly space?: Space | undefined
  /** Rejects if the model does, or if the length of its vectors changes. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Embedded>
  /** For a search: undefined if the model is down or slow. The search then goes by words. */
  embedQuery(text: string, signal?: AbortSignal): Promise<EmbeddedQuery | undefined>
}

/** Texts that are unrelated to questions. */
const NEUTRAL = [...LANGUAGES.flatMap(({ neutral }) => neutral), '……']

/** Deadline of the model in a search. All sections of an answer have ten seconds together. */
const DEADLINE_MS = 3_000

export interface EmbedderDeps {
  readonly models: Models
  readonly clock: Clock
  readonly log: Logger
}

/** Undefined without a model for vectors: memory then finds words only. */
export function createEmbedder({ models, clock, log }: EmbedderDeps): Embedder | undefined {
  if (!models.embeds) return undefined
  /** The first response gives the length of the vectors. It is constant, because a process has one configuration. */
  let known: { readonly space: Space; readonly neutral: readonly Float32Array[] } | undefined
  /** The last failure in the log. A model that is missing fails in each search. */
  let told: string | undefined

  async function embed(texts: readonly string[], signal?: AbortSignal): Promise<Embedded> {
    const { space, vectors } = await withNeutral(texts, signal)
    return { space, vectors }
  }

  async function withNeutral(texts: readonly string[], signal?: AbortSignal) {
    if (known) return { ...known, vectors: checked(known.space, await models.embed(texts, signal)) }
    const vectors = await models.embed([...NEUTRAL, ...texts], signal)
    const space = { name: models.embeddingModel ?? 'unknown', dimensions: vectors[0]?.length ?? 0 }
    checked(space, vectors)
    known = { space, neutral: vectors.slice(0, NEUTRAL.length) }
    return { ...known, vectors: vectors.slice(NEUTRAL.length) }
  }

  async function question(text: string, signal: AbortSignal): Promise<EmbeddedQuery> {
    const [{ space, neutral }, vector] = await Promise.all([known ?? withNeutral([], signal), models.embedQuery(text, signal)])
    checkVector(space, vector)
    return { space, vector, unrelated: neutral.reduce((sum, other) => sum + cosine(vector, other), 0) / neutral.length }
  }

  async function embedQuery(text: string, signal?: AbortSignal): Promise<EmbeddedQuery | undefined> {
    try {
      const embedded = await withDeadline(clock, DEADLINE_MS, ended => question(text, ended), signal)
      if (embedded) told = undefined
      return embedded
    } catch (error) {
      signal?.throwIfAborted()
      const why = error instanceof KikimimiError ? error.message : error instanceof Error ? error.name : typeof error
      if (why !== told) log.warn(`no vector for a search, so it goes by words alone: ${why}`)
      told = why
      return undefined
    }
  }

  return {
    get space() {
      return known?.space
    },
    embed,
    embedQuery,
  }
}

function checked(space: Space, vectors: readonly Float32Array[]): readonly Float32Array[] {
  for (const vector of vectors) checkVector(space, vector)
  return vectors
}

function cosine(one: Float32Array, other: Float32Array): number {
  const dot = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
  return dot / (Math.hypot(...one) * Math.hypot(...other) || 1)
}
