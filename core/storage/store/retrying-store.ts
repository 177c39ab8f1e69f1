import type { RetryWhileUnavailable } from '../database/retry-while-unavailable.ts'
import type { Store } from './store.ts'

/** The same store. Calls for messages of a platform wait while the database is unavailable. */
export function retryingStore(store: Store, retryWhileUnavailable: RetryWhileUnavailable): Store {
  return {
    ...store,
    record: async (...args) => retryWhileUnavailable(() => store.record(...args)),
    receive: async (...args) => retryWhileUnavailable(() => store.receive(...args)),
    isOwn: async (...args) => retryWhileUnavailable(() => store.isOwn(...args)),
  }
}
