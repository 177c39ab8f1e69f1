/** The order of the first results by a model for reranking. Optional: without an answer in time the order stays. */
import type { Clock, Logger, Models } from 'kikimimi'
import { withDeadline } from '../deadline.ts'

/** Deadline of the model in a search. */
const DEADLINE_MS = 2_000

const KEPT = 'no order by the model for reranking: the order of the search stays'

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
    try {
      const scores = await withDeadline(clock, DEADLINE_MS, ended => models.rerank(query, texts, ended), signal)
      if (!scores) log.warn(`${KEPT}: the model took too long`)
      return scores
    } catch (error) {
      signal?.throwIfAborted()
      log.warn(KEPT, {
        error: error instanceof Error ? error.name : typeof error,
      })
      return undefined
    }
  }
}
