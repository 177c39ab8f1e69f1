/**
 * Pacing: how long a batch waits before it is judged, and the longest wait, for the bot and for single channels. A fixed time is
 * the time that a conversation must be quiet. `auto` answers a partner of the bot soon, and other people when the conversation has
 * been quiet for several of its usual pauses.
 */
import type { Conversation } from '../../api/index.ts'
import type { Pacing } from '../../kernel/turns/turn-settings.ts'
import { adaptiveDebounce } from './adaptive-debounce.ts'
import { isPartner, LASTS_MS } from './partner.ts'
import { isUnfinished } from './unfinished.ts'

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

/** The wait after a message of a partner, whatever other people write. */
const PARTNER_MS = 4_000
/** The shortest wait after an unfinished sentence. */
const UNFINISHED_MS = 10_000

/** @param rhythm the known pauses of each conversation */
export function createPacing({ channels, ...usual }: PacingOptions, random: () => number, rhythm = adaptiveDebounce()): Pacing {
  const isSame = Object.keys(channels).length === 0

  function paceOf({ channel, name }: Conversation): Pace {
    if (isSame) return usual
    const own = channels[channel] ?? channels[name] ?? channels[`#${name}`]
    return {
      minWait: own?.minWait ?? usual.minWait,
      jitter: own?.jitter ?? usual.jitter,
      maxWait: own?.maxWait ?? usual.maxWait,
    }
  }

  function shortestMs(conversation: Conversation): number {
    const { minWait } = paceOf(conversation)
    return minWait === 'auto' ? Math.min(PARTNER_MS, rhythm.debounceMs(conversation.id)) : minWait
  }

  return {
    heard(conversation, author, at) {
      if (paceOf(conversation).minWait === 'auto') rhythm.heard(conversation.id, author, at)
    },

    vary: conversation => 1 + paceOf(conversation).jitter * (2 * random() - 1),
    shortestMs,

    dueAt({ conversation, batch, history }, vary) {
      const isAuto = paceOf(conversation).minWait === 'auto'
      const usualMs = isAuto ? rhythm.debounceMs(conversation.id) : shortestMs(conversation)
      const lastOf = new Map(batch.map(entry => [entry.message.author.id, entry]))
      const last = batch.at(-1)
      const dues = [...lastOf.values()].flatMap(entry => {
        const waits =
          isAuto && isPartner(entry.message, history) ? shortestMs(conversation) : entry === last ? usualMs : undefined
        if (waits === undefined) return []
        const ms = isAuto && isUnfinished(entry.message.text) ? Math.max(waits, UNFINISHED_MS) : waits
        return [entry.receivedAt.getTime() + Math.round(ms * vary)]
      })
      return Math.min(...dues)
    },

    partnersMs: conversation => (paceOf(conversation).minWait === 'auto' ? LASTS_MS : 0),
    maxWaitMs: conversation => paceOf(conversation).maxWait,
  }
}
