/** A database that is away for a while is waited for: not every platform tells a message again that was not taken. */
import { type Clock, sleep } from '../clock.ts'
import { isAway } from '../database/away.ts'
import { reason } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store.ts'

/** Milliseconds. A platform keeps the messages of a channel in their order meanwhile, and in its memory. */
const PATIENCE = 5 * 60_000
const PAUSE = 1_000

export interface PatientOptions {
  readonly clock: Clock
  readonly log: Logger
  /** Aborted when the bot stops and will wait no longer. */
  readonly stopping: AbortSignal
}

/** The same store, which takes its time over what comes from a platform. */
export function patient(store: Store, { clock, log, stopping }: PatientOptions): Store {
  let waiting = 0

  async function patiently<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run()
    } catch (error) {
      if (!isAway(error)) throw error
      if (waiting === 0) log.warn(`what is heard waits for the database: ${reason(error)}`)
      waiting++
      return await again(run).finally(() => waiting--)
    }
  }

  async function again<T>(run: () => Promise<T>): Promise<T> {
    for (const until = clock.now() + PATIENCE; ; ) {
      await sleep(clock, PAUSE, stopping)
      try {
        return await run()
      } catch (error) {
        if (!isAway(error) || clock.now() >= until) throw error
      }
    }
  }

  return {
    ...store,
    record: (...args) => patiently(() => store.record(...args)),
    isOwn: (...args) => patiently(() => store.isOwn(...args)),
  }
}
