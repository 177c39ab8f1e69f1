/**
 * The source of time. All code in kikimimi that reads the time, waits or repeats uses a Clock, so that tests and replays
 * set the time. The shape fits the clock option of pg-boss.
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
  clearTimeout: clearTimeout as Clock['clearTimeout'],
  setInterval,
  clearInterval: clearInterval as Clock['clearInterval'],
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

/** Waits while a bot stops: a test moves its clock meanwhile, or does not. Rejects like {@link sleep}. */
export function sleepWhileStopping(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return Promise.race([clock, systemClock].map(one => sleep(one, ms, signal)))
}

interface Timer {
  due: number
  /** Timers that are due at the same time fire in the order in which they were set. */
  order: number
  readonly run: () => void
  readonly every?: number
  /** Of a poller. Time does not stop for it. */
  readonly lazy: boolean
}

export interface Steps {
  settle(): Promise<void>
  /** Another time to stop at: when the next job in a database is due. */
  next?(): Promise<number | undefined>
  /** Runs before timers fire, for code that keeps the time elsewhere. */
  moved?(time: number): Promise<void>
}

/**
 * A clock that stands still until `advance` or `set` moves it. `advance` goes from timer to timer, so that the work of each
 * timer happens at its own time.
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

  /**
   * The same time for a poller. Time does not stop for its timers: a timeout fires when time has passed it, an interval only
   * when {@link poll} says so. The one who moves the clock knows whether there is anything to find.
   */
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
   * Moves time to `to` and stops at each timer on the way. `settle` runs before every step and after the last. It waits
   * until the work of the step is done or waits for time again.
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

  /** Lets time pass while the process stands still: timers that are due fire afterwards, one after the other, and nothing runs in between. */
  stall(ms: number): void {
    this.#now += ms
    this.#fire(({ lazy, every }) => !lazy || every === undefined)
  }

  /** Fires the timers of pollers that are due within `withinMs`. */
  poll(withinMs: number): void {
    for (const timer of this.#timers) if (timer.lazy && timer.due <= this.#now + withinMs) timer.due = this.#now
    this.#timers.sort((a, b) => a.due - b.due || a.order - b.order)
    this.#fire(() => true)
  }

  async #moveTo(time: number, moved: Steps['moved']): Promise<void> {
    this.#now = time
    await moved?.(time)
    this.#fire(({ lazy, every }) => !lazy || every === undefined)
  }

  #fire(may: (timer: Timer) => boolean): void {
    // One at a time, for one may clear the next; and none that is only set on the way.
    const before = this.#order
    for (;;) {
      const at = this.#timers.findIndex(timer => timer.due <= this.#now && timer.order < before && may(timer))
      const [timer] = at < 0 ? [] : this.#timers.splice(at, 1)
      if (!timer) return
      // An interval that missed several periods runs once, and keeps its period from here.
      if (timer.every !== undefined) this.#set(Object.assign(timer, { due: this.#now + timer.every, order: this.#order++ }))
      timer.run()
    }
  }

  #set(timer: Timer): Timer {
    // A new timer is mostly due later than the others, so the search starts at the end.
    let at = this.#timers.length
    while (at > 0 && after(this.#timers[at - 1], timer)) at--
    this.#timers.splice(at, 0, timer)
    return timer
  }
}

function after(one: Timer | undefined, other: Timer): boolean {
  return one !== undefined && (one.due > other.due || (one.due === other.due && one.order > other.order))
}
