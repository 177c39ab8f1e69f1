/**
 * Which instant the words mean. The rules, which the README tells people:
 *
 * - A day without a time is 9:00. A time without a day is the next one.
 * - An hour from 1 to 12 without a half of the day is between 7:00 and 18:59; today, or without a day, it is the next of the two that is
 *   not between 23:00 and 6:59.
 * - A weekday is the coming one, today included as long as the time has not passed. "Next" is the week after this one, which begins on
 *   Monday.
 * - A date without a year, or a day without a month, is the coming one.
 */
import { type IsHoliday, nextTime, type Repeat } from './repeat.ts'
import type { Said } from './said.ts'
import { addMonths, DAY, daysIn, dayText, fromWall, HOUR, MINUTE, mondayOf, startOfDay, toWall, weekdayOf } from './wall.ts'

export type Resolved =
  | { readonly at: number; readonly repeat?: Repeat }
  /**
   * What is wrong with the words: the time has passed, there is no such day, no time is named, it repeats too often, the text names
   * another time too, or the date is another day of the week.
   */
  | { readonly problem: 'past' | 'impossible' | 'time' | 'often' | 'unsure' | 'weekday' }

export interface Now {
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly zone: string
  readonly isHoliday?: IsHoliday
}

const MORNING = 9 * HOUR

/** Something may repeat every 15 minutes, no more often. */
const SHORTEST = 15 * MINUTE

/** The farthest time: ten years. */
const FARTHEST = 3_653 * DAY

export function resolve(said: Said, here: Now): Resolved {
  const found = said.repeat || said.weekdays ? repeated(said, here) : once(said, here)
  if ('problem' in found) return found
  return found.at - here.now > FARTHEST ? { problem: 'impossible' } : found
}

// ---------------------------------------------------------------- the time of the day

/** Milliseconds since the start of the day. Undefined: the words name none. */
function timeOfDay({ hour, minute = 0, sure, part, before = 0 }: Said): number | undefined {
  if (hour === undefined) return part && part.hour * HOUR
  const whole = sure ? hour : part ? inHalf(hour, part.half) : hour < 7 ? hour + 12 : hour
  return whole * HOUR + (minute - before) * MINUTE
}

function inHalf(hour: number, half: 'am' | 'pm' | 'noon'): number {
  if (half === 'am') return hour === 12 ? 0 : hour
  if (half === 'noon') return hour < 7 ? hour + 12 : hour
  return hour < 12 ? hour + 12 : hour
}

/** The times of the day that the words can mean, for today. */
function timesOfDay(said: Said): readonly number[] {
  const time = timeOfDay(said)
  if (time === undefined) return []
  const { hour = 0, minute = 0, before = 0, sure, part } = said
  if (said.hour === undefined || sure || part || hour === 12) return [time]
  const both = [hour, hour + 12].filter(one => one >= 7 && one < 23)
  return both.map(one => one * HOUR + (minute - before) * MINUTE)
}

// ---------------------------------------------------------------- once

function once(said: Said, here: Now): Resolved {
  const { now, zone } = here
  const { after, days } = said
  const wall = toWall(now, zone)
  if (after) return from(said, after, here)
  const today = startOfDay(wall)
  if (days !== undefined && days < 0) return { problem: 'past' }
  if (days === undefined || days === 0) {
    const isDayless = days === undefined && !namesDay(said)
    if (isDayless || days === 0) {
      const times = timesOfDay(said)
      if (times.length === 0) return { problem: 'time' }
      const all = isDayless ? [...times, ...times.map(time => time + DAY)] : times
      const next = all.map(time => fromWall(today + time, zone)).find(at => at > now)
      return next === undefined ? { problem: 'past' } : { at: next }
    }
  }
  const time = timeOfDay(said) ?? MORNING
  // "Friday the 13th" is the next one; "Tuesday, March 18" names a day that this year has on a Wednesday.
  if (said.month !== undefined && said.weekday !== undefined) {
    const coming = datesOf(said, today).find(day => day === undefined || day >= today)
    if (coming !== undefined && weekdayOf(coming) !== said.weekday) return { problem: 'weekday' }
  }
  for (const day of daysOf(said, today)) {
    if (day === undefined) return { problem: 'impossible' }
    const at = fromWall(day + time, zone)
    if (at > now) return { at }
  }
  return { problem: daysOf(said, today).length > 0 ? 'past' : 'impossible' }
}

/** Whether the words name a day, or an amount of time from now. */
export function isOfDay(said: Said): boolean {
  return said.days !== undefined || said.after !== undefined || said.repeat !== undefined || namesDay(said)
}

function namesDay({ weekday, weeks, year, years, month, months, date }: Said): boolean {
  return [weekday, weeks, year, years, month, months, date].some(one => one !== undefined)
}

/** After an amount of time. Days, months and years keep the time of the clock. */
function from(said: Said, { months = 0, days = 0, ms = 0 }: NonNullable<Said['after']>, { now, zone }: Now): Resolved {
  if (months === 0 && days === 0) return { at: now + ms }
  const wall = addMonths(toWall(now, zone), months) + days * DAY
  const time = timeOfDay(said)
  const rest = now % 1_000
  const at = time === undefined ? fromWall(wall, zone) + rest + ms : fromWall(startOfDay(wall) + time, zone)
  return at > now ? { at } : { problem: 'past' }
}

/** The days that the words can mean, soonest first. Undefined: there is no such day. */
function daysOf(said: Said, today: number): readonly (number | undefined)[] {
  const { days, weekday, weeks, month, date } = said
  if (days !== undefined) return [today + days * DAY]
  if (month !== undefined || date !== undefined || said.months !== undefined) {
    const dates = datesOf(said, today)
    return weekday === undefined ? dates : dates.filter(one => one === undefined || weekdayOf(one) === weekday)
  }
  if (weeks !== undefined) return [mondayOf(today) + (7 * weeks + (((weekday ?? 1) + 6) % 7)) * DAY]
  if (weekday === undefined) return [undefined]
  const coming = today + ((weekday - weekdayOf(today) + 7) % 7) * DAY
  return [coming, coming + 7 * DAY]
}

function datesOf({ year, years, month, months, date = 1 }: Said, today: number): readonly (number | undefined)[] {
  const now = new Date(today)
  const ofYear = year ?? (years === undefined ? undefined : now.getUTCFullYear() + years)
  const inMonth = (y: number, m: number) => {
    const last = daysIn(y, m)
    const day = date === 'last' ? last : date
    return day < 1 || day > last ? undefined : Date.UTC(y, m, day)
  }
  if (month !== undefined) {
    if (month < 1 || month > 12) return [undefined]
    if (ofYear !== undefined) return [inMonth(ofYear, month - 1)]
    // February 29 is in one of eight years.
    const coming = Array.from({ length: 9 }, (_, more) => inMonth(now.getUTCFullYear() + more, month - 1))
    const there = coming.filter(one => one !== undefined)
    return there.length > 0 ? there : [undefined]
  }
  if (months !== undefined) return [inMonth(now.getUTCFullYear(), now.getUTCMonth() + months)]
  const coming = [0, 1, 2].map(more => inMonth(now.getUTCFullYear(), now.getUTCMonth() + more)).filter(one => one !== undefined)
  return coming.length > 0 ? coming : [undefined]
}

// ---------------------------------------------------------------- again and again

function repeated(said: Said, { now, zone, isHoliday }: Now): Resolved {
  const { repeat: { unit, n } = { unit: 'week', n: 1 } as const, weekday, weekdays, nth, date, month } = said
  const today = toWall(now, zone)
  if (unit === 'minute' || unit === 'hour') {
    // "Every two hours from noon": it would begin now.
    if (timeOfDay(said) !== undefined) return { problem: 'unsure' }
    const ms = n * (unit === 'hour' ? HOUR : MINUTE)
    return ms < SHORTEST ? { problem: 'often' } : { at: now + ms, repeat: { unit, n, from: dayText(today) } }
  }
  const on = weekdays ?? (weekday === undefined ? undefined : [weekday])
  if (typeof date === 'number' && (date < 1 || date > 31)) return { problem: 'impossible' }
  const isOfMonth = unit === 'month' || unit === 'year'
  const base: Repeat = {
    ...{ unit, n },
    minutes: (timeOfDay(said) ?? MORNING) / MINUTE,
    from: dayText(today),
    ...(unit === 'week' && { weekdays: on ?? [weekdayOf(today)] }),
    ...(isOfMonth && nth !== undefined && on && { nth, weekdays: on }),
    ...(isOfMonth && nth === undefined && { date: date ?? new Date(today).getUTCDate() }),
    ...(unit === 'year' && { month: month ?? new Date(today).getUTCMonth() + 1 }),
  }
  // Every nth is counted from the first time, which is the next one.
  const at = nextTime({ ...base, n: 1 }, now, zone, isHoliday)
  return at === undefined ? { problem: 'impossible' } : { at, repeat: { ...base, from: dayText(toWall(at, zone)) } }
}
