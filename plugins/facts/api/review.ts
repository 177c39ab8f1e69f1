/** Reviews of facts by the operator of the bot. */
import type { PersonKey } from 'kikimimi'
import type { Fact } from './facts.ts'

/**
 * - `new`: facts that were neither confirmed nor edited, the newest first.
 * - `disagreeing`: facts with the same subject and readers, the same relation with one value, and several values. The newest of them.
 * - `replaced`: facts that became history in the last 30 days, the latest first.
 * - `expiring`: facts that will end within 14 days, the next one first.
 * - `all`: all facts with history, the newest first.
 */
export type ReviewQueue = 'new' | 'disagreeing' | 'replaced' | 'expiring' | 'all'

export interface ReviewQuery {
  readonly queue: ReviewQueue
  /** Only facts with all words of this text. */
  readonly text?: string | undefined
  /** Only facts of this channel, as `channelOf` returns it. */
  readonly channel?: string | undefined
  /** Only facts about this person, or told by this person. */
  readonly person?: PersonKey | undefined
  /** {@link ReviewPage.next} of the page before. */
  readonly before?: string | undefined
  /** Default 50. */
  readonly limit?: number
}

/** A fact to review. */
export interface Review {
  readonly fact: Fact
  /** With `disagreeing`: the facts with another value, the newest first, at most 10. */
  readonly against: readonly Fact[]
  /** When it will end by itself. */
  readonly endsAt?: Date
  /** Why it will end: it states the time, or no answer has used it for a long time. */
  readonly ends?: 'expires' | 'fades'
  /** The fact that took its place. */
  readonly replacedBy?: Fact
  /** The batch of its replacement, for `FactStore.undo`. */
  readonly batch?: number
}

export interface ReviewPage {
  readonly entries: readonly Review[]
  /** Where the next page begins. A page with this can have fewer entries than asked for. Absent: there are no further entries. */
  readonly next?: string
}
