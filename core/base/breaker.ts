/**
 * Leaves alone what keeps failing: closed → open after some failures in a row → half-open once the open time has
 * passed, when one trial decides. The open time doubles with each failed trial. Time is an argument.
 */

export interface Breaker {
  state(now: number): 'closed' | 'open' | 'half-open'
  /** Whether a call is allowed. A half-open breaker allows one; its caller must end with succeeded, failed or released. */
  allows(now: number): boolean
  succeeded(): void
  /** @param why for people: never the words of others */
  failed(now: number, why: string): void
  /** The try ended and says nothing: it was called off. */
  released(): void
  /** When the next trial is possible, in milliseconds since the epoch; nothing while closed. */
  readonly retryAt: number | undefined
  /** While it is not closed: when it opened, in milliseconds since the epoch, and how the last try failed. */
  readonly opened: { readonly since: number; readonly why: string } | undefined
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
    get opened() {
      return opened
    },
  }
}

/** The open state of a breaker, for people. */
export interface OpenState {
  readonly since: Date
  /** From then on one call tries whether it works again. */
  readonly until: Date
  /** The last error, without texts of people. */
  readonly why: string
}

/** The open state of a breaker; empty while it is closed. @param whose what the breaker guards */
export function openBreaker<W extends object>({ opened, retryAt }: Breaker, whose: W): (W & OpenState)[] {
  if (!opened || retryAt === undefined) return []
  return [{ ...whose, since: new Date(opened.since), until: new Date(retryAt), why: opened.why }]
}
