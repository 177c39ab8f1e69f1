import { KikimimiError } from './errors.ts'

/** A number of seconds, or `'90s'`, `'5m'`, `'1h'`, `'30d'`, `'500ms'`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Milliseconds of a {@link Duration}, or `undefined` for anything else. */
export function parseDuration(duration: unknown): number | undefined {
  if (typeof duration === 'number') return Number.isFinite(duration) && duration >= 0 ? duration * 1_000 : undefined
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(String(duration)) ?? []
  return amount === undefined ? undefined : Number(amount) * UNITS[unit as keyof typeof UNITS]
}

/**
 * Milliseconds of a {@link Duration}.
 *
 * @throws ARGUMENT_INVALID for a text or number that is no duration
 */
export function milliseconds(duration: Duration): number {
  const ms = parseDuration(duration)
  if (ms === undefined) {
    throw new KikimimiError('ARGUMENT_INVALID', `expected ${DURATION_FORM}, got ${JSON.stringify(duration)}`)
  }
  return ms
}

/** The accepted forms, for messages about options. */
export const DURATION_FORM = 'a number of seconds or a string such as "90s", "5m", "1h", "30d"'
