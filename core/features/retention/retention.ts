/** Deletes data after its retention, once a day. */
import type { Settings } from '../../api/config.ts'
import { definePlugin, type Plugin } from '../../api/index.ts'
import type { Budget } from '../../models/budget.ts'
import type { Store } from '../../storage/store/store.ts'

export interface RetentionOptions {
  readonly store: Pick<Store, 'sweep'>
  /** How long messages and traces are kept, in milliseconds. */
  kept(): Settings['retention']
  budget(): Pick<Budget, 'sweep'> | undefined
}

export function retentionFeature({ store, kept, budget }: RetentionOptions): Plugin {
  return definePlugin({
    name: 'kikimimi-retention',
    setup({ every, clock }) {
      every('sweep', '1d', async () => {
        const { messages, traces } = kept()
        await store.sweep(new Date(clock.now() - messages), new Date(clock.now() - traces))
        await budget()?.sweep()
      })
    },
  })()
}
