/** Deletes data after its retention, once a day, and captured prompts once an hour. */
import type { Settings } from '../../api/config.ts'
import { definePlugin, type Plugin } from '../../api/index.ts'
import type { Store } from '../../storage/store/store.ts'

export interface RetentionOptions {
  readonly store: Pick<Store, 'sweep' | 'sweepPrompts'>
  /** How long messages, traces and prompts are kept, in milliseconds. */
  kept(): Settings['retention']
  /** The accounts of costs. They know how long they are kept. */
  costs(): readonly { sweep(): Promise<void> }[]
}

export function retentionFeature({ store, kept, costs }: RetentionOptions): Plugin {
  return definePlugin({
    name: 'kikimimi-retention',
    setup({ every, clock }) {
      every('sweep', '1d', async () => {
        const { messages, traces } = kept()
        await store.sweep(new Date(clock.now() - messages), new Date(clock.now() - traces))
        for (const cost of costs()) await cost.sweep()
      })
      every('prompts', '1h', () => store.sweepPrompts(new Date(clock.now() - kept().prompts)))
    },
  })()
}
