import type { Language } from '../language.ts'
import type { Part, Said, SaidRepeat } from '../said.ts'

// ---------------------------------------------------------------- numbers and names

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
const N = String.raw`(?:\d{1,4}(?:\.\d)?|${[...WORDS.keys()].sort((a, b) => b.length - a.length).join('|')})`
const numberOf = (text = '') => WORDS.get(text.toLowerCase()) ?? Number(text)

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const WEEKDAY = '(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?'
const weekdayOf = (text = '') => DAYS.indexOf(text.slice(0, 3).toLowerCase())
const weekdaysIn = (text = '') => [...text.matchAll(new RegExp(WEEKDAY, 'gi'))].map(([day]) => weekdayOf(day))

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const monthOf = (text = '') => MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1

const UNIT = '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|months?|years?|fortnights?|[smhdw])'
const MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const

// ---------------------------------------------------------------- parts

const MORNING = { hour: 9, half: 'am' } as const
const NOON = { hour: 12, half: 'noon' } as const
const AFTERNOON = { hour: 15, half: 'pm' } as const
const EVENING = { hour: 18, half: 'pm' } as const
const NIGHT = { hour: 21, half: 'pm' } as const
const TONIGHT = { hour: 20, half: 'pm' } as const
const partOf = (text = '') =>
  ({ morning: MORNING, noon: NOON, afternoon: AFTERNOON, evening: EVENING, night: NIGHT })[text.toLowerCase()] ?? MORNING

type Amount = NonNullable<Said['after']>

function amount(number: string | undefined, unit = '', half?: string): Amount {
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
const whole = (after: Amount): Said | undefined =>
  Number.isInteger(after.months ?? 0) && Number.isInteger(after.days ?? 0) ? { after } : undefined

function clock(hour: string | undefined, minute?: string, half?: string): Said | undefined {
  const [h, m] = [numberOf(hour), Number(minute ?? 0)]
  const isPm = half?.toLowerCase().startsWith('p')
  if (h > (half ? 12 : 23) || m > 59 || (half && h === 0)) return undefined
  if (half) return { hour: (h % 12) + (isPm ? 12 : 0), minute: m, sure: true }
  return { hour: h, minute: m, sure: h === 0 || h > 12 || (hour?.length === 2 && hour.startsWith('0')) }
}

const HALF = String.raw`([ap])\.?\s?m\.?`

const UNITS: Readonly<Record<string, SaidRepeat['unit']>> = {
  mi: 'minute',
  ho: 'hour',
  hr: 'hour',
  da: 'day',
  we: 'week',
  mo: 'month',
  ye: 'year',
}
const unitOf = (text = ''): SaidRepeat['unit'] => UNITS[text.slice(0, 2).toLowerCase()] ?? 'day'
const nthOf = (text = '') =>
  ({ fir: 1, sec: 2, thi: 3, fou: 4, las: -1 })[text.slice(0, 3).toLowerCase()] ?? Number.parseInt(text, 10)

const EVERY = '(?:every|each)'
const LIST = String.raw`${WEEKDAY}s?(?:(?:\s?,\s?(?:and )?|\s(?:and|&)\s|\s)${WEEKDAY}s?){0,6}`

const parts: readonly Part[] = [
  // From now.
  [String.raw`in\s?(${N})\s?(${UNIT})((?: and| ?&) a half)?`, ([, n, unit, half]) => whole(amount(n, unit, half))],
  [String.raw`(${N})\s?(${UNIT}) from now`, ([, n, unit]) => whole(amount(n, unit))],
  [
    String.raw`in\s?(\d{1,2})\s?(?:h|hours?|hrs?)(?: and)?\s?(\d{1,2})\s?(?:m|mins?|minutes?)`,
    ([, hours, minutes]) => ({ after: { ms: Number(hours) * MS.h + Number(minutes) * MS.m } }),
  ],
  [
    `(${N}) weeks? from (today|tomorrow)`,
    ([, n, day]) => whole({ days: 7 * numberOf(n) + (day?.toLowerCase() === 'today' ? 0 : 1) }),
  ],
  // Days.
  ['today', () => ({ days: 0 })],
  ['tom+or+ow|tmrw|tmr|tmw|2mor+ow', () => ({ days: 1 })],
  ['(?:the )?day after tomorrow', () => ({ days: 2 })],
  ['yesterday', () => ({ days: -1 })],
  ['tonight|tonite', () => ({ days: 0, part: TONIGHT })],
  ['this (morning|afternoon|evening)', ([, part]) => ({ days: 0, part: partOf(part) })],
  [`(${WEEKDAY})\\.?`, ([, day]) => ({ weekday: weekdayOf(day) })],
  [`(this|next|coming) (${WEEKDAY})\\.?`, ([, which, day]) => ({ weekday: weekdayOf(day), ...weeksOf(which) })],
  [`(${WEEKDAY}) after next`, ([, day]) => ({ weekday: weekdayOf(day), weeks: 2 })],
  ['next week', () => ({ weeks: 1 })],
  ['(?:this|the) weekend', () => ({ weekday: 6, weeks: 0 })],
  ['next weekend', () => ({ weekday: 6, weeks: 1 })],
  ['next month', () => ({ months: 1 })],
  ['(?:end|last day) of (?:the |this )?month', () => ({ months: 0, date: 'last' })],
  ['(?:end|last day) of next month', () => ({ months: 1, date: 'last' })],
  [String.raw`(\d{4})-(\d\d?)-(\d\d?)`, ([, y, m, d]) => ({ year: Number(y), month: Number(m), date: Number(d) })],
  [
    String.raw`(${MONTH})\.? (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?`,
    ([, m, d, y]) => ({ month: monthOf(m), date: Number(d), ...(y && { year: Number(y) }) }),
  ],
  [
    String.raw`(\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH})\.?(?:,? (\d{4}))?`,
    ([, d, m, y]) => ({ month: monthOf(m), date: Number(d), ...(y && { year: Number(y) }) }),
  ],
  ["new year[’']?s eve", () => ({ month: 12, date: 31 })],
  ["new year[’']?s(?: day)?", () => ({ month: 1, date: 1 })],
  ['christmas eve', () => ({ month: 12, date: 24 })],
  ['christmas(?: day)?', () => ({ month: 12, date: 25 })],
  [String.raw`(?<=the\s)(\d{1,2})(?:st|nd|rd|th)`, ([, d]) => ({ date: Number(d) })],
  [String.raw`(\d{1,2})/(\d{1,2})`, ([, one, other]) => slashed(Number(one), Number(other))],
  // Times of the day.
  [String.raw`(\d{1,2})(?:[:.](\d\d))?\s?${HALF}`, ([, h, m, half]) => clock(h, m, half)],
  [String.raw`(\d{1,2}):(\d\d)`, ([, h, m]) => clock(h, m)],
  [String.raw`(?<=(?:at|@|by)\s?)(\d\d)(\d\d)`, ([, h, m]) => clockSure(h, m)],
  [String.raw`(?<=(?:at|@|by)\s?)(\d{1,2}|${NUMBERS.join('|')})`, ([, h]) => clock(h)],
  [String.raw`(\d{1,2}|${NUMBERS.join('|')}) ?o['’]?clock`, ([, h]) => clock(h)],
  [String.raw`half past (\d{1,2}|${NUMBERS.join('|')})`, ([, h]) => clock(h, '30')],
  [String.raw`(?:a )?quarter past (\d{1,2}|${NUMBERS.join('|')})`, ([, h]) => clock(h, '15')],
  [String.raw`(?:a )?quarter to (\d{1,2}|${NUMBERS.join('|')})`, ([, h]) => withBefore(clock(h))],
  [
    String.raw`(${N})(?: min(?:ute)?s?)? (?:past|after) (\d{1,2}|${NUMBERS.join('|')})`,
    ([, minutes, h]) => clock(h, String(numberOf(minutes))),
  ],
  [
    String.raw`(${N})(?: min(?:ute)?s?)? (?:to|before) (\d{1,2}|${NUMBERS.join('|')})`,
    ([, minutes, h]) => withBefore(clock(h), numberOf(minutes)),
  ],
  ['first thing(?: in the morning)?', () => ({ part: MORNING })],
  ['(?:in the )?(morning|afternoon|evening)', ([, part]) => ({ part: partOf(part) })],
  ['(?:at )?night', () => ({ part: NIGHT })],
  ['noon|midday|lunch(?:time)?', () => ({ part: NOON })],
  ['after lunch', () => ({ part: { hour: 13, half: 'pm' } })],
  ['midnight', () => ({ hour: 0, sure: true })],
  ['(?:the )?end of (?:the )?day|eod', () => ({ part: { hour: 17, half: 'pm' } })],
  // Again and again.
  [
    `${EVERY} (minute|hour|day|week|month|year)|(?:hour|dai|week|month|year)ly`,
    ([all = '', unit]) => ({ repeat: { unit: unitOf(unit ?? all), n: 1 } }),
  ],
  [
    `${EVERY} (other|second|${N}) (minute|min|hour|day|week|month|year)s?`,
    ([, n, unit]) => ({ repeat: { unit: unitOf(unit), n: /^(?:other|second)$/i.test(n ?? '') ? 2 : numberOf(n) } }),
  ],
  [`${EVERY} (morning|evening|night|afternoon)`, ([, part]) => ({ repeat: { unit: 'day', n: 1 }, part: partOf(part) })],
  [`${EVERY} (${LIST})`, ([, days]) => ({ repeat: { unit: 'week', n: 1 }, weekdays: weekdaysIn(days) })],
  [`${EVERY} (?:other|second) (${LIST})`, ([, days]) => ({ repeat: { unit: 'week', n: 2 }, weekdays: weekdaysIn(days) })],
  [
    String.raw`(?:${EVERY} (\d{1,2})(?:st|nd|rd|th)(?: (?:day )?of (?:the|each|every) month)?|(\d{1,2})(?:st|nd|rd|th)(?: day)? of ${EVERY} month)`,
    ([, date, of]) => ({ repeat: { unit: 'month', n: 1 }, date: Number(date ?? of) }),
  ],
  ['(?:bi-?weekly|fortnightly)', () => ({ repeat: { unit: 'week', n: 2 } })],
  [
    `((?:${WEEKDAY}s)(?:(?:, | and )${WEEKDAY}s){0,6})`,
    ([, days]) => ({ repeat: { unit: 'week', n: 1 }, weekdays: weekdaysIn(days) }),
  ],
  [
    `(?:${EVERY} )?(?:weekdays|workdays|working days)|${EVERY} (?:weekday|workday|working day)`,
    () => ({ repeat: { unit: 'workday', n: 1 } }),
  ],
  [`${EVERY} weekend`, () => ({ repeat: { unit: 'week', n: 1 }, weekdays: [6] })],
  [
    `(?:the )?last day of ${EVERY} month|(?:the )?end of ${EVERY} month`,
    () => ({ repeat: { unit: 'month', n: 1 }, date: 'last' }),
  ],
  [
    `(?:${EVERY} )?(first|second|third|fourth|last|[1-4](?:st|nd|rd|th)) (${WEEKDAY}) of (?:${EVERY}|the) month`,
    ([, nth, day]) => ({ repeat: { unit: 'month', n: 1 }, nth: nthOf(nth), weekdays: [weekdayOf(day)] }),
  ],
]

/** 3/20 and 20/3 are clear; 3/4 is not. */
function slashed(one: number, other: number): Said | undefined {
  if (one > 12 === other > 12) return undefined
  return one > 12 ? { month: other, date: one } : { month: one, date: other }
}

function weeksOf(which = ''): Said {
  return which.toLowerCase() === 'coming' ? {} : { weeks: which.toLowerCase() === 'next' ? 1 : 0 }
}

function clockSure(hour: string | undefined, minute: string | undefined): Said | undefined {
  const said = clock(hour, minute)
  return said && { ...said, sure: true }
}

const withBefore = (said: Said | undefined, before = 15): Said | undefined =>
  said && before > 0 && before < 60 ? { ...said, before } : undefined

const language: Language = {
  parts,
  lead: String.raw`(?:(?:on|at|by|for|from|starting|@)(?:\s|(?=\d)))?(?:the\s)?`,
  glue: String.raw`[\s,]*(?:(?:on|at|by|from|of|@)(?:\s|(?=\d)))?(?:the\s)?`,
  ends: String.raw`(?![\p{L}\d])`,
  // "Sat 10a", "Friday & Monday"
  unclear: String.raw`\s?&|\s\d`,
}

export default language
