/**
 * Which instant the words mean. The rules, which the README tells people:
 *
 * - A day without a time is 9:00. A time without a day is the next one.
 * - An hour from 1 to 12 without a half of the day is between 7:00 and 18:59; today, or without a day, it is the next of the two that is
 *   not between 23:00 and 6:59, unless it is night already. When none is left today, the words leave it open which is meant.
 * - A weekday is the coming one, today included as long as the time has not passed. "Next" is the week after this one, which begins on
 *   Monday.
 * - A date without a year, or a day without a month, is the coming one.
 */
import { type IsHoliday, nextTime, type Repeat } from './repeat.ts'
import type { Said } from './said.ts'
import { addMonths, DAY, daysIn, dayText, fromWall, HOUR, MINUTE, mondayOf, startOfDay, toWall, weekdayOf } from './wall.ts'

export type Resolved =
  /** `isOpen`: the words can mean another time too. `zone`: the one in which it repeats, if the words name it. */
  | { readonly at: number; readonly repeat?: Repeat; readonly zone?: string; readonly isOpen?: boolean }
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
export const SHORTEST = 15 * MINUTE

/** The farthest time: ten years. */
export const FARTHEST = 3_653 * DAY

export function resolve(given: Said, there: Now): Resolved {
  const here = given.zone === undefined ? there : { ...there, zone: given.zone }
  const said = given.sameTime ? { ...given, ...timeAt(given, here) } : given
  if (contradicts(said)) return { problem: 'unsure' }
  const isOnce = !said.repeat && (!said.except || isOfDay(said)) && (!said.weekdays || said.nth !== undefined)
  const found = isOnce ? shifted(said, once(said, here), here) : repeated(said, here)
  if ('problem' in found) return found
  if (found.at - here.now > FARTHEST) return { problem: 'impossible' }
  return found.repeat && given.zone !== undefined ? { ...found, zone: given.zone } : found
}

/** "The same time next week" is on the same day of the week. */
function timeAt({ weeks, weekday }: Said, { now, zone }: Now): Said {
  const wall = new Date(toWall(now, zone))
  const day = weeks !== undefined && weekday === undefined && { weekday: wall.getUTCDay() }
  return { hour: wall.getUTCHours(), minute: wall.getUTCMinutes(), sure: true, ...day }
}

/** "The day before", "20 minutes before". */
function shifted({ shift }: Said, found: Resolved, { now, zone }: Now): Resolved {
  if (!shift || 'problem' in found) return found
  const at = fromWall(toWall(found.at, zone) + (shift.days ?? 0) * DAY, zone) + (shift.ms ?? 0)
  return at > now ? { ...found, at } : { problem: 'past' }
}

// ---------------------------------------------------------------- the time of the day

/** Milliseconds since the start of the day. Undefined: the words name none. */
function timeOfDay({ hour, minute = 0, sure, part, before = 0 }: Said): number | undefined {
  if (hour === undefined) return part && part.hour * HOUR
  const isMidnight = hour === 0 && part?.half === 'night'
  const whole = sure && !isMidnight ? hour : part ? inHalf(hour, part.half) : hour < 7 ? hour + 12 : hour
  return whole * HOUR + (minute - before) * MINUTE
}

function inHalf(hour: number, half: 'am' | 'pm' | 'noon' | 'night'): number {
  if (half === 'night') return hour === 12 || hour < 5 ? (hour % 12) + 24 : hour + 12
  if (half === 'am') return hour === 12 ? 0 : hour
  if (half === 'noon') return hour < 7 ? hour + 12 : hour
  return hour < 12 ? hour + 12 : hour
}

/** At night, an hour of the night this soon is meant. */
const SOON = 3 * HOUR

/** "8am in the evening" */
function contradicts({ hour, sure, part }: Said): boolean {
  if (hour === undefined || !sure || !part) return false
  return part.half === 'am'
    ? hour > 12
    : part.half === 'pm'
      ? hour > 0 && hour < 12
      : part.half === 'night' && hour > 5 && hour < 17
}

/** Whether an hour can be that of the morning and of the evening. */
const isEither = ({ hour, sure, part }: Said) => hour !== undefined && !sure && !part && hour !== 12

/** The times of the day that the words can mean, for today. `now`: milliseconds since the start of the day. */
function timesOfDay(said: Said, now: number): readonly number[] {
  const time = timeOfDay(said)
  if (time === undefined) return []
  if (!isEither(said)) return time >= DAY && now < time - DAY ? [time - DAY, time] : [time]
  const { hour = 0, minute = 0, before = 0 } = said
  const isNight = now < 5 * HOUR || now >= 21 * HOUR
  return [hour, hour + 12].flatMap(one => {
    const at = one * HOUR + (minute - before) * MINUTE
    return (one >= 7 && one < 23) || (isNight && at > now && at - now <= SOON) ? [at] : []
  })
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
      if (timeOfDay(said) === undefined) return { problem: 'time' }
      const times = timesOfDay(said, wall - today)
      const [next] = times.map(time => fromWall(today + time, zone)).filter(at => at > now)
      if (next !== undefined) return { at: next }
      if (!isDayless) return { problem: 'past' }
      const at = fromWall(today + DAY + (times[0] ?? timeOfDay(said) ?? 0), zone)
      return isEither(said) ? { at, isOpen: true } : { at }
    }
  }
  const time = timeOfDay(said) ?? MORNING
  // "Friday the 13th" is the next one; "Tuesday, March 18" names a day that this year has on a Wednesday.
  if (said.month !== undefined && said.weekday !== undefined) {
    const coming = datesOf(said, today).find(day => day === undefined || day >= today)
    if (coming !== undefined && weekdayOf(coming) !== said.weekday) return { problem: 'weekday' }
  }
  // "Tomorrow, friday" on a wednesday.
  if (days !== undefined && said.weekday !== undefined && weekdayOf(today + days * DAY) !== said.weekday)
    return { problem: 'weekday' }
  for (const day of daysOf(said, today)) {
    if (day === undefined) return { problem: 'impossible' }
    const at = fromWall(day + time, zone)
    // "Friday at midnight" is the begin of the day or its end.
    // A weekday said on that day can be the one in a week.
    if (at > now && said.weekday !== undefined && said.weeks === undefined && said.date === undefined && day === today)
      return { at, isOpen: true }
    if (at > now) return time === 0 && said.sure && said.minute === undefined ? { at, isOpen: true } : { at }
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

/** After an amount of time. Days, months and years keep the time of the clock; a weekday is the one of that week. */
function from(said: Said, after: NonNullable<Said['after']>, { now, zone, isHoliday = () => false }: Now): Resolved {
  const { months = 0, days = 0, workdays = 0, ms = 0 } = after
  if (after.hours) return { at: fromWall(Math.floor(toWall(now, zone) / HOUR + after.hours) * HOUR, zone) }
  if (months === 0 && days === 0 && workdays === 0) {
    if (timeOfDay(said) !== undefined) return { problem: 'unsure' }
    return ms > 0 ? { at: now + ms } : { problem: 'past' }
  }
  let wall = addMonths(toWall(now, zone), months) + days * DAY
  for (let left = workdays; left > 0; ) {
    wall += DAY
    if (weekdayOf(wall) % 6 > 0 && !isHoliday(dayText(wall))) left--
  }
  const time = timeOfDay(said) ?? (said.weekday === undefined ? undefined : MORNING)
  if (said.weekday !== undefined) {
    wall = mondayOf(wall) + ((said.weekday + 6) % 7) * DAY
    if (days % 7 > 0 || months > 0 || workdays > 0) {
      const at = fromWall(wall + (time ?? 0), zone)
      return at > now ? { at, isOpen: true } : { problem: 'past' }
    }
  }
  const rest = now % 1_000
  const at = time === undefined ? fromWall(wall, zone) + rest + ms : fromWall(startOfDay(wall) + time, zone)
  return at > now ? { at } : { problem: 'past' }
}

/** The days that the words can mean, soonest first. Undefined: there is no such day. */
function daysOf(said: Said, today: number): readonly (number | undefined)[] {
  const { days, weekday, weeks, month, date, nth } = said
  if (days !== undefined) return [today + days * DAY]
  if (nth !== undefined) return nthDays(said, today)
  if (month !== undefined || date !== undefined || said.months !== undefined) {
    const dates = datesOf(said, today)
    return weekday === undefined ? dates : dates.filter(one => one === undefined || weekdayOf(one) === weekday)
  }
  if (weeks !== undefined) return [mondayOf(today) + (7 * weeks + (((weekday ?? 1) + 6) % 7)) * DAY]
  if (weekday === undefined) return [undefined]
  const coming = today + ((weekday - weekdayOf(today) + 7) % 7) * DAY
  return [coming, coming + 7 * DAY]
}

/** "The second tuesday of april", 「今月の最終金曜」. */
function nthDays(
  { nth = 1, weekdays: [weekday = 1] = [], year, month, months, workday }: Said,
  today: number,
): readonly (number | undefined)[] {
  const now = new Date(today)
  const [ofYear, ofMonth] = [year ?? now.getUTCFullYear(), month === undefined ? now.getUTCMonth() + (months ?? 0) : month - 1]
  const more = year !== undefined || months !== undefined ? [0] : month === undefined ? [0, 1] : [0, 12]
  const found = more.map(later => {
    const first = Date.UTC(ofYear, ofMonth + later, 1)
    const start = new Date(first)
    const last = daysIn(start.getUTCFullYear(), start.getUTCMonth())
    const days = Array.from({ length: last }, (_, day) => first + day * DAY)
    const on = days.filter(day => (workday ? weekdayOf(day) % 6 > 0 : weekdayOf(day) === weekday))
    return nth < 0 ? on.at(-1) : on[nth - 1]
  })
  return found.filter(day => day === undefined || day >= today)
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

function repeated(said: Said, here: Now): Resolved {
  const { now, zone, isHoliday } = here
  const { weekday, weekdays, nth, date, month, except, times } = said
  const { unit: ofWords, n } = said.repeat ?? ({ unit: 'week', n: 1 } as const)
  const today = toWall(now, zone)
  // A day that stands beside "every day" is where it begins.
  const begins = said.start ?? (said.days === undefined ? undefined : { days: said.days })
  const [start, last] = [
    dayOf(begins && isNow(begins) ? undefined : begins, here),
    said.until?.after ? undefined : lastDay(said.until, here),
  ]
  const isPartOfHour = ofWords === 'minute' || ofWords === 'hour'
  // "Every two hours from noon": it would begin now.
  if (isPartOfHour && (timeOfDay(said) !== undefined || begins || said.until || times)) return { problem: 'unsure' }
  // The nth working day of a month does not repeat.
  if (said.workday) return { problem: 'unsure' }
  if (n <= 0 || times === 0 || (!isPartOfHour && !Number.isInteger(n))) return { problem: 'impossible' }
  if (start === null || last === null || (said.weeks !== undefined && ofWords !== 'week')) return { problem: 'unsure' }
  // "On weekends, every morning"
  const isOfWeek = except ?? (nth === undefined && weekdays)
  const unit = isOfWeek && ['day', 'workday'].includes(ofWords) ? 'week' : ofWords
  if (unit === 'minute' || unit === 'hour') {
    const ms = n * (unit === 'hour' ? HOUR : MINUTE)
    return ms < SHORTEST ? { problem: 'often' } : { at: now + ms, repeat: { unit, n, from: dayText(today) } }
  }
  const all = weekdays ?? (weekday === undefined ? undefined : [weekday])
  const on = except
    ? (all ?? (ofWords === 'workday' ? [1, 2, 3, 4, 5] : [0, 1, 2, 3, 4, 5, 6])).filter(day => !except.includes(day))
    : all
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
    ...(last !== undefined && { until: dayText(last) }),
  }
  // Every nth is counted from the first time, which is the next one.
  const since = start === undefined ? now : Math.max(now, fromWall(start, zone) - 1)
  const at = nextTime({ ...base, n: 1 }, since, zone, isHoliday)
  if (at === undefined) return { problem: 'impossible' }
  const repeat = { ...base, from: dayText(toWall(at, zone)) }
  const end = said.until?.after ? endOf(said.until.after, toWall(at, zone)) : times && lastOf(repeat, at, times, here)
  if (end === null) return { problem: 'impossible' }
  return { at, repeat: { ...repeat, ...(end !== undefined && { until: dayText(end) }) } }
}

/** The last day of an amount of time that counts from the first time: "for three days". */
const endOf = ({ months = 0, days = 0 }: NonNullable<Said['after']>, first: number) => addMonths(first, months) + (days - 1) * DAY

/** The last of a number of times, as a wall time. Null: it is too far away. */
function lastOf(repeat: Repeat, first: number, times: number, { now, zone, isHoliday }: Now): number | null {
  let last = first
  for (let count = 1; count < times; count++) {
    const next = nextTime(repeat, last, zone, isHoliday)
    if (next === undefined || next - now > FARTHEST) return null
    last = next
  }
  return toWall(last, zone)
}

/** "From this week" is from today. */
const isNow = ({ weeks, weekday, months, date }: Said) =>
  (weeks === 0 && weekday === undefined) || (months === 0 && date === undefined)

/** The day that words name, as a wall time. Null: they name none that is clear. */
function dayOf(said: Said | undefined, here: Now): number | undefined | null {
  if (!said) return undefined
  const found = once({ ...said, hour: 23, minute: 59, sure: true }, here)
  return 'at' in found ? startOfDay(toWall(found.at, here.zone)) : null
}

/** The last day on which it repeats. "Until april" ends before it. */
function lastDay(until: Said | undefined, here: Now): number | undefined | null {
  const day = dayOf(until, here)
  const isMonth = until !== undefined && until.date === undefined && (until.month !== undefined || until.months !== undefined)
  return isMonth && typeof day === 'number' ? day - DAY : day
}
