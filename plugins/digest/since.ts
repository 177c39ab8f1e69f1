/** The beginning of the time that a digest covers. */
import type { Spoken } from './language.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A digest looks back this far at most, in milliseconds. */
export const LOOKS_BACK = 14 * DAY

/** When the evening of "last night" begins. */
const EVENING = 18

/** @param timeZone the zone of the days, an IANA name */
export function beginOf(spoken: Spoken, now: Date, timeZone: string): Date {
  const today = midnight(now, timeZone)
  const daysAgo = (days: number) => midnight(new Date(today.getTime() - days * DAY + DAY / 2), timeZone)
  switch (spoken.kind) {
    case 'ago':
      return new Date(Math.max(now.getTime() - spoken.ms, now.getTime() - LOOKS_BACK))
    case 'today':
      return today
    case 'yesterday':
      return daysAgo(1)
    case 'night':
      return new Date(daysAgo(1).getTime() + EVENING * HOUR)
    case 'week':
      return daysAgo((weekdayOf(now, timeZone) + 6) % 7)
    case 'last-week':
      return daysAgo(((weekdayOf(now, timeZone) + 6) % 7) + 7)
    case 'weekday':
      return daysAgo((weekdayOf(now, timeZone) - spoken.day + 7) % 7)
  }
}

/** The beginning of the day of a time. */
function midnight(at: Date, timeZone: string): Date {
  const { hour, minute, second } = partsOf(at, timeZone)
  const begin = at.getTime() - (((hour * 60 + minute) * 60 + second) * 1_000 + at.getMilliseconds())
  // On a day on which the clocks change, the difference of the hours is not that of the day.
  const { hour: shown } = partsOf(new Date(begin), timeZone)
  return new Date(shown === 0 ? begin : shown > 12 ? begin + (24 - shown) * HOUR : begin - shown * HOUR)
}

function weekdayOf(at: Date, timeZone: string): number {
  const name = new Intl.DateTimeFormat('en', { timeZone, weekday: 'short' }).format(at)
  return ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(name)
}

function partsOf(at: Date, timeZone: string): { readonly hour: number; readonly minute: number; readonly second: number } {
  const format = new Intl.DateTimeFormat('en', {
    ...{ timeZone, hourCycle: 'h23' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  return { hour: parts.get('hour') ?? 0, minute: parts.get('minute') ?? 0, second: parts.get('second') ?? 0 }
}
