/** How long people say: "for half an hour", 「1時間半」. */
import { LANGUAGES } from './language.ts'

export interface Told {
  /** The text without what tells how long. */
  readonly rest: string
  /** Milliseconds; absent when the text does not tell. */
  readonly ms?: number
}

/** @param text in lower case, width folded */
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
