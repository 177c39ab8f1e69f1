import type { Clock } from './clock.ts'
import { KikimimiError } from './errors.ts'

/** Barrier for reloads: work enters with `pass()`; `hold()` blocks new work and waits for running work. */
export interface ReloadBarrier {
  /** Runs the work when no hold blocks its kind. The signal aborts when a hold has waited longer than its `graceMs`. */
  pass<T>(kind: string, run: (signal: AbortSignal) => Promise<T>): Promise<T>
  /**
   * Blocks new work of these kinds and waits for running work. After `graceMs` it aborts the signals of running work. After
   * `graceMs` more, or at once when `signal` aborts, it stops waiting. Returns the function that releases the hold.
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
      // Without a wait when nothing blocks: work that arrives together begins in the same order.
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
