/** Repeating times: the next one after an instant. */
import { DAY, daysIn, dayText, fromWall, HOUR, MINUTE, mondayOf, startOfDay, toWall, weekdayOf } from './wall.ts'

export interface Repeat {
  readonly unit: 'minute' | 'hour' | 'day' | 'workday' | 'week' | 'month' | 'year'
  /** Every nth. */
  readonly n: number
  /** The wall time of the day, in minutes. Absent for minutes and hours. */
  readonly minutes?: number
  /** The day from which every nth is counted: `2026-03-11`. */
  readonly from: string
  /** Of a week, or with `nth` of a month. 0: Sunday. */
  readonly weekdays?: readonly number[]
  /** The nth weekday of a month; -1: the last. */
  readonly nth?: number
  /** The day of a month or year. A month without that day has its last one. */
  readonly date?: number | 'last'
  /** The month of a year, 1 to 12. */
  readonly month?: number
  /** The last day: `2026-03-31`. Absent: it does not end. */
  readonly until?: string
}

/** Whether people do not work on a day, `2026-05-03`, that is no Saturday and no Sunday. */
export type IsHoliday = (day: string) => boolean

/** Days that are looked through: every 12th month on a day in February, and more. */
const LONGEST = 13 * 366

/** The first time after an instant. Undefined: there is none. */
export function nextTime(repeat: Repeat, after: number, zone: string, isHoliday: IsHoliday = () => false): number | undefined {
  const { unit, n, minutes = 0 } = repeat
  if (unit === 'minute' || unit === 'hour') return after + n * (unit === 'hour' ? HOUR : MINUTE)
  const today = startOfDay(toWall(after, zone))
  for (let day = 0; day < LONGEST; day++) {
    const wall = today + day * DAY
    if (repeat.until !== undefined && dayText(wall) > repeat.until) return undefined
    if (!isOn(repeat, wall, isHoliday)) continue
    const instant = fromWall(wall + minutes * MINUTE, zone)
    if (instant > after) return instant
  }
  return undefined
}

function isOn({ unit, n, from, weekdays = [], nth, date, month }: Repeat, wall: number, isHoliday: IsHoliday): boolean {
  const begin = Date.parse(`${from}T00:00:00Z`)
  const day = new Date(wall)
  const [years, months] = [day.getUTCFullYear(), day.getUTCMonth()]
  const start = new Date(begin)
  const monthsSince = (years - start.getUTCFullYear()) * 12 + months - start.getUTCMonth()
  switch (unit) {
    case 'day':
      return Math.round((wall - begin) / DAY) % n === 0
    case 'workday':
      return weekdayOf(wall) % 6 > 0 && !isHoliday(dayText(wall))
    case 'week':
      return weekdays.includes(weekdayOf(wall)) && Math.round((mondayOf(wall) - mondayOf(begin)) / DAY / 7) % n === 0
    case 'month':
      return monthsSince % n === 0 && isDateOf(wall, date, weekdays, nth)
    case 'year':
      return months + 1 === month && isDateOf(wall, date, weekdays, nth)
    default:
      return false
  }
}

function isDateOf(wall: number, date: Repeat['date'], weekdays: readonly number[], nth: number | undefined): boolean {
  const day = new Date(wall)
  const number = day.getUTCDate()
  const last = daysIn(day.getUTCFullYear(), day.getUTCMonth())
  if (nth !== undefined)
    return weekdays.includes(weekdayOf(wall)) && (nth < 0 ? number + 7 > last : Math.ceil(number / 7) === nth)
  return number === (date === 'last' ? last : Math.min(date ?? 1, last))
}

/** The repeat from the day of another time, at another time of the day. */
export function movedTo(repeat: Repeat, at: number, zone: string): Repeat {
  const wall = toWall(at, zone)
  const minutes = Math.floor((wall - startOfDay(wall)) / MINUTE)
  return { ...repeat, ...(repeat.minutes !== undefined && { minutes }) }
}
