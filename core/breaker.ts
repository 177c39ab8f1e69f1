/**
 * Leaves alone what keeps failing: closed → open after some failures in a row → half-open once the open time has
 * passed, when one trial decides. The open time doubles with each failed trial. Time is an argument.
 */
export interface Breaker {
  state(now: number): 'closed' | 'open' | 'half-open'
  /** Whether to try. A half-open breaker says yes once: whoever got it must end with succeeded, failed or released. */
  allows(now: number): boolean
  succeeded(): void
  failed(now: number): void
  /** The try ended and says nothing: it was called off. */
  released(): void
  /** When the next trial is possible, in milliseconds since the epoch; nothing while closed. */
  readonly retryAt: number | undefined
}

export interface BreakerOptions {
  /** How many failures in a row open it. */
  readonly failures?: number
  readonly openMs?: number
  readonly maxOpenMs?: number
}

export function createBreaker({ failures = 3, openMs = 60_000, maxOpenMs = 300_000 }: BreakerOptions = {}): Breaker {
  let inARow = 0
  let openFor = openMs
  let retryAt: number | undefined
  let trying = false

  const state = (now: number) => (retryAt === undefined ? 'closed' : now < retryAt ? 'open' : 'half-open')

  return {
    state,
    allows(now) {
      if (retryAt === undefined) return true
      if (trying || now < retryAt) return false
      trying = true
      return true
    },
    succeeded() {
      inARow = 0
      openFor = openMs
      retryAt = undefined
      trying = false
    },
    failed(now) {
      switch (state(now)) {
        case 'closed':
          if (++inARow >= failures) retryAt = now + openFor
          break
        case 'half-open':
          openFor = Math.min(openFor * 2, maxOpenMs)
          retryAt = now + openFor
          trying = false
          break
        // A call from before the breaker opened ends late: it does not keep it open for longer.
        case 'open':
      }
    },
    released() {
      trying = false
    },
    get retryAt() {
      return retryAt
    },
  }
}
