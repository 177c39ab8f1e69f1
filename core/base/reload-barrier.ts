import type { Clock } from './clock.ts'
import { KikimimiError } from './errors.ts'

/** What runs passes through here, so that it can be held up while something is changed under it. */
export interface ReloadBarrier {
  /** Runs it once nothing holds up its kind. The signal is aborted when a change has waited for long enough. */
  pass<T>(kind: string, run: (signal: AbortSignal) => Promise<T>): Promise<T>
  /**
   * Lets none of these kinds begin, and waits for those that run: after `graceMs` their signals are aborted, and after as
   * long again they are left behind, or at once when the signal aborts. Returns what lets all go on.
   */
  hold(concerns: (kind: string) => boolean, graceMs: number, signal?: AbortSignal): Promise<() => void>
}

interface Passing {
  readonly kind: string
  readonly controller: AbortController
  readonly ended: Promise<void>
}

interface Hold {
  concerns(kind: string): boolean
  readonly over: Promise<void>
}

export function createReloadBarrier(clock: Clock): ReloadBarrier {
  const passing = new Set<Passing>()
  const holds = new Set<Hold>()
  const holding = (kind: string) => [...holds].find(hold => hold.concerns(kind))

  return {
    async pass(kind, run) {
      // Without a wait where nothing is held up: what arrives together begins in the same order.
      for (let hold = holding(kind); hold; hold = holding(kind)) await hold.over
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      const one: Passing = { kind, controller: new AbortController(), ended }
      passing.add(one)
      try {
        return await run(one.controller.signal)
      } finally {
        passing.delete(one)
        end()
      }
    },

    async hold(concerns, graceMs, signal) {
      const { promise: over, resolve: release } = Promise.withResolvers<void>()
      const hold: Hold = { concerns, over }
      holds.add(hold)
      const { promise: late, resolve } = Promise.withResolvers<void>()
      const leave = () => resolve()
      const waited = [...passing].filter(({ kind }) => concerns(kind))
      const cancel = () => {
        for (const { controller } of waited) controller.abort(new KikimimiError('STOPPED', 'It takes too long for a reload.'))
        timer = clock.setTimeout(leave, graceMs)
      }
      signal?.addEventListener('abort', leave, { once: true })
      if (signal?.aborted) leave()
      let timer = waited.length > 0 ? clock.setTimeout(cancel, graceMs) : undefined
      await Promise.race([late, Promise.all(waited.map(({ ended }) => ended))])
      clock.clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
      return () => {
        holds.delete(hold)
        release()
      }
    },
  }
}
