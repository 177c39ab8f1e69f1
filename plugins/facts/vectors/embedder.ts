/** Makes vectors for texts: with the bot's embedding model, or with the built-in one. */
import { type Clock, type Logger, type Models, sleep } from 'kikimimi'
import { checkVector, type Space } from '../api/vectors.ts'
import { LANGUAGES } from '../language.ts'
import { HASHED, hashedVector } from './hashed.ts'

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
  /** Whether vectors are made at once, without a model. */
  readonly builtIn: boolean
  /** Absent before the first response of a model. */
  readonly space?: Space | undefined
  /** Weight of the vector leg in the ranking. */
  readonly weight: number
  /** Rejects if the model does, or if the length of its vectors changes. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Embedded>
  /** For a search: undefined if the model is down or slow. The search then uses keywords. */
  embedQuery(text: string, signal?: AbortSignal): Promise<EmbeddedQuery | undefined>
}

/** Texts that are unrelated to questions. */
const NEUTRAL = [...LANGUAGES.flatMap(({ neutral }) => neutral), '……']

/** Deadline of the model in a search. All sections of an answer have ten seconds together. */
const PATIENCE_MS = 3_000

export interface EmbedderDeps {
  readonly models: Models
  readonly clock: Clock
  readonly log: Logger
}

export function createEmbedder({ models, clock, log }: EmbedderDeps): Embedder {
  return models.embeds ? modelEmbedder({ models, clock, log }) : builtInEmbedder()
}

function builtInEmbedder(): Embedder {
  const embed = async (texts: readonly string[]) => ({ space: HASHED, vectors: texts.map(hashedVector) })
  const embedQuery = async () => undefined
  return { builtIn: true, space: HASHED, weight: 0.3, embed, embedQuery }
}

function modelEmbedder({ models, clock, log }: EmbedderDeps): Embedder {
  /** The first response gives the length of the vectors. It is constant, because a process has one configuration. */
  let space: Space | undefined
  let neutral: readonly Float32Array[] = []

  async function embed(texts: readonly string[], signal?: AbortSignal): Promise<Embedded> {
    if (space) return { space, vectors: await checked(space, texts, signal) }
    const vectors = await models.embed([...NEUTRAL, ...texts], signal)
    const made = { name: models.embeddingModel ?? 'unknown', dimensions: vectors[0]?.length ?? 0 }
    for (const vector of vectors) checkVector(made, vector)
    space = made
    neutral = vectors.slice(0, NEUTRAL.length)
    return { space, vectors: vectors.slice(NEUTRAL.length) }
  }

  async function checked(of: Space, texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    const vectors = await models.embed(texts, signal)
    for (const vector of vectors) checkVector(of, vector)
    return vectors
  }

  async function embedQuery(text: string, signal?: AbortSignal): Promise<EmbeddedQuery | undefined> {
    const late = new AbortController()
    const ended = signal ? AbortSignal.any([signal, late.signal]) : late.signal
    const patience = sleep(clock, PATIENCE_MS, late.signal).then(
      () => undefined,
      () => undefined,
    )
    try {
      const embedded = await Promise.race([embed([text], ended), patience])
      const [vector] = embedded?.vectors ?? []
      if (!embedded || !vector) return undefined
      const unrelated = neutral.reduce((sum, other) => sum + cosine(vector, other), 0) / neutral.length
      return { space: embedded.space, vector, unrelated }
    } catch (error) {
      signal?.throwIfAborted()
      log.warn('no vector for a search: it uses keywords only', { error: error instanceof Error ? error.name : typeof error })
      return undefined
    } finally {
      late.abort()
    }
  }

  return {
    builtIn: false,
    get space() {
      return space
    },
    weight: 1,
    embed,
    embedQuery,
  }
}

function cosine(one: Float32Array, other: Float32Array): number {
  const dot = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
  return dot / (Math.hypot(...one) * Math.hypot(...other) || 1)
}
