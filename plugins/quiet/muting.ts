/** When a requested mute ends. */
import type { Conversation, PluginContext } from 'kikimimi'
import { type End, instantOf } from './spoken-end.ts'

/** Maximum duration of a mute: 31 days. */
const LONGEST = 31 * 24 * 60 * 60_000

export interface Muting {
  /** Milliseconds since the epoch. */
  readonly until: number
  /** The time zone of the place. */
  readonly zone: string
  /**
   * What the bot says about it: how long it lasts, when it ends, or why it does not end when the person said: that time is too far away, or
   * it is not known. `asks`: the bot does not understand the time, and is not quiet before it knows.
   */
  readonly says: 'length' | 'time' | 'atMost' | 'unknown' | 'asks'
}

/** @returns when a mute in a conversation ends. `at`: when it was asked for */
export function createMuting(ctx: Pick<PluginContext<{ readonly mute: number }>, 'bot' | 'optionsFor'>) {
  return (
    conversation: Conversation,
    { end, message }: { readonly end?: End; readonly message: { readonly at: Date } },
  ): Muting => {
    const zone = ctx.bot.personaIn(conversation).timeZone
    const at = message.at.getTime()
    const usual = at + ctx.optionsFor(conversation).mute
    if (end === undefined) return { until: usual, zone, says: 'length' }
    const until = instantOf(end, at, zone)
    if (until === undefined) return { until: usual, zone, says: end === 'unknown' ? 'unknown' : 'asks' }
    if (until > at + LONGEST) return { until: at + LONGEST, zone, says: 'atMost' }
    return { until, zone, says: typeof end === 'object' && 'ms' in end ? 'length' : 'time' }
  }
}
