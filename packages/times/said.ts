/** What a text says about a time, before it is known which instant it means, and how a text is read. */

export interface PartOfDay {
  /** The hour without a time of the clock. */
  readonly hour: number
  /** How it reads an hour from 1 to 12. `noon`: 11 stays, and 1 is 13. */
  readonly half: 'am' | 'pm' | 'noon'
}

/** How something repeats. */
export interface SaidRepeat {
  readonly unit: 'minute' | 'hour' | 'day' | 'workday' | 'week' | 'month' | 'year'
  /** Every nth. */
  readonly n: number
}

/** Every value is what the words say; what they do not say is absent. */
export interface Said {
  /** Days from today. */
  readonly days?: number
  /** 0: Sunday. */
  readonly weekday?: number
  /** Weeks from this one, which begins on Monday. */
  readonly weeks?: number
  readonly year?: number
  /** Years from this one. */
  readonly years?: number
  /** 1 to 12. */
  readonly month?: number
  /** Months from this one. */
  readonly months?: number
  readonly date?: number | 'last'
  readonly hour?: number
  readonly minute?: number
  /** Whether the hour is of the 24-hour clock. */
  readonly sure?: boolean
  /** Minutes before that time. */
  readonly before?: number
  readonly part?: PartOfDay
  /** From now. */
  readonly after?: { readonly months?: number; readonly days?: number; readonly ms?: number }
  readonly repeat?: SaidRepeat
  /** The weekdays on which it repeats. */
  readonly weekdays?: readonly number[]
  /** The nth weekday of the month; -1: the last one. */
  readonly nth?: number
}

/** A pattern of a language, and what it says. Undefined: nothing, such as 25 o'clock. */
export type Part = readonly [source: string, says: (match: readonly (string | undefined)[]) => Said | undefined]

/** The words for times of one language. */
export interface TimeWords {
  readonly parts: readonly Part[]
  /** What may stand before the first part. Source of a pattern. */
  readonly lead: string
  /** What may stand between two parts. Source of a pattern. */
  readonly glue: string
  /** What ends a part. Source of a pattern. */
  readonly ends: string
  /** What makes a phrase before it mean something else. Source of a pattern. */
  readonly unclear: string
}

export interface Phrase {
  readonly said: Said
  readonly end: number
}

/** Reads the longest phrase of times that begins at a place of a text. */
export type ReadPhrase = (text: string, from: number) => Phrase | undefined

export function phraseReader({ parts, lead, glue, ends, unclear }: TimeWords): ReadPhrase {
  const compiled = parts.map(([source, says]) => [new RegExp(`(?:${source})${ends}`, 'iuy'), says] as const)
  const [first, next, never] = [lead, glue, unclear].map(source => new RegExp(source, 'iuy'))
  const skip = (pattern: RegExp | undefined, text: string, at: number) => {
    if (!pattern) return at
    pattern.lastIndex = at
    return pattern.test(text) ? pattern.lastIndex : at
  }

  return (text, from) => {
    let said: Said = {}
    let end = from
    for (let at = skip(first, text, from); ; at = skip(next, text, end)) {
      let longest = at
      let more: Said | undefined
      for (const [pattern, says] of compiled) {
        pattern.lastIndex = at
        const match = pattern.exec(text)
        if (!match || pattern.lastIndex <= longest) continue
        const one = says(match)
        if (!one || Object.keys(one).some(key => Object.hasOwn(said, key))) continue
        longest = pattern.lastIndex
        more = one
      }
      if (!more) break
      said = { ...said, ...more }
      end = longest
    }
    return end > from && skip(never, text, end) === end ? { said, end } : undefined
  }
}

/** The digits, letters and signs of full width as those of half width, so that the text keeps its length. */
export function foldWidth(text: string): string {
  return text
    .replace(/[０-９Ａ-Ｚａ-ｚ：／．＠（）－]/gu, sign => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll('　', ' ')
}
