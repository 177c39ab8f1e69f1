/** When the daily backup is due. */

/**
 * The day to which a moment belongs, if days begin at this time of day. A backup is due when the newest one belongs to another day.
 *
 * @param at `HH:MM`
 * @param timeZone Default: the zone of the machine
 */
export function backupDay(moment: Date, at: string, timeZone?: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    ...(timeZone !== undefined && { timeZone }),
  }).formatToParts(moment)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find(one => one.type === type)?.value ?? ''
  const day = `${part('year')}-${part('month')}-${part('day')}`
  return `${part('hour')}:${part('minute')}` < at ? dayBefore(day) : day
}

const MINUTE = 60_000

/** When the next day of backups begins, if that is within an hour after the moment. */
export function nextDay(moment: Date, at: string, timeZone?: string): Date | undefined {
  const today = backupDay(moment, at, timeZone)
  const first = Math.floor(moment.getTime() / MINUTE) + 1
  const minutes = Array.from({ length: 60 }, (_, index) => new Date((first + index) * MINUTE))
  return minutes.find(minute => backupDay(minute, at, timeZone) !== today)
}

function dayBefore(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - 1)
  return date.toISOString().slice(0, 10)
}
