/** Deletes data after its retention: once a day, and captured prompts when the oldest is due. */
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

/** The shortest time between two deletions of prompts. */
const HOUR = 60 * 60_000

export function retentionFeature({ store, kept, costs }: RetentionOptions): Plugin {
  return definePlugin({
    name: 'kikimimi-retention',
    setup({ every, job, clock }) {
      // Each captured prompt plans its deletion: without one there is no repeated work.
      const prompts = job<null>('prompts', sweepPrompts)
      const planPrompts = (at: number) => prompts.schedule(null, { at: new Date(at), key: 'oldest', unlessSooner: true })

      async function sweepPrompts(): Promise<void> {
        const oldest = await store.sweepPrompts(new Date(clock.now() - kept().prompts))
        if (oldest) await planPrompts(Math.max(oldest.getTime() + kept().prompts, clock.now() + HOUR))
      }

      every('sweep', '1d', async () => {
        const { messages, traces } = kept()
        await store.sweep(new Date(clock.now() - messages), new Date(clock.now() - traces))
        for (const cost of costs()) await cost.sweep()
        await sweepPrompts()
      })

      return {
        after: (_turn, { prompts: captured = [] }) =>
          captured.length > 0 ? planPrompts(clock.now() + kept().prompts) : undefined,
      }
    },
  })()
}
