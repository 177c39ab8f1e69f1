/** Hours of the week in the time zone of a viewer. The database counts in hours of UTC, and each belongs to the hour in which it begins. */

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const WEEK = 7 * 24

/** Days between two looks at the offset of a zone. */
const LOOK = 10
/** Days in the past whose turns are found. */
const KEPT = 800

/** @param given `9 Asia/Tokyo`, or `9` for UTC */
export function hourOfWeek(given: string): { readonly hour: number; readonly zone: string } {
  const [hour = '', ...zone] = given.split(' ')
  return { hour: Number(hour), zone: zone.join(' ') || 'UTC' }
}

/** The hours of the week in UTC that begin in an hour of the zone: one for each offset that the zone has had, as in summer and in winter. */
export function utcHours({ hour, zone }: ReturnType<typeof hourOfWeek>, now: number): readonly number[] {
  const offsets = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
  const hours = Array.from({ length: KEPT / LOOK }, (_, n) => {
    const name = offsets.formatToParts(now - n * LOOK * DAY).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = 0, minutes = 0] = /([-+])(\d+):(\d+)/.exec(name) ?? []
    const ahead = (sign === '-' ? -1 : 1) * (Number(hours) + Number(minutes) / 60)
    return (Math.ceil(hour - ahead) + WEEK) % WEEK
  })
  return [...new Set(hours)]
}
