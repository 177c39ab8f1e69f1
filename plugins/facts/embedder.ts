/** Vectors for texts: of the bot's model, or of the built-in one where it has none. */
import { type Clock, type Logger, type Models, sleep } from 'kikimimi'
import { HASHED, hashedVector } from './hashed.ts'
import { checkVector, type Space } from './vectors.ts'

export interface Embedded {
  readonly space: Space
  /** One for each text, in order. */
  readonly vectors: readonly Float32Array[]
}

export interface Embedder {
  /** Made at once, without asking anybody. */
  readonly builtIn: boolean
  /** Absent until a model has answered for the first time. */
  readonly space?: Space | undefined
  /** What the vector leg of the ranking weighs. */
  readonly weight: number
  /** Rejects when the model does, or gives vectors of another length than before. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Embedded>
  /** For a search: nothing when the model is down or slow, for then keywords have to do. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Embedded | undefined>
}

/** How long a search waits for the model. The context of an answer has ten seconds in all. */
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
  return { builtIn: true, space: HASHED, weight: 0.3, embed, embedQuery: text => embed([text]) }
}

function modelEmbedder({ models, clock, log }: EmbedderDeps): Embedder {
  /** The first answer says how long its vectors are. A process has one configuration, so from then on that holds. */
  let space: Space | undefined

  async function embed(texts: readonly string[], signal?: AbortSignal): Promise<Embedded> {
    const vectors = await models.embed(texts, signal)
    const made = space ?? { name: models.embeddingModel ?? 'unknown', dimensions: vectors[0]?.length ?? 0 }
    for (const vector of vectors) checkVector(made, vector)
    space = made
    return { space: made, vectors }
  }

  async function embedQuery(text: string, signal?: AbortSignal): Promise<Embedded | undefined> {
    const late = new AbortController()
    const ended = signal ? AbortSignal.any([signal, late.signal]) : late.signal
    const patience = sleep(clock, PATIENCE_MS, late.signal).then(
      () => undefined,
      () => undefined,
    )
    try {
      return await Promise.race([embed([text], ended), patience])
    } catch (error) {
      signal?.throwIfAborted()
      log.warn('no vector for a search, keywords have to do', { error: error instanceof Error ? error.name : typeof error })
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
