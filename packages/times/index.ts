/** Reads times in words, and finds out which instant they mean. */
import { LANGUAGES } from './language.ts'
import { foldWidth, type Phrase, phraseReader, type ReadLimits, type ReadPhrase, type Said } from './said.ts'

export { type IsHoliday, movedTo, nextTime, type Repeat } from './repeat.ts'
export { FARTHEST, isOfDay, type Now, type Resolved, resolve, SHORTEST } from './resolve.ts'
export { foldWidth, type Limits, type Phrase, type ReadLimits, type ReadPhrase, type Said } from './said.ts'
export { DAY, dayText, fromWall, HOUR, MINUTE, mondayOf, startOfDay, toWall, weekdayOf } from './wall.ts'

/** Reads the phrases of one language. */
export interface TimeReader {
  readonly phrase: ReadPhrase
  readonly limits: ReadLimits
  /** True: a phrase of times can begin between any two letters. */
  readonly isUnspaced: boolean
  /** The word before an hour that stands alone, with a space: "at "; empty in a language that needs none. */
  readonly at: string
}

/** By locale. */
export const TIME_READERS: ReadonlyMap<string, TimeReader> = new Map(
  [...LANGUAGES].map(([locale, { isUnspaced = false, at, ...words }]) => [
    locale,
    { ...phraseReader(words), isUnspaced, at: at === undefined ? '' : `${at} ` },
  ]),
)

/** A longer text names no time. */
export const LONGEST = 500

/** The text in half width and with single spaces. Undefined: it is too long. */
export function tidy(given: string): string | undefined {
  const text = foldWidth(given).replace(/\s+/gu, ' ').trim()
  return text.length > LONGEST ? undefined : text
}

/** The times in a text that says nothing else, such as "friday at 10". */
export function timesIn(given: string): Phrase | undefined {
  const text = tidy(given)
  if (text === undefined) return undefined
  for (const { phrase, at } of TIME_READERS.values()) {
    for (const whole of new Set([text, `${at}${text}`])) {
      const found = phrase(whole, 0)
      if (found && /^[\s.。!！?？、,]*(?:に|で)?[\s.。!！?？]*$/u.test(whole.slice(found.end))) return found
    }
  }
  return undefined
}

/** The one time in a text that says nothing else. */
export function saidIn(given: string): Said | undefined {
  const found = timesIn(given)
  return found && found.all.length === 1 ? found.said : undefined
}

/** The first time that a text names anywhere. */
export function timeIn(given: string): Said | undefined {
  const text = tidy(given)
  if (text === undefined) return undefined
  for (const { phrase, isUnspaced } of TIME_READERS.values()) {
    for (let at = 0; at < text.length; at++) {
      if (!isUnspaced && at > 0 && !/[\s,]/u.test(text[at - 1] ?? '')) continue
      const found = phrase(text, at)
      if (found) return found.said
    }
  }
  return undefined
}
