/** The time that a question asks for: "where did I live before?", "what did we decide in May?" */
import { anyOf } from 'kikimimi'
import type { Recalled } from '../api/facts.ts'
import { LANGUAGES } from '../language.ts'
import { READ } from '../text/tokens.ts'

/** From `from` on, before `to`. */
export interface Range {
  readonly from: Date
  readonly to: Date
}

export interface Asked {
  /** Whether the question is about the past: facts that no longer hold count too. */
  readonly history: boolean
  readonly range?: Range
}

const BEFORE = anyOf(LANGUAGES.map(({ before }) => new RegExp(before, 'i')))
const DAY = 86_400_000

/** @param now the time of the question, by which "last week" and "in May" are resolved: the latest May that has begun */
export function whenAsked(text: string, now: Date): Asked {
  const plain = text.slice(0, READ).normalize('NFKC').normalize('NFC')
  const range = rangeIn(plain, now)
  return range ? { history: true, range } : { history: BEFORE.test(plain) }
}

function rangeIn(text: string, now: Date): Range | undefined {
  for (const { spans } of LANGUAGES) {
    for (const [unit, back, pattern] of spans) {
      if (pattern.test(text)) return SPANS[unit](now, back)
    }
  }
  const month = monthIn(text)
  if (month === undefined) {
    const [, year] = /(?<!\d)(20\d\d)(?!\d)/.exec(text) ?? []
    return year === undefined ? undefined : { from: new Date(Number(year), 0), to: new Date(Number(year) + 1, 0) }
  }
  const [, named] = /(?<!\d)(20\d\d)(?!\d)/.exec(text) ?? []
  const year = named === undefined ? now.getFullYear() - (month > now.getMonth() ? 1 : 0) : Number(named)
  return { from: new Date(year, month), to: new Date(year, month + 1) }
}

/** 0 to 11. */
function monthIn(text: string): number | undefined {
  for (const { months } of LANGUAGES) {
    const at = months.findIndex(month => month.test(text))
    if (at !== -1) return at
  }
  return undefined
}

const SPANS = {
  day: (now: Date, back: number) => span(midnight(now), -back, 1),
  week: (now: Date, back: number) => span(midnight(now), -((now.getDay() + 6) % 7) - 7 * back, 7),
  month: (now: Date, back: number): Range => ({
    from: new Date(now.getFullYear(), now.getMonth() - back),
    to: new Date(now.getFullYear(), now.getMonth() - back + 1),
  }),
  year: (now: Date, back: number): Range => ({
    from: new Date(now.getFullYear() - back, 0),
    to: new Date(now.getFullYear() - back + 1, 0),
  }),
} as const

function midnight(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate())
}

function span(start: Date, days: number, length: number): Range {
  const from = new Date(start.getTime() + days * DAY)
  return { from, to: new Date(from.getTime() + length * DAY) }
}

/** What was said or began in the range first, then what was true in it, then the rest; each in its order. */
export function inRangeFirst(found: readonly Recalled[], { from, to }: Range): Recalled[] {
  const within = (at: Date) => at >= from && at < to
  const rank = (one: Recalled) => {
    if (one.kind === 'message') return within(one.message.at) ? 0 : 2
    const { at, validFrom, validTo } = one.fact
    if (within(validFrom) || within(at) || (validTo && within(validTo))) return 0
    return validFrom < to && (!validTo || validTo > from) ? 1 : 2
  }
  return found.toSorted((one, other) => rank(one) - rank(other))
}
