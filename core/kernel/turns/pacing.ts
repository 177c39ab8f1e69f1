/** How quiet a talk must be before it is judged, and how long that may take: for the bot, and channel by channel. */
import type { Conversation } from '../../api/index.ts'
import { type AdaptiveDebounce, adaptiveDebounce, fixedRhythm } from './adaptive-debounce.ts'

export interface Pace {
  /** How long a conversation must be quiet before it is judged, in milliseconds; `auto`: as its own rhythm says. */
  readonly minWait: number | 'auto'
  /** The share by which that wait varies, so that the bot is no clockwork: 0.3 is ±30 %. */
  readonly jitter: number
  /** After this long it is judged even when it never becomes quiet, in milliseconds. */
  readonly maxWait: number
}

export interface PacingOptions extends Pace {
  /** Channels with a pace of their own, by name or id. */
  readonly channels: Readonly<Record<string, { readonly [K in keyof Pace]?: Pace[K] | undefined }>>
}

export interface Pacing {
  /** Somebody said something there, `at` milliseconds. */
  heard(conversation: Conversation, author: string, at: number): void
  /** Milliseconds, with jitter. */
  debounceMs(conversation: Conversation): number
  maxWaitMs(conversation: Conversation): number
}

/** @param rhythm what is known of the pauses of each conversation */
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
