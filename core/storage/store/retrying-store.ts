import type { Availability } from '../database/availability.ts'
import type { RetryWhileUnavailable } from '../database/retry-while-unavailable.ts'
import type { Store } from './store.ts'

/** The same store. Calls for messages of a platform wait while the database is unavailable. */
export function retryingStore(
  store: Store,
  retryWhileUnavailable: RetryWhileUnavailable,
  { counted }: Pick<Availability, 'counted'>,
): Store {
  return {
    ...store,
    record: (...args) => counted(retryWhileUnavailable(() => store.record(...args))),
    receive: (...args) => counted(retryWhileUnavailable(() => store.receive(...args))),
    isOwn: (...args) => retryWhileUnavailable(() => store.isOwn(...args)),
  }
}
