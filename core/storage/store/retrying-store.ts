import type { RetryWhileUnavailable } from '../database/retry-while-unavailable.ts'
import type { Store } from './store.ts'

/** The same store, which takes its time over what comes from a platform. */
export function retryingStore(store: Store, retryWhileUnavailable: RetryWhileUnavailable): Store {
  return {
    ...store,
    record: async (...args) => retryWhileUnavailable(() => store.record(...args)),
    isOwn: async (...args) => retryWhileUnavailable(() => store.isOwn(...args)),
  }
}
