const HOUR_MS = 3_600_000

/** Tells at a time whether to name the key: once an hour. Without a time it is always due. */
export type IsHintDue = (at: number | undefined) => boolean

export function hourly(): IsHintDue {
  let last: number | undefined
  return at => {
    if (at !== undefined && last !== undefined && at >= last && at - last < HOUR_MS) return false
    last = at
    return true
  }
}
