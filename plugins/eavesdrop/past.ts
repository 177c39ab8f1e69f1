import type { Message } from 'kikimimi'
import type { Past } from './interventions.ts'
import type { Options } from './options.ts'

/** Why the bot must not intervene again yet; undefined if it may. */
export function limitReached(
  past: readonly Pick<Past, 'at'>[],
  { minInterval, maxPerHour }: Pick<Options, 'minInterval' | 'maxPerHour'>,
  now: number,
): string | undefined {
  const last = past.at(-1)
  if (last && now - last.at.getTime() < minInterval) return 'stepped in a moment ago'
  return timesWithin(past, HOUR, now) >= maxPerHour ? 'has stepped in often enough within the hour' : undefined
}

export const HOUR = 60 * 60_000

/** How long the words of an intervention and of its conversation are kept. */
export const REMEMBERED_MS = HOUR

/** Messages kept of the conversation in which the bot intervened. */
export const EXCERPT_MESSAGES = 5

export function timesWithin(past: readonly Pick<Past, 'at'>[], ms: number, now: number): number {
  return past.filter(({ at }) => now - at.getTime() < ms).length
}

/**
 * Whether a conversation continues one with an intervention, as far as links show: a message replies to it, or nothing
 * else was said.
 */
export function goesOn(talk: readonly Message[], past: readonly Pick<Past, 'talk' | 'sent'>[]): true | undefined {
  const before = new Set(past.flatMap(({ talk, sent }) => [...talk.map(({ id }) => id), ...sent]))
  const news = talk.filter(({ id, own }) => !own && !before.has(id))
  return news.length === 0 || news.some(({ replyTo }) => replyTo !== undefined && before.has(replyTo)) || undefined
}
