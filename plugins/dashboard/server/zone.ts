/** The time zone of a viewer in the JSON API. */
import { z } from 'zod'

const ERROR = 'expected a time zone such as Asia/Tokyo'

/** `CET` and its like become the place that they stand for: Postgres has them without summer time. */
export const zone = z
  .string()
  .max(64)
  .refine(text => placeOf(text) !== undefined, { error: ERROR, abort: true })
  .overwrite(text => placeOf(text) ?? text)

/** Nothing for no time zone. Postgres reads the sign of `+09:00` the other way round. */
function placeOf(text: string): string | undefined {
  if (/^[-+]/.test(text)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
