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

function dayBefore(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - 1)
  return date.toISOString().slice(0, 10)
}
