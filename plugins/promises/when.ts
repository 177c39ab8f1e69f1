/** Times as people read them. */

import type { Repeat } from '@kikimimi/times'
import type { Locale } from 'kikimimi'
import { texts } from './texts.ts'

const tag = (locale: Locale) => (locale === 'en' ? 'en-GB' : locale)

/** `Thursday, 12 March 2026 at 09:00` */
export function formatWhen(at: number | Date, zone: string, locale: Locale): string {
  const style = { dateStyle: 'full', timeStyle: 'short', hourCycle: 'h23', timeZone: zone } as const
  return new Intl.DateTimeFormat(tag(locale), style).format(at)
}

/** 1970-01-04 is a Sunday. */
const dayName = (day: number, locale: Locale) =>
  new Intl.DateTimeFormat(tag(locale), { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(1970, 0, 4 + day))

/** `every 2 weeks on Monday and Thursday, until 31 March 2026` */
export function formatEvery({ unit, n, weekdays = [], nth, date, month, until }: Repeat, locale: Locale): string {
  const say = texts(locale)
  const every = n === 1 ? say(`each.${unit}`) : say(`every.${unit}`, { count: n })
  const days = new Intl.ListFormat(tag(locale)).format(
    weekdays.toSorted((a, b) => ((a + 6) % 7) - ((b + 6) % 7)).map(day => dayName(day, locale)),
  )
  const ends =
    until === undefined
      ? ''
      : say('until', {
          day: new Intl.DateTimeFormat(tag(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(until)),
        })
  const on = () => {
    if (unit === 'week') return n === 1 ? say('onDays', { days }) : say('everyOn', { every, days })
    if (unit !== 'month' && unit !== 'year') return every
    const ofMonth =
      unit === 'year' && month !== undefined
        ? new Intl.DateTimeFormat(tag(locale), { month: 'long', timeZone: 'UTC' }).format(Date.UTC(1970, month - 1, 1))
        : ''
    const which =
      nth === undefined
        ? date === 'last'
          ? say('lastDay')
          : say('date', { date: date ?? 1 })
        : nth < 0
          ? say('lastOf', { days })
          : say('nth', { nth, days })
    return say('everyDate', { every, month: ofMonth, which })
  }
  return `${on()}${ends}`
}
