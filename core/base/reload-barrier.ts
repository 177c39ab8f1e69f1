import type { Clock } from './clock.ts'
import { KikimimiError } from './errors.ts'

/** Barrier for reloads: work enters with `pass()`; `hold()` blocks new work and waits for running work. */
export interface ReloadBarrier {
  /**
   * Runs the work when no hold blocks its kind. The signal aborts when a hold has waited longer than its `graceMs`.
   * @param controller has that signal. Default: a new one
   */
  pass<T>(kind: string, run: (signal: AbortSignal) => Promise<T>, controller?: AbortController): Promise<T>
  /**
   * Blocks new work of these kinds and waits for running work. After `graceMs` it aborts the signals of running work. After
   * `graceMs` more, or at once when `signal` aborts, it stops waiting. Returns the function that releases the hold.
   */
  hold(concerns: (kind: string) => boolean, graceMs: number, signal?: AbortSignal): Promise<() => void>
}

interface Passing {
  readonly kind: string
  readonly controller: AbortController
  /** Holds that wait for it. */
  ended: PromiseWithResolvers<void> | undefined
}

interface Hold {
  concerns(kind: string): boolean
  readonly over: Promise<void>
}

export function createReloadBarrier(clock: Clock): ReloadBarrier {
  const passing = new Set<Passing>()
  const holds = new Set<Hold>()
  const holding = (kind: string) => (holds.size === 0 ? undefined : [...holds].find(hold => hold.concerns(kind)))

  return {
    async pass(kind, run, controller = new AbortController()) {
      // Without a wait when nothing blocks: work that arrives together begins in the same order.
      for (let hold = holding(kind); hold; hold = holding(kind)) await hold.over
      const one: Passing = { kind, controller, ended: undefined }
      passing.add(one)
      try {
        return await run(controller.signal)
      } finally {
        passing.delete(one)
        one.ended?.resolve()
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
      const ended = waited.map(one => {
        one.ended ??= Promise.withResolvers<void>()
        return one.ended.promise
      })
      await Promise.race([late, Promise.all(ended)])
      clock.clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
      return () => {
        holds.delete(hold)
        release()
      }
    },
  }
}
