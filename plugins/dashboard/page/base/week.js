/** Hours of the week, from Monday 0:00. */
import { language } from './words.js'

const HOUR = 60 * 60_000
/** A Monday, 0:00 in UTC. */
const MONDAY = Date.UTC(2024, 0, 1)

const hereZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** An hour of the week in the zone of this browser, as a filter. @param {number} hour */
export const weekFilter = hour => `${hour} ${hereZone()}`

/** Such as `Mondays from 9:00`. @param {string} filter */
export function weekHourName(filter) {
  const [hour, zone] = filter.split(' ', 2)
  // The database counts in hours of UTC, which begin within an hour of some zones.
  const minutes = zone === hereZone() ? (((-new Date().getTimezoneOffset() % 60) + 60) % 60) * 60_000 : 0
  return new Intl.DateTimeFormat(language(), { weekday: 'long', hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
    MONDAY + Number(hour) * HOUR + minutes,
  )
}

/** The name of a day of the week. @param {number} day 0 is Monday */
export function dayName(day) {
  return new Intl.DateTimeFormat(language(), { weekday: 'short', timeZone: 'UTC' }).format(new Date(MONDAY + day * 24 * HOUR))
}
