/** Times as people read them. */

import type { Repeat } from '@kikimimi/times'
import type { Locale } from 'kikimimi'
import type { Words } from './texts.ts'

/** `Thursday, 12 March 2026 at 09:00` */
export function formatWhen(at: number | Date, zone: string, locale: Locale): string {
  const style = { dateStyle: 'full', timeStyle: 'short', hourCycle: 'h23', timeZone: zone } as const
  return new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, style).format(at)
}

/** `every 2 weeks` */
export function formatEvery({ unit, n }: Repeat, say: Words): string {
  return say(`every.${unit}`, { count: n })
}
