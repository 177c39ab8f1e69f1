/** The order of the first results by a model for reranking. Optional: without an answer in time the order stays. */
import { type Clock, type Logger, type Models, sleep } from 'kikimimi'

/** Deadline of the model in a search. */
const PATIENCE_MS = 2_000

/** One score for each text; undefined without a model, or if it fails or is late. */
export type Reranker = (query: string, texts: readonly string[], signal?: AbortSignal) => Promise<readonly number[] | undefined>

export interface RerankerDeps {
  readonly models: Models
  readonly clock: Clock
  readonly log: Logger
}

export function createReranker({ models, clock, log }: RerankerDeps): Reranker {
  return async (query, texts, signal) => {
    if (!models.reranks || texts.length < 2) return undefined
    const late = new AbortController()
    const ended = signal ? AbortSignal.any([signal, late.signal]) : late.signal
    const patience = sleep(clock, PATIENCE_MS, late.signal).then(
      () => Promise.reject(new DOMException('The model took too long.', 'TimeoutError')),
      () => undefined,
    )
    try {
      return await Promise.race([models.rerank(query, texts, ended), patience])
    } catch (error) {
      signal?.throwIfAborted()
      log.warn('no order by the model for reranking: the order of the search stays', {
        error: error instanceof Error ? error.name : typeof error,
      })
      return undefined
    } finally {
      late.abort()
    }
  }
}
