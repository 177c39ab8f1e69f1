/** What a text says about a time, before it is known which instant it means, and how a text is read. */

export interface PartOfDay {
  /** The hour without a time of the clock. */
  readonly hour: number
  /** How it reads an hour from 1 to 12. `noon`: 11 stays, and 1 is 13. `night`: 9 is 21, 12 the end of the day, and 1 the hour after. */
  readonly half: 'am' | 'pm' | 'noon' | 'night'
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
  /** The time of the day at which it is said: "the same time". */
  readonly sameTime?: boolean
  /** The time zone of the words. An IANA name or an offset. */
  readonly zone?: string
  /** From now. `hours`: the next full hour. */
  readonly after?: {
    readonly months?: number
    readonly days?: number
    readonly workdays?: number
    readonly ms?: number
    readonly hours?: 1
  }
  /** From that time; negative: before it. "The day before Christmas", "20 minutes before noon". */
  readonly shift?: { readonly days?: number; readonly ms?: number }
  readonly repeat?: SaidRepeat
  /** The weekdays on which it repeats. */
  readonly weekdays?: readonly number[]
  /** Weekdays on which it does not repeat. */
  readonly except?: readonly number[]
  /** The nth weekday of the month; -1: the last one. */
  readonly nth?: number
  /** The nth working day instead of a weekday. */
  readonly workday?: boolean
  /** The day from which it repeats, and the last one. */
  readonly start?: Said
  readonly until?: Said
  /** How many times it repeats in total. */
  readonly times?: number
}

/** A pattern of a language, and what it says. Undefined: nothing, such as 25 o'clock. */
export type Part = readonly [source: string, says: (match: readonly (string | undefined)[]) => Said | undefined]

/** The words for times of one language. Sources of patterns. */
export interface TimeWords {
  readonly parts: readonly Part[]
  /** What may stand before the first part. */
  readonly lead: string
  /** What may stand between two parts. */
  readonly glue: string
  /** What ends a part. */
  readonly ends: string
  /** What makes a phrase before it mean something else. */
  readonly unclear: string
  /** Between two times of which both are meant, and of which one is meant. */
  readonly and: string
  readonly or: string
  /** Before a time, or after it, that begins or ends something that repeats. */
  readonly starts: string
  readonly until: string
  /** True: these words stand after the time. */
  readonly isAfter: boolean
}

export interface Phrase {
  /** The first time. */
  readonly said: Said
  /** All times: "at 9 and 17" has two. */
  readonly all: readonly Said[]
  /** The words leave it open which of the times is meant: "tomorrow or friday". */
  readonly isOpen: boolean
  /** Where the words of the time begin: behind "on" and "at". */
  readonly begin: number
  readonly end: number
}

/** Reads the longest phrase of times that begins at a place of a text. */
export type ReadPhrase = (text: string, from: number) => Phrase | undefined

/** What limits something that repeats: the days from which and until which, how often, the weekdays without it. */
export interface Limits {
  readonly said: Pick<Said, 'start' | 'until' | 'times' | 'except'>
  readonly end: number
}

/** Reads the limits that begin at a place of a text: "until the end of may", "starting monday, for two weeks", 「5月末まで」. */
export type ReadLimits = (text: string, from: number) => Limits | undefined

const LIMITS = ['start', 'until', 'times', 'except'] as const

/** What a time of the day consists of. */
const TIME = ['hour', 'minute', 'sure', 'before', 'part', 'sameTime'] as const

export function phraseReader({ parts, lead, glue, ends, unclear, isAfter, ...words }: TimeWords): {
  readonly phrase: ReadPhrase
  readonly limits: ReadLimits
} {
  const compiled = parts.map(([source, says]) => [new RegExp(`(?:${source})${ends}`, 'iuy'), says] as const)
  const [first, next, never, and, or, starts, until] = [lead, glue, unclear, words.and, words.or, words.starts, words.until].map(
    source => new RegExp(source, 'iuy'),
  )
  const bounds = [
    [starts, 'start'],
    [until, 'until'],
  ] as const
  const skip = (pattern: RegExp | undefined, text: string, at: number) => {
    if (!pattern) return at
    pattern.lastIndex = at
    return pattern.test(text) ? pattern.lastIndex : at
  }

  /** The longest part at a place that says nothing again. */
  function partAt(
    text: string,
    at: number,
    said: Said,
    isPlain: boolean | 'day' = false,
  ): { readonly said: Said; readonly end: number } | undefined {
    let found: { readonly said: Said; readonly end: number } | undefined
    for (const [pattern, says] of compiled) {
      pattern.lastIndex = at
      const match = pattern.exec(text)
      if (!match || pattern.lastIndex <= (found?.end ?? at)) continue
      const one = says(match)
      if (isPlain && one?.repeat) continue
      if (isPlain === 'day' && one && TIME.some(key => Object.hasOwn(one, key))) continue
      if (one && !Object.keys(one).some(key => Object.hasOwn(said, key))) found = { said: one, end: pattern.lastIndex }
    }
    return found
  }

  /** "Starting monday", "until april". @param isPlain true: also at a time of the day */
  function boundAt(
    text: string,
    at: number,
    said: Said,
    isPlain: true | 'day' = 'day',
  ): { readonly said: Said; readonly end: number } | undefined {
    if (isAfter) return undefined
    for (const [pattern, key] of bounds) {
      const begin = skip(pattern, text, at)
      if (begin === at || said[key]) continue
      const day = one(text, begin, isPlain)
      if (day) return { said: { [key]: day.said }, end: day.end }
    }
    return undefined
  }

  /** @param isPlain without bounds and further times */
  function one(
    text: string,
    from: number,
    isPlain: boolean | 'day' = false,
  ): { readonly said: Said; readonly begin: number; readonly end: number } | undefined {
    let said: Said = {}
    let end = from
    let begin: number | undefined
    for (let at = skip(first, text, from); ; at = skip(next, text, end)) {
      const more =
        partAt(text, at, said, isPlain) ?? (isPlain ? undefined : (boundAt(text, at, said) ?? boundAt(text, end, said)))
      if (!more) break
      begin ??= at
      said = { ...said, ...more.said }
      end = more.end
      if (!isAfter || isPlain) continue
      for (const [pattern, key] of bounds) {
        const behind = skip(pattern, text, end)
        // What it bounds follows.
        if (behind === end || said[key] || said.repeat || said.hour !== undefined || !partAt(text, skip(next, text, behind), {}))
          continue
        const { start, until: last, ...day } = said
        said = { ...(start && { start }), ...(last && { until: last }), [key]: day }
        end = behind
      }
    }
    return begin === undefined ? undefined : { said, begin, end }
  }

  function phrase(text: string, from: number): Phrase | undefined {
    const whole = one(text, from)
    // 「20日から23日になった」
    const isBounded = whole && (whole.said.until || whole.said.start) && !whole.said.repeat && !whole.said.weekdays
    const found = isBounded ? one(text, from, true) : whole
    if (!found || (isBounded && (found.said.until || found.said.start))) return undefined
    const all = [found.said]
    let { end } = found
    let isOpen = false
    for (;;) {
      const [both, either] = [skip(and, text, end), skip(or, text, end)]
      const at = Math.max(both, either)
      const more = at > end ? (one(text, at, true) ?? numberAt(text, at, all.at(-1))) : undefined
      if (!more || !isLike(more.said, all)) break
      isOpen ||= either > both
      all.push(more.said)
      end = more.end
    }
    if (skip(never, text, end) !== end) return undefined
    const [said = found.said, ...others] = shared(all)
    return { said, all: [said, ...others], isOpen, begin: found.begin, end }
  }

  function limits(text: string, from: number): Limits | undefined {
    let said: Limits['said'] = {}
    let end = from
    for (let at = from; ; at = skip(next, text, end)) {
      const more =
        boundAt(text, at, said, true) ?? boundAt(text, end, said, true) ?? boundBefore(text, at, said) ?? limitAt(text, at, said)
      if (!more) break
      said = { ...said, ...more.said }
      end = more.end
    }
    return end > from ? { said, end } : undefined
  }

  /** 「5月末まで」 */
  function boundBefore(text: string, at: number, said: Said): Limits | undefined {
    const day = isAfter ? one(text, at, true) : undefined
    if (!day) return undefined
    for (const [pattern, key] of bounds) {
      const end = skip(pattern, text, day.end)
      if (end > day.end && !said[key]) return { said: { [key]: day.said }, end }
    }
    return undefined
  }

  function limitAt(text: string, at: number, said: Said): Limits | undefined {
    const found = partAt(text, at, { ...said, repeat: { unit: 'day', n: 1 } })
    return found && Object.keys(found.said).every(key => LIMITS.some(one => one === key)) ? found : undefined
  }

  /** The second of two hours, or of two dates: "at 9 and 17", "may 3 and 5". */
  function numberAt(text: string, at: number, before: Said = {}): { readonly said: Said; readonly end: number } | undefined {
    const match = /(\d{1,2})(?![\p{L}\d:./])/uy
    match.lastIndex = at
    const digits = match.exec(text)?.[1]
    if (digits === undefined) return undefined
    const number = Number(digits)
    if (before.date !== undefined && before.hour === undefined) return { said: { date: number }, end: match.lastIndex }
    return number < 24
      ? { said: { hour: number, minute: 0, sure: number === 0 || number > 12 }, end: match.lastIndex }
      : undefined
  }

  return { phrase, limits }
}

const partsOf = (said: Said) => {
  const entries = Object.entries(said)
  const isTime = ([key]: [string, unknown]) => TIME.some(one => one === key)
  return { time: entries.filter(isTime), day: entries.filter(entry => !isTime(entry)) }
}

/** Whether a further time is one of a list: an hour beside an hour, a day beside a day. */
function isLike(said: Said, all: readonly Said[]): boolean {
  if (said.after || all.some(({ after }) => after && after.days === undefined)) return said.after !== undefined
  const [one, before] = [partsOf(said), partsOf(all.at(-1) ?? {})]
  return one.day.length > 0 || before.time.length > 0
}

/** What one time of a list leaves out, another one says: "tomorrow and friday at 9", "every day at 8 and 20", "on may 3 and 5". */
function shared(all: readonly Said[]): readonly Said[] {
  const made: Said[] = []
  for (const [index, said] of all.entries()) {
    const { time, day } = partsOf(said)
    const before = made[index - 1]
    const isDateOf = before && (day.every(([key]) => key === 'date') || day.every(([key]) => key === 'nth' || key === 'weekdays'))
    const isOfWeek = before?.weeks !== undefined && day.every(([key]) => key === 'weekday')
    const ofBefore = before ? partsOf(before).day.filter(([key]) => key !== 'shift') : []
    const isRepeated = before?.repeat && !said.repeat && said.weekday === undefined
    const days = day.length === 0 || isDateOf || isOfWeek || isRepeated ? [...ofBefore, ...day] : day
    const later = all.slice(index + 1).find(one => partsOf(one).time.length > 0)
    const times =
      time.length > 0 ? time : before && partsOf(before).time.length > 0 ? partsOf(before).time : partsOf(later ?? {}).time
    made.push(Object.fromEntries([...days, ...times]))
  }
  return made
}

/** The digits, letters and signs of full width as those of half width, so that the text keeps its length. */
export function foldWidth(text: string): string {
  return text
    .replace(/[０-９Ａ-Ｚａ-ｚ：／．＠（）－]/gu, sign => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replaceAll('　', ' ')
}
