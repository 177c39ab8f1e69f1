/**
 * How long a conversation must be quiet before it is judged. People write one thought in several messages. The wait is several times as
 * long as the pauses within a thought, which differ between conversations: so other people can answer first, and one judgement is for a
 * whole talk.
 */

import { RecentMap } from '../../base/recent-map.ts'

export interface AdaptiveDebounce {
  /** Reports a message, `at` milliseconds since the epoch. */
  heard(conversation: string, author: string, at: number): void
  /** The wait in milliseconds, without jitter. */
  debounceMs(conversation: string): number
}

/** The wait with fewer known pauses than this. */
const USUAL = 4_000
const ENOUGH = 5
/** The usual pause: longer than this share of the last ones. */
const SHARE = 0.85
/** The wait in usual pauses. One gives smaller batches, so more judgements for the same coverage: docs/tuning.md. */
const PAUSES = 3
const KEPT = 20
/** A longer pause separates two thoughts. */
const LONGEST_PAUSE = 60_000
const [SHORTEST, LONGEST] = [2_000, 45_000] as const
/** Largest number of conversations. A forgotten one uses the usual wait again. */
const CONVERSATIONS = 10_000

export function adaptiveDebounce(): AdaptiveDebounce {
  const talks = new RecentMap<{ author: string; at: number; pauses: number[] }>(CONVERSATIONS)

  return {
    heard(conversation, author, at) {
      const talk = talks.get(conversation) ?? { author: '', at: 0, pauses: [] }
      const pause = at - talk.at
      if (talk.author === author && pause >= 0 && pause <= LONGEST_PAUSE) talk.pauses = [...talk.pauses, pause].slice(-KEPT)
      Object.assign(talk, { author, at })
      talks.set(conversation, talk)
    },

    debounceMs(conversation) {
      const { pauses = [] } = talks.get(conversation) ?? {}
      if (pauses.length < ENOUGH) return USUAL
      const sorted = pauses.toSorted((a, b) => a - b)
      const pause = sorted[Math.ceil(SHARE * sorted.length) - 1] ?? USUAL
      return Math.min(Math.max(PAUSES * pause, SHORTEST), LONGEST)
    },
  }
}
