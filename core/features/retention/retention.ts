/** Deletes data after its retention: captured prompts when they are old, other data once a day. */
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

/** Milliseconds between two deletions of prompts. */
const STEP = 3_600_000

export function retentionFeature({ store, kept, costs }: RetentionOptions): Plugin {
  return definePlugin({
    name: 'kikimimi-retention',
    setup({ every, job, clock }) {
      const prompts = job<null>('prompts', sweepPrompts)

      async function sweepPrompts(): Promise<void> {
        const oldest = await store.sweepPrompts(new Date(clock.now() - kept().prompts))
        if (oldest) await sweepOnceOld(oldest)
      }

      /** Nothing is scheduled while no prompts are kept. */
      function sweepOnceOld(oldest: Date): Promise<void> {
        const at = new Date(oldest.getTime() + kept().prompts + STEP)
        return prompts.schedule(null, { key: 'oldest', at, unlessSooner: true })
      }

      every('sweep', '1d', async () => {
        const { messages, traces } = kept()
        await store.sweep(new Date(clock.now() - messages), new Date(clock.now() - traces))
        for (const cost of costs()) await cost.sweep()
        // `retention.prompts` may be shorter now.
        await sweepPrompts()
      })

      return {
        async after(_turn, trace) {
          if (trace.prompts) await sweepOnceOld(new Date(clock.now()))
        },
      }
    },
  })()
}
