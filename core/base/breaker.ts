/**
 * A circuit breaker. It pauses calls that keep failing: closed → open after some failures in a row → half-open after the
 * open time, when one trial decides. Each failed trial doubles the open time. Time is an argument.
 */

/** A circuit breaker for calls of one callee. Times are in milliseconds since the epoch. */
export interface Breaker {
  /** Its state at a time. */
  state(now: number): 'closed' | 'open' | 'half-open'
  /** Whether a call is allowed. A half-open breaker allows one; its caller must end with succeeded, failed or released. */
  allows(now: number): boolean
  /** A call has succeeded: the breaker is closed. */
  succeeded(): void
  /** @param why for people: never the words of others */
  failed(now: number, why: string): void
  /** The call was cancelled and says nothing about the callee. */
  released(): void
  /** When the next trial is possible, in milliseconds since the epoch; nothing while closed. */
  readonly retryAt: number | undefined
  /**
   * The open state: when it opened, in milliseconds since the epoch, and how the last call failed. Nothing while closed.
   */
  readonly opened: { readonly since: number; readonly why: string } | undefined
}

/** When a breaker opens, and for how long. */
export interface BreakerOptions {
  /** The number of failures in a row that open it. Default 3. */
  readonly failures?: number
  /** Milliseconds until the first trial. Default 60,000. */
  readonly openMs?: number
  /** The most milliseconds between two trials. Default 300,000. */
  readonly maxOpenMs?: number
}

/** Makes a closed breaker. */
export function createBreaker({ failures = 3, openMs = 60_000, maxOpenMs = 300_000 }: BreakerOptions = {}): Breaker {
  let inARow = 0
  let openFor = openMs
  let retryAt: number | undefined
  let trying = false
  let opened: Breaker['opened']

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
      // Nearly every call succeeds after one that did.
      if (inARow === 0 && retryAt === undefined) return
      inARow = 0
      openFor = openMs
      retryAt = undefined
      trying = false
      opened = undefined
    },
    failed(now, why) {
      switch (state(now)) {
        case 'closed':
          if (++inARow < failures) break
          retryAt = now + openFor
          opened = { since: now, why }
          break
        case 'half-open':
          openFor = Math.min(openFor * 2, maxOpenMs)
          retryAt = now + openFor
          trying = false
          opened = { since: opened?.since ?? now, why }
          break
        // A call that began before the breaker opened ends late: it does not extend the pause.
        case 'open':
      }
    },
    released() {
      trying = false
    },
    get retryAt() {
      return retryAt
    },
    get opened() {
      return opened
    },
  }
}

/** The open state of a breaker, for people. */
export interface OpenState {
  readonly since: Date
  /** From this time, one call is allowed as a trial. */
  readonly until: Date
  /** The last error, without texts of people. */
  readonly why: string
}

/** The open state of a breaker; empty while it is closed. @param whose what the breaker guards */
export function openBreaker<W extends object>({ opened, retryAt }: Breaker, whose: W): (W & OpenState)[] {
  if (!opened || retryAt === undefined) return []
  return [{ ...whose, since: new Date(opened.since), until: new Date(retryAt), why: opened.why }]
}
