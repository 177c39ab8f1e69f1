/** Deletes, once a day, what is older than it is to be kept. */

import type { Settings } from '../../api/config.ts'
import type { Clock } from '../../base/clock.ts'
import type { Budget } from '../../models/budget.ts'
import type { Jobs } from '../../storage/jobs/jobs.ts'
import type { Store } from '../../storage/store/store.ts'

const DAY = 24 * 60 * 60_000

export interface RetentionOptions {
  readonly jobs: Jobs
  readonly store: Store
  readonly clock: Clock
  kept(): Settings['retention']
  budget(): Pick<Budget, 'sweep'> | undefined
}

export function sweepDaily({ jobs, store, clock, kept, budget }: RetentionOptions): void {
  jobs.every('kikimimi.retention', DAY, {
    lane: 'work',
    retries: 2,
    run: async () => {
      const { messages, traces } = kept()
      await store.sweep(new Date(clock.now() - messages), new Date(clock.now() - traces))
      await budget()?.sweep()
    },
  })
}
