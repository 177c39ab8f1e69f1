/**
 * Times as the clocks of a zone show them. A wall time is a number: the milliseconds of the same date and time in UTC. A time that the
 * clocks skip becomes the end of the gap; a time that they show twice is the first of the two.
 */

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

const formats = new Map<string, Intl.DateTimeFormat>()

/** Limit of zones in memory. */
const ZONES = 100

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', era: 'short' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  if (formats.size >= ZONES) formats.clear()
  formats.set(zone, made)
  return made
}

/** The wall time of an instant. */
export function toWall(instant: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
}

/** The instant of a wall time. */
export function fromWall(wall: number, zone: string): number {
  const offsetAt = (instant: number) => toWall(instant, zone) - Math.floor(instant / 1_000) * 1_000
  const [before, after] = [offsetAt(wall - DAY), offsetAt(wall + DAY)]
  const found = [wall - before, wall - after].filter(instant => toWall(instant, zone) === wall)
  if (found.length > 0) return Math.min(...found)
  // In a gap. Its end is between the two: halve until the minute is found.
  let [early, late] = [wall - after, wall - before]
  while (late - early > MINUTE) {
    const middle = Math.floor((early + late) / 2 / MINUTE) * MINUTE
    if (middle <= early) break
    if (offsetAt(middle) === before) early = middle
    else late = middle
  }
  return late
}

/** The start of the day of a wall time. */
export const startOfDay = (wall: number) => Math.floor(wall / DAY) * DAY

/** 0: Sunday. */
export const weekdayOf = (wall: number) => new Date(wall).getUTCDay()

/** The Monday of the week of a wall time. */
export const mondayOf = (wall: number) => startOfDay(wall) - ((weekdayOf(wall) + 6) % 7) * DAY

/** The number of days of a month; `month` from 0. It may be outside a year. */
export const daysIn = (year: number, month: number) => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

/** Months later. A day that the month does not have becomes its last one. */
export function addMonths(wall: number, months: number): number {
  const date = new Date(wall)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months]
  const day = Math.min(date.getUTCDate(), daysIn(year, month))
  return Date.UTC(year, month, day) + (wall - startOfDay(wall))
}

/** `2026-03-11` */
export const dayText = (wall: number) => new Date(wall).toISOString().slice(0, 10)
