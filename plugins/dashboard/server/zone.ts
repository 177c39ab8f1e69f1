/** The time zone of a viewer in the JSON API. */
import { z } from 'zod'

const ERROR = 'expected a time zone such as Asia/Tokyo'

export const zone = z.string().max(64).refine(isZone, { error: ERROR })

/** Postgres reads the sign of `+09:00` the other way round. */
function isZone(text: string): boolean {
  try {
    return !/^[-+]/.test(text) && new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
