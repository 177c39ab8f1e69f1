/**
 * Where "now" comes from. Everything in kikimimi that knows the time, waits or repeats does it through a
 * Clock, so that tests and replays decide what time it is. The shape is that of pg-boss, which takes ours.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Runs once after `ms` milliseconds of this clock. */
  setTimeout(run: () => void, ms: number): unknown
  /** Cancels a timeout. */
  clearTimeout(timer: unknown): void
  /** Runs every `ms` milliseconds of this clock. */
  setInterval(run: () => void, ms: number): unknown
  /** Cancels an interval. */
  clearInterval(timer: unknown): void
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: Date.now,
  setTimeout,
  clearTimeout: timer => clearTimeout(timer as NodeJS.Timeout),
  setInterval,
  clearInterval: timer => clearInterval(timer as NodeJS.Timeout),
}

/** Waits on the clock. Rejects with the signal's reason when it aborts first. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const abort = () => {
      clock.clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = clock.setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}

interface Timer {
  due: number
  /** Breaks ties: timers due at the same time fire in the order they were set. */
  order: number
  readonly run: () => void
  readonly every?: number
  /** Fires once time has passed it, but is no reason to stop there. */
  readonly lazy: boolean
}

export interface Steps {
  settle(): Promise<void>
  /** Further times to stop at that are no timers: jobs in a database. */
  next?(): Promise<number | undefined>
  /** Tells those who keep the time elsewhere, before timers fire. */
  moved?(time: number): Promise<void>
}

/**
 * A clock that stands still until it is moved. `advance` goes from timer to timer, so that what a timer
 * sets off happens at its own time.
 */
export class VirtualClock implements Clock {
  #now: number
  #order = 0
  #timers: Timer[] = []

  constructor(start: Date | number = 0) {
    this.#now = Number(start)
  }

  now(): number {
    return this.#now
  }

  /** Sets the clock forward or back. Timers keep their remaining time, like those of a machine. */
  set(time: number): void {
    const by = time - this.#now
    this.#now = time
    for (const timer of this.#timers) timer.due += by
  }

  setTimeout(run: () => void, ms: number): unknown {
    return this.#set({ due: this.#now + Math.max(0, ms), order: this.#order++, run, lazy: false })
  }

  setInterval(run: () => void, ms: number): unknown {
    const every = Math.max(1, ms)
    return this.#set({ due: this.#now + every, order: this.#order++, run, every, lazy: false })
  }

  clearTimeout(timer: unknown): void {
    const at = this.#timers.indexOf(timer as Timer)
    if (at >= 0) this.#timers.splice(at, 1)
  }

  clearInterval(timer: unknown): void {
    this.clearTimeout(timer)
  }

  /** The same time for a poller: its timers fire when time has passed them, but time does not stop for each. */
  lazily(): Clock {
    return {
      now: () => this.#now,
      setTimeout: (run, ms) => this.#set({ due: this.#now + Math.max(0, ms), order: this.#order++, run, lazy: true }),
      setInterval: (run, ms) =>
        this.#set({ due: this.#now + Math.max(1, ms), order: this.#order++, run, every: Math.max(1, ms), lazy: true }),
      clearTimeout: timer => this.clearTimeout(timer),
      clearInterval: timer => this.clearTimeout(timer),
    }
  }

  /**
   * Moves time to `to`, stopping at each timer on the way. `settle` runs before every step and after the
   * last, and waits until all that the step set off is done or waits for time again.
   */
  async advance(to: number, { settle, next, moved }: Steps): Promise<void> {
    for (;;) {
      await settle()
      const stops = [this.#timers.find(timer => !timer.lazy)?.due, await next?.()].filter(due => due !== undefined)
      const stop = Math.max(this.#now, Math.min(...stops))
      if (stop > to) break
      await this.#moveTo(stop, moved)
    }
    await this.#moveTo(Math.max(this.#now, to), moved)
    await settle()
  }

  /** Fires the timers of pollers that are due within `withinMs`: they look now. */
  poll(withinMs: number): void {
    for (const timer of this.#timers) if (timer.lazy && timer.due <= this.#now + withinMs) timer.due = this.#now
    this.#timers.sort((a, b) => a.due - b.due || a.order - b.order)
    this.#fire()
  }

  async #moveTo(time: number, moved: Steps['moved']): Promise<void> {
    this.#now = time
    await moved?.(time)
    this.#fire()
  }

  #fire(): void {
    // One at a time, for one may clear the next; and none that is only set on the way.
    const before = this.#order
    for (;;) {
      const at = this.#timers.findIndex(({ due, order }) => due <= this.#now && order < before)
      const [timer] = at < 0 ? [] : this.#timers.splice(at, 1)
      if (!timer) return
      // An interval that slept through several periods runs once, and keeps its period from here.
      if (timer.every !== undefined) this.#set(Object.assign(timer, { due: this.#now + timer.every, order: this.#order++ }))
      timer.run()
    }
  }

  #set(timer: Timer): Timer {
    // Mostly set for later than what waits already, so the search starts at the end.
    let at = this.#timers.length
    while (at > 0 && after(this.#timers[at - 1], timer)) at--
    this.#timers.splice(at, 0, timer)
    return timer
  }
}

function after(one: Timer | undefined, other: Timer): boolean {
  return one !== undefined && (one.due > other.due || (one.due === other.due && one.order > other.order))
}
