import type { Patience } from '../database/patience.ts'
import type { Store } from '../store.ts'

/** The same store, which takes its time over what comes from a platform. */
export function patient(store: Store, patiently: Patience): Store {
  return {
    ...store,
    record: async (...args) => patiently(() => store.record(...args)),
    isOwn: async (...args) => patiently(() => store.isOwn(...args)),
  }
}
