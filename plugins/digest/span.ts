/** The time that a digest covers. */
import { DAY, fromWall, MINUTE, mondayOf, startOfDay, toWall, weekdayOf } from '@kikimimi/times'

/** A day of the past. */
export type Day =
  /** Days before today. */
  | { readonly ago: number }
  /** The latest such day, today included; 0 is Sunday. `weeks`: that of so many weeks before this one, which begins on Monday. */
  | { readonly weekday: number; readonly weeks?: number }
  /** 1 to 12. Without a year: the latest such date. */
  | { readonly date: number; readonly month?: number; readonly year?: number }

/** The time that a question is about. `isOpen`: it goes on until now. */
export type Span =
  | { readonly kind: 'last'; readonly ms: number }
  | { readonly kind: 'messages'; readonly count: number }
  /** A time to come, or one that only the person knows. */
  | { readonly kind: 'unclear' }
  /** A day, or the part of it between two times of the clock, in minutes from midnight; more than a day is of the next one. */
  | { readonly kind: 'day'; readonly day: Day; readonly from?: number; readonly to?: number; readonly isOpen?: boolean }
  | { readonly kind: 'days'; readonly first: Day; readonly last: Day }
  /** `ago`: 1 is the one before this one. The weekend that has begun last is 0. */
  | { readonly kind: 'week' | 'weekend' | 'month'; readonly ago: number; readonly isOpen?: boolean }

/** Stands for the words of the span. A letter that no text has. */
export const SPAN = '\uA66E'

/** Words of a time, as the source of a pattern, and what they mean. Undefined: nothing, such as 25 o'clock. */
export type SpanRule = readonly [source: string, span: (...found: readonly (string | undefined)[]) => Span | undefined]

/** The latest messages are looked for in this time, in milliseconds. */
const LOOKS_BACK = 62 * DAY

export interface Range {
  readonly from: Date
  /** Absent: until now. */
  readonly to?: Date
}

/**
 * @param timeZone the zone of the days, an IANA name
 * @returns undefined: the time has not come yet, is not known, or there is no such day
 */
export function rangeOf(span: Span, now: Date, timeZone: string): Range | undefined {
  const at = now.getTime()
  if (span.kind === 'unclear') return undefined
  if (span.kind === 'last') return { from: new Date(Math.floor((at - span.ms) / MINUTE) * MINUTE) }
  if (span.kind === 'messages') return { from: new Date(at - LOOKS_BACK) }
  const wall = toWall(at, timeZone)
  const walls = span.kind === 'day' ? partOf(span, wall) : span.kind === 'days' ? daysOf(span, wall) : unitOf(span, wall)
  if (!walls) return undefined
  const [from, to] = [fromWall(walls[0], timeZone), fromWall(walls[1], timeZone)]
  if (from > at) return undefined
  const isOpen = ('isOpen' in span && span.isOpen) || to >= at
  return { from: new Date(from), ...(!isOpen && { to: new Date(to) }) }
}

type Walls = readonly [from: number, to: number]

function partOf({ day, from = 0, to = 24 * 60 }: Extract<Span, { kind: 'day' }>, now: number): Walls | undefined {
  const begin = dayOf(day, now)
  if (begin === undefined || to <= from) return undefined
  return [begin + from * MINUTE, begin + to * MINUTE]
}

function daysOf({ first, last }: Extract<Span, { kind: 'days' }>, now: number): Walls | undefined {
  const [from, to] = [dayOf(first, now), dayOf(last, now)]
  return from === undefined || to === undefined || to < from ? undefined : [from, to + DAY]
}

function unitOf({ kind, ago }: Extract<Span, { kind: 'week' | 'weekend' | 'month' }>, now: number): Walls {
  const monday = mondayOf(now)
  if (kind === 'week') return [monday - ago * 7 * DAY, monday + (1 - ago) * 7 * DAY]
  if (kind === 'weekend') {
    const saturday = monday + (weekdayOf(now) % 6 === 0 ? 5 : -2) * DAY - ago * 7 * DAY
    return [saturday, saturday + 2 * DAY]
  }
  const date = new Date(now)
  const first = (months: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1)
  return [first(ago), first(ago - 1)]
}

/** The start of a day of the past, today included. */
function dayOf(day: Day, now: number): number | undefined {
  const today = startOfDay(now)
  if ('ago' in day) return today - day.ago * DAY
  if ('weekday' in day) {
    if (day.weeks !== undefined) return mondayOf(now) - day.weeks * 7 * DAY + ((day.weekday + 6) % 7) * DAY
    return today - ((weekdayOf(now) - day.weekday + 7) % 7) * DAY
  }
  const { date } = day
  const then = new Date(now)
  const [year, month] = [day.year ?? then.getUTCFullYear(), (day.month ?? then.getUTCMonth() + 1) - 1]
  const found = Date.UTC(year, month, date)
  const real = new Date(found)
  if (real.getUTCDate() !== date || (day.month !== undefined && real.getUTCMonth() !== month)) return undefined
  if (found <= today) return found
  if (day.year !== undefined) return undefined
  return day.month === undefined ? Date.UTC(year, month - 1, date) : Date.UTC(year - 1, month, date)
}
