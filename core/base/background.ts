/**
 * Work that people do not wait for: talk that is recorded and judged, and jobs. Where it shares something with other work, it waits
 * for that.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { systemClock } from './clock.ts'
import { afterRunning } from './timeout.ts'

const context = new AsyncLocalStorage<boolean>()

/** Runs background work, with all that it starts. */
export const inBackground = <T>(run: () => T): T => context.run(true, run)

/** Runs work that people wait for, whatever has started it. Work that says nothing is of this kind. */
export const inForeground = <T>(run: () => T): T => context.run(false, run)

export interface Places {
  /** The same function, whose calls run when a place is free. */
  limit<F extends (...given: never[]) => Promise<unknown>>(run: F): F
}

export interface PlacesOptions {
  readonly size: number
  /** How long a call waits for a place, and the error of one that has waited longer. Default: without limit */
  readonly limit?: { readonly ms: number; late(): Error }
}

/** The part of the places that background work may take, so that other work finds a free one. */
const SHARE = 3 / 4

/** Milliseconds after which background work takes every second place that becomes free. It goes on, however much other work there is. */
const PATIENCE_MS = 2_000

interface Waiting {
  readonly isBackground: boolean
  readonly since: number
  begin(): void
}

/** Limits how many calls run at once. Those of background work come last. Calls of one kind begin in the order of arrival. */
export function createPlaces({ size, limit }: PlacesOptions): Places {
  const share = Math.max(1, Math.floor(size * SHARE))
  // Sets keep the order and remove from their middle at no cost.
  const foreground = new Set<Waiting>()
  const background = new Set<Waiting>()
  let used = 0
  let usedInBackground = 0
  let isTurnOfBackground = false
  /** Background work begins no call. The pause ends in the next phase of the event loop, once such work waits for its end. */
  let pause: 'begun' | 'ending' | undefined

  function next(): Waiting | undefined {
    if (used >= size) return undefined
    const [first] = foreground
    const [other] = usedInBackground < share ? background : []
    if (first && other && isTurnOfBackground && performance.now() - other.since > PATIENCE_MS) return other
    return first ?? (pause ? undefined : other)
  }

  function fill(): void {
    if (pause === 'begun' && background.size > 0) {
      pause = 'ending'
      setImmediate(() => {
        pause = undefined
        fill()
      })
    }
    for (let one = next(); one; one = next()) {
      const { isBackground } = one
      ;(isBackground ? background : foreground).delete(one)
      used++
      if (isBackground) usedInBackground++
      isTurnOfBackground = !isBackground
      one.begin()
    }
  }

  async function enter(isBackground: boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const queue = isBackground ? background : foreground
    const one: Waiting = { isBackground, since: performance.now(), begin: resolve }
    queue.add(one)
    fill()
    if (!queue.has(one)) return
    const cancel = limit && afterRunning(systemClock, limit.ms, () => queue.delete(one) && reject(limit.late()))
    await promise.finally(cancel)
  }

  return {
    limit<F extends (...given: never[]) => Promise<unknown>>(run: F): F {
      const limited = async (...given: Parameters<F>) => {
        const isBackground = context.getStore() === true
        await enter(isBackground)
        try {
          return await run(...given)
        } finally {
          used--
          if (isBackground) usedInBackground--
          // Work that people wait for takes many calls, and asks the next one at once. A long call of other work must not come between.
          else pause ??= 'begun'
          if (foreground.size > 0 || background.size > 0) fill()
        }
      }
      return limited as F
    },
  }
}
