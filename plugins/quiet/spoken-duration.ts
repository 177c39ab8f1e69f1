/** Durations in words: "for half an hour", 「1時間半」. */
import { LANGUAGES } from './language.ts'

export interface Told {
  /** The text without the duration. */
  readonly rest: string
  /** Milliseconds. Absent: the text names no duration. */
  readonly ms?: number
}

/** @param text in lower case and folded width */
export function takeDuration(text: string): Told {
  let ms = 0
  let rest = text
  for (const { duration } of LANGUAGES) {
    rest = rest.replace(duration.pattern, (whole, ...groups: (string | undefined)[]) => {
      const length = duration.ms(groups)
      ms += length ?? 0
      return length === undefined ? whole : ' '
    })
  }
  return { rest, ...(ms > 0 && { ms }) }
}
