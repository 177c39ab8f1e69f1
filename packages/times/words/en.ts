/** English words for numbers, days, amounts and hours, and what they say. */
import type { Said, SaidRepeat } from '../said.ts'

const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
const WORDS = new Map<string, number>([
  ...NUMBERS.map((word, index) => [word, index + 1] as const),
  ...([
    ['a', 1],
    ['an', 1],
    ['another', 1],
    ['half a', 0.5],
    ['half an', 0.5],
    ['a few', 3],
    ['a couple', 2],
    ['a couple of', 2],
  ] as const),
  ...([
    ['fifteen', 15],
    ['twenty', 20],
    ['thirty', 30],
    ['forty', 40],
    ['forty-five', 45],
    ['fifty', 50],
    ['sixty', 60],
    ['ninety', 90],
  ] as const),
])
export const N = String.raw`(?:\d{1,4}(?:\.\d)?|${[...WORDS.keys()].sort((a, b) => b.length - a.length).join('|')})`
export const numberOf = (text = '') => WORDS.get(text.toLowerCase()) ?? Number(text)

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
export const WEEKDAY = '(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?'
export const weekdayOf = (text = '') => DAYS.indexOf(text.slice(0, 3).toLowerCase())
export const weekdaysIn = (text = '') => [...text.matchAll(new RegExp(WEEKDAY, 'gi'))].map(([day]) => weekdayOf(day))

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
export const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
export const monthOf = (text = '') => MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1

export const UNIT = '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|months?|years?|fortnights?|[smhdw])'
export const MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const

// ---------------------------------------------------------------- parts of the day

export const MORNING = { hour: 9, half: 'am' } as const
export const NOON = { hour: 12, half: 'noon' } as const
const AFTERNOON = { hour: 15, half: 'pm' } as const
export const EVENING = { hour: 18, half: 'pm' } as const
export const NIGHT = { hour: 21, half: 'night' } as const
export const TONIGHT = { hour: 20, half: 'night' } as const
export const partOf = (text = '') =>
  ({ morning: MORNING, noon: NOON, afternoon: AFTERNOON, evening: EVENING, night: NIGHT })[text.toLowerCase()] ?? MORNING

type Amount = NonNullable<Said['after']>

export function amount(number: string | undefined, unit = '', half?: string): Amount {
  const n = numberOf(number) + (half ? 0.5 : 0)
  const name = unit.toLowerCase()
  if (name.startsWith('mo')) return { months: n }
  if (name.startsWith('y')) return { months: 12 * n }
  if (name.startsWith('w')) return { days: 7 * n }
  if (name.startsWith('f')) return { days: 14 * n }
  if (name.startsWith('d')) return { days: n }
  return { ms: n * MS[name[0] as 's' | 'm' | 'h'] }
}

/** Half a month or half a day has no time of the clock. */
export const whole = (after: Amount): Said | undefined =>
  Number.isInteger(after.months ?? 0) && Number.isInteger(after.days ?? 0) ? { after } : undefined

export function clock(hour: string | undefined, minute?: string, half?: string): Said | undefined {
  const [h, m] = [numberOf(hour), Number(minute ?? 0)]
  const isPm = half?.toLowerCase().startsWith('p')
  // "13:30pm" is clear; "13:30am" is not.
  if (h > (isPm || !half ? 23 : 12) || m > 59 || (half && h === 0)) return undefined
  if (half && h <= 12) return { hour: (h % 12) + (isPm ? 12 : 0), minute: m, sure: true }
  return { hour: h, minute: m, sure: h === 0 || h > 12 || (hour?.length === 2 && hour.startsWith('0')) }
}

export const HALF = String.raw`([ap])\.?\s?m\.?`
export const HOUR = `(\\d{1,2}|${NUMBERS.join('|')})`

const UNITS: Readonly<Record<string, SaidRepeat['unit']>> = {
  mi: 'minute',
  ho: 'hour',
  hr: 'hour',
  da: 'day',
  we: 'week',
  mo: 'month',
  ye: 'year',
}
export const unitOf = (text = ''): SaidRepeat['unit'] => UNITS[text.slice(0, 2).toLowerCase()] ?? 'day'
export const nthOf = (text = '') =>
  ({ fir: 1, sec: 2, thi: 3, fou: 4, las: -1 })[text.slice(0, 3).toLowerCase()] ?? Number.parseInt(text, 10)

export const EVERY = '(?:every|each)'
export const LIST = String.raw`${WEEKDAY}s?(?:(?:\s?,\s?(?:and )?|\s(?:and|&)\s|\s)${WEEKDAY}s?){0,6}`

/** Two weekdays are a list of days, three or more of which are every week. */
export const runOf = (weekdays: readonly number[]): Said | undefined => (weekdays.length > 2 ? { weekdays } : undefined)

export function sumOf(one: Amount, other: Amount): Said | undefined {
  if (one.months || other.months) return undefined
  return whole({ days: (one.days ?? 0) + (other.days ?? 0), ms: (one.ms ?? 0) + (other.ms ?? 0) })
}

export const wholeShift = (days: number): Said | undefined => (Number.isInteger(days) ? { shift: { days } } : undefined)

export const shiftedBy = (said: Said, days: number): Said | undefined =>
  Number.isInteger(days) ? { ...said, shift: { days } } : undefined

export function aroundNoon(minutes = '', to = '', noon = ''): Said | undefined {
  const n = /quarter/i.test(minutes) ? 15 : /^half$/i.test(minutes) ? 30 : numberOf(minutes)
  const hour = noon.toLowerCase() === 'midnight' ? 24 : 12
  if (!(n > 0 && n < 60)) return undefined
  return /^(?:to|before)$/i.test(to) ? { hour, minute: 0, sure: true, before: n } : { hour: hour % 24, minute: n, sure: true }
}

/** 3/20 and 20/3 are clear; 3/4 is not. */
export function slashed(one: number, other: number): Said | undefined {
  if (one > 12 === other > 12) return undefined
  return one > 12 ? { month: other, date: one } : { month: one, date: other }
}

export function weeksOf(which = ''): Said {
  return which.toLowerCase() === 'coming' ? {} : { weeks: which.toLowerCase() === 'next' ? 1 : 0 }
}

export function clockSure(hour: string | undefined, minute: string | undefined): Said | undefined {
  const said = clock(hour, minute)
  return said && { ...said, sure: true }
}

export const withBefore = (said: Said | undefined, before = 15): Said | undefined =>
  said && before > 0 && before < 60 ? { ...said, before } : undefined
