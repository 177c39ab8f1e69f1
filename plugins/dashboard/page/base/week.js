/** Hours of the week, counted in UTC from Monday 0:00 and shown in the zone of this browser. */
import { language } from './words.js'

const HOUR = 60 * 60_000
/** A Monday, 0:00 in UTC. */
const MONDAY = Date.UTC(2024, 0, 1)

/** Minutes by which the clock here is ahead of UTC now. */
export const aheadMinutes = () => -new Date().getTimezoneOffset()

/** Where an hour of the week in UTC stands here. Monday is day 0. @param {number} hour */
export function placeInWeek(hour, ahead = aheadMinutes()) {
  const minutes = (hour * 60 + ahead + 7 * 24 * 60) % (7 * 24 * 60)
  return { day: Math.floor(minutes / (24 * 60)), hour: Math.floor(minutes / 60) % 24, minute: minutes % 60 }
}

/** Such as `Mondays from 9:00`. @param {number} hour */
export function weekHourName(hour) {
  const here = new Date(MONDAY + hour * HOUR + aheadMinutes() * 60_000)
  return new Intl.DateTimeFormat(language(), { weekday: 'long', hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(
    here,
  )
}

/** The name of a day of the week. @param {number} day 0 is Monday */
export function dayName(day) {
  return new Intl.DateTimeFormat(language(), { weekday: 'short', timeZone: 'UTC' }).format(new Date(MONDAY + day * 24 * HOUR))
}
