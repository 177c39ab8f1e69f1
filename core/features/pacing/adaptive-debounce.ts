/**
 * How long a talk must be quiet before it is judged: a fixed time, or the talk's own rhythm. People send a thought in
 * several messages; the wait has to outlast the pauses inside one, and those differ from place to place.
 */

export interface AdaptiveDebounce {
  /** Somebody said something there, `at` milliseconds. */
  heard(conversation: string, author: string, at: number): void
  /** Milliseconds, without jitter. */
  debounceMs(conversation: string): number
}

/** Until so many pauses were seen, and where nothing is known. */
const USUAL = 4_000
const ENOUGH = 5
/** The wait outlasts this share of the pauses seen last. */
const SHARE = 0.85
const KEPT = 20
/** A longer pause is no pause within a thought. */
const LONGEST_PAUSE = 60_000
const [SHORTEST, LONGEST] = [2_000, 45_000] as const
/** Forgetting a conversation's rhythm costs it nothing but the usual wait. */
const CONVERSATIONS = 10_000

export function fixedRhythm(debounceMs: number): AdaptiveDebounce {
  return { heard() {}, debounceMs: () => debounceMs }
}

export function adaptiveDebounce(): AdaptiveDebounce {
  const talks = new Map<string, { author: string; at: number; pauses: number[] }>()

  return {
    heard(conversation, author, at) {
      const talk = talks.get(conversation) ?? { author: '', at: 0, pauses: [] }
      const pause = at - talk.at
      if (talk.author === author && pause >= 0 && pause <= LONGEST_PAUSE) talk.pauses = [...talk.pauses, pause].slice(-KEPT)
      Object.assign(talk, { author, at })
      talks.delete(conversation)
      talks.set(conversation, talk)
      if (talks.size > CONVERSATIONS) talks.delete(talks.keys().next().value ?? '')
    },

    debounceMs(conversation) {
      const { pauses = [] } = talks.get(conversation) ?? {}
      if (pauses.length < ENOUGH) return USUAL
      const sorted = pauses.toSorted((a, b) => a - b)
      const pause = sorted[Math.ceil(SHARE * sorted.length) - 1] ?? USUAL
      return Math.min(Math.max(pause, SHORTEST), LONGEST)
    },
  }
}
