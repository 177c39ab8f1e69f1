/**
 * Pacing: how quiet a conversation must be before it is judged, and the longest wait, for the bot and for single channels.
 */
import type { Conversation } from '../../api/index.ts'
import { type AdaptiveDebounce, adaptiveDebounce, fixedRhythm } from './adaptive-debounce.ts'

export interface Pace {
  /** How long a conversation must be quiet before it is judged, in milliseconds; `auto`: adaptive. */
  readonly minWait: number | 'auto'
  /** The share by which the wait varies, so that the bot is less regular: 0.3 is ±30 %. */
  readonly jitter: number
  /** The longest wait in milliseconds: after it a conversation is judged even if it is never quiet. */
  readonly maxWait: number
}

export interface PacingOptions extends Pace {
  /** Channels with their own pacing, by name or id. */
  readonly channels: Readonly<Record<string, { readonly [K in keyof Pace]?: Pace[K] | undefined }>>
}

export interface Pacing {
  /** Reports a message, `at` milliseconds since the epoch. */
  heard(conversation: Conversation, author: string, at: number): void
  /** The wait in milliseconds, with jitter. */
  debounceMs(conversation: Conversation): number
  maxWaitMs(conversation: Conversation): number
}

/** @param rhythm the known pauses of each conversation */
export function createPacing({ channels, ...usual }: PacingOptions, random: () => number, rhythm = adaptiveDebounce()): Pacing {
  function paceOf({ channel, name }: Conversation): Pace {
    const own = channels[channel] ?? channels[name] ?? channels[`#${name}`]
    return {
      minWait: own?.minWait ?? usual.minWait,
      jitter: own?.jitter ?? usual.jitter,
      maxWait: own?.maxWait ?? usual.maxWait,
    }
  }

  function rhythmOf({ minWait }: Pace): AdaptiveDebounce {
    return minWait === 'auto' ? rhythm : fixedRhythm(minWait)
  }

  return {
    heard: (conversation, author, at) => rhythmOf(paceOf(conversation)).heard(conversation.id, author, at),

    debounceMs(conversation) {
      const pace = paceOf(conversation)
      return Math.round(rhythmOf(pace).debounceMs(conversation.id) * (1 + pace.jitter * (2 * random() - 1)))
    },

    maxWaitMs: conversation => paceOf(conversation).maxWait,
  }
}
