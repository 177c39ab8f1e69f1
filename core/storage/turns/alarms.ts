import type { Clock } from '../../base/clock.ts'

export interface Alarms {
  /** Something is due at a time, in place of what was known of this key. */
  set(key: string, at: number): void
  clear(key: string): void
  /** Whether the alarm of the key has passed. */
  isDue(key: string): boolean
  stop(): void
}

/** What becomes due within this time is found together. */
const TOGETHER_MS = 50
/** Node fires a timer with a longer delay at once. */
const LONGEST_MS = 24 * 60 * 60_000
/** A forgotten alarm is found by the ring before it, which looks at what is due next. */
const MOST = 10_000

/** One timer for many alarms. It rings once for all that are due. */
export function createAlarms(clock: Clock, ring: () => void): Alarms {
  const alarms = new Map<string, number>()
  let timer: unknown
  let rings = Number.POSITIVE_INFINITY

  function soonest(): number {
    let at = Number.POSITIVE_INFINITY
    for (const one of alarms.values()) at = Math.min(at, one)
    return at
  }

  function arm(at: number): void {
    if (at >= rings) return
    clock.clearTimeout(timer)
    rings = at
    timer = clock.setTimeout(fire, Math.min(Math.max(at - clock.now(), TOGETHER_MS), LONGEST_MS))
  }

  function fire(): void {
    rings = Number.POSITIVE_INFINITY
    const now = clock.now()
    let isDue = false
    for (const [key, at] of alarms) {
      if (at > now) continue
      isDue = true
      alarms.delete(key)
    }
    arm(soonest())
    if (isDue) ring()
  }

  return {
    set(key, at) {
      alarms.set(key, at)
      if (alarms.size > MOST) {
        const first = soonest()
        for (const [one, time] of alarms) if (time > first) alarms.delete(one)
      }
      if (at > clock.now()) arm(at)
    },
    clear: key => void alarms.delete(key),
    isDue: key => (alarms.get(key) ?? Number.POSITIVE_INFINITY) <= clock.now(),
    stop() {
      alarms.clear()
      clock.clearTimeout(timer)
    },
  }
}
