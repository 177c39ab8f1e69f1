import type { Language } from '../language.ts'
import type { Part, Said, SaidRepeat } from '../said.ts'
import { PLACES, SHORT_ZONES } from '../zones.ts'

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
const NIGHT = { hour: 21, half: 'night' } as const
const TONIGHT = { hour: 20, half: 'night' } as const
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
  // "13:30pm" is clear; "13:30am" is not.
  if (h > (isPm || !half ? 23 : 12) || m > 59 || (half && h === 0)) return undefined
  if (half && h <= 12) return { hour: (h % 12) + (isPm ? 12 : 0), minute: m, sure: true }
  return { hour: h, minute: m, sure: h === 0 || h > 12 || (hour?.length === 2 && hour.startsWith('0')) }
}

const HALF = String.raw`([ap])\.?\s?m\.?`
const HOUR = `(\\d{1,2}|${NUMBERS.join('|')})`

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
  [
    String.raw`(?:in|after)\s?(?:(?:like|about|around|exactly|the next|just) )?(${N})\s?(${UNIT})((?: and| ?&) a half)?`,
    ([, n, unit, half]) => whole(amount(n, unit, half)),
  ],
  [String.raw`in\s(?:[-−]\s?|minus |negative )${N}\s?${UNIT}`, () => ({ after: { ms: -1 } })],
  ['in (?:a quarter|(three) quarters) of an hour', ([, three]) => ({ after: { ms: (three ? 45 : 15) * MS.m } })],
  [String.raw`(${N})\s?(${UNIT}) from now`, ([, n, unit]) => whole(amount(n, unit))],
  [
    String.raw`in\s?(\d{1,2})\s?(?:h|hours?|hrs?)(?: and)?\s?(\d{1,2})\s?(?:m|mins?|minutes?)`,
    ([, hours, minutes]) => ({ after: { ms: Number(hours) * MS.h + Number(minutes) * MS.m } }),
  ],
  [
    `(?:in )?(${N}) (?:business|working|work) days?(?: from now| later)?`,
    ([, n]) => (Number.isInteger(numberOf(n)) ? { after: { workdays: numberOf(n) } } : undefined),
  ],
  [
    String.raw`(?:in\s)?(${N})\s?(hours?|hrs?|h|days?|d|weeks?|w)(?: and|,)?\s?(${N})\s?(minutes?|mins?|m|hours?|hrs?|h|days?|d)(?: from now)?`,
    ([, n, unit, more, other]) => sumOf(amount(n, unit), amount(more, other)),
  ],
  ['(?:the )?top of the (?:next )?hour|(?:on )?the (?:next )?hour', () => ({ after: { hours: 1 } })],
  [`(${N}) weeks? (?:from|on|after) (${WEEKDAY})`, ([, n, day]) => shiftedBy({ weekday: weekdayOf(day) }, 7 * numberOf(n))],
  [`(${WEEKDAY}) week`, ([, day]) => shiftedBy({ weekday: weekdayOf(day) }, 7)],
  [
    `(${N}) weeks? (?:from )?(today|tomorrow)`,
    ([, n, day]) => whole({ days: (day?.toLowerCase() === 'today' ? 0 : 1) + 7 * numberOf(n) }),
  ],
  ['(?:the )?week after next', () => ({ weeks: 2 })],
  ['(?:the )?same time|this time', () => ({ sameTime: true })],
  ['(?:the )?day before(?= )', () => ({ shift: { days: -1 } })],
  ['(?<=\\d(?: ?[ap]m)? )(?:on )?(?:that|the same) day', () => ({ shift: { days: 0 } })],
  ['(?:the )?day after(?! tomorrow)(?= )', () => ({ shift: { days: 1 } })],
  [
    `(${N}) (days?|weeks?) (before|after(?! next))(?= )`,
    ([, n, unit, to]) => wholeShift((/^b/i.test(to ?? '') ? -1 : 1) * (amount(n, unit).days ?? Number.NaN)),
  ],
  [
    `(${N}) (minutes?|mins?|hours?) before(?= (?:noon|midnight|midday|\\d))`,
    ([, n, unit]) => ({ shift: { ms: -(amount(n, unit).ms ?? 0) } }),
  ],
  // Days.
  ['(?:later )?today', () => ({ days: 0 })],
  ['tom+or+ow|tom+or+w|tmrw|tmr|tmw|tmro|2mor+ow|2mrw|2moro', () => ({ days: 1 })],
  ['(?:the )?day after tomorrow', () => ({ days: 2 })],
  ['yesterday', () => ({ days: -1 })],
  ['(?:later )?(?:tonight|tonite)', () => ({ days: 0, part: TONIGHT })],
  ['tom+or+ow night', () => ({ days: 1, part: NIGHT })],
  ['this (morning|afternoon|evening)', ([, part]) => ({ days: 0, part: partOf(part) })],
  [`(${WEEKDAY})\\.?`, ([, day]) => ({ weekday: weekdayOf(day) })],
  [`(this|next|coming|this coming) (${WEEKDAY})\\.?`, ([, which, day]) => ({ weekday: weekdayOf(day), ...weeksOf(which) })],
  [`(${WEEKDAY}) after next`, ([, day]) => ({ weekday: weekdayOf(day), weeks: 2 })],
  ['next week', () => ({ weeks: 1 })],
  ['(this|the|next) weekend', ([, which]) => ({ weekday: 6, weeks: /^n/i.test(which ?? '') ? 1 : 0 })],
  ['next month', () => ({ months: 1 })],
  ['next year', () => ({ years: 1 })],
  [
    `(?:the )?(?:end|last day) of (?:(?:the |this )?(month|year)|(next) month|(${MONTH}))`,
    ([, unit, next, month]) =>
      /^y/i.test(unit ?? '')
        ? { month: 12, date: 31 }
        : { ...(month ? { month: monthOf(month) } : { months: next ? 1 : 0 }), date: 'last' },
  ],
  [String.raw`(\d{4})-(\d\d?)-(\d\d?)`, ([, y, m, d]) => ({ year: Number(y), month: Number(m), date: Number(d) })],
  [
    `(?:the )?(first|second|third|fourth|last|[1-4](?:st|nd|rd|th)) (${WEEKDAY}) (?:of|in) (?:(this|the|next) month|(${MONTH}))`,
    ([, nth, day, which, month]) => ({
      ...{ nth: nthOf(nth), weekdays: [weekdayOf(day)] },
      ...(month ? { month: monthOf(month) } : { months: which?.toLowerCase() === 'next' ? 1 : 0 }),
    }),
  ],
  [
    '(?:the )?(first|last) (?:business|working) day of (this|the|next) month',
    ([, nth, which]) => ({ nth: nthOf(nth), workday: true, months: which?.toLowerCase() === 'next' ? 1 : 0 }),
  ],
  [
    String.raw`(${MONTH})\.? (?:the )?(\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?`,
    ([, m, d, y]) => ({ month: monthOf(m), date: Number(d), ...(y && { year: Number(y) }) }),
  ],
  [
    String.raw`(\d{1,2})(?:st|nd|rd|th)?(?: of)? (${MONTH})\.?(?:,? (\d{4}))?`,
    ([, d, m, y]) => ({ month: monthOf(m), date: Number(d), ...(y && { year: Number(y) }) }),
  ],
  ["new year[’']?s(?:( eve)| day)?", ([, eve]) => (eve ? { month: 12, date: 31 } : { month: 1, date: 1 })],
  ['christmas(?:( eve)| day)?', ([, eve]) => ({ month: 12, date: eve ? 24 : 25 })],
  [String.raw`(?<=(?:the|and|&|,)\s)(\d{1,2})(?:st|nd|rd|th)`, ([, d]) => ({ date: Number(d) })],
  [String.raw`(\d{1,2})/(\d{1,2})(?![/\d])`, ([, one, other]) => slashed(Number(one), Number(other))],
  [
    String.raw`(\d{1,2})[/.](\d{1,2})[/.](\d{4}|\d\d)`,
    ([, one, other, year = '']) => {
      const said = slashed(Number(one), Number(other))
      return said && { ...said, year: year.length === 2 ? 2_000 + Number(year) : Number(year) }
    },
  ],
  // Times of the day.
  [String.raw`(\d{1,2})(?:[:.](\d\d))?\s?${HALF}`, ([, h, m, half]) => clock(h, m, half)],
  [String.raw`(\d{1,2})(\d\d)\s?${HALF}`, ([, h, m, half]) => clock(h, m, half)],
  [String.raw`(\d{1,2})(?::(\d\d))?([ap])`, ([, h, m, half]) => clock(h, m, half)],
  [String.raw`(\d{1,2}):(\d\d)`, ([, h, m]) => clock(h, m)],
  [String.raw`(\d{1,2})h(\d\d)?`, ([, h, m]) => clockSure(h, m ?? '0')],
  [String.raw`(?<=(?:at|@|by|till?|until)\s?)(\d\d)(\d\d)(?:\s?(?:h|hrs|hours))?`, ([, h, m]) => clockSure(h, m)],
  [String.raw`(?<=(?:at|@|by|till?|until)\s?)(\d)([0-5]\d)(?=\s(?:to|that|about)\b|[,.!]|$)`, ([, h, m]) => clock(h, m)],
  [String.raw`(?<=(?:at|@|by|till?|until)\s?)${HOUR}`, ([, h]) => clock(h)],
  [
    String.raw`(?<=(?:day|tomorrow|tonight|morning|evening|afternoon|noon),?\s)(\d{1,2})(?=\s(?:to|that|about)\b|\s*[,:]|$)`,
    ([, h]) => clock(h),
  ],
  [`${HOUR} ?o['’]?clock`, ([, h]) => clock(h)],
  [String.raw`half past ${HOUR}(?:\s?${HALF})?`, ([, h, half]) => clock(h, '30', half)],
  [String.raw`(?:a )?quarter (?:past|after) ${HOUR}(?:\s?${HALF})?`, ([, h, half]) => clock(h, '15', half)],
  [String.raw`(?:a )?quarter (?:to|of|till?) ${HOUR}(?:\s?${HALF})?`, ([, h, half]) => withBefore(clock(h, undefined, half))],
  [
    String.raw`(${N})(?: min(?:ute)?s?)? (?:past|after) ${HOUR}(?:\s?${HALF})?`,
    ([, minutes, h, half]) => clock(h, String(numberOf(minutes)), half),
  ],
  [
    String.raw`(${N})(?: min(?:ute)?s?)? (?:to|before|till?) ${HOUR}(?:\s?${HALF})?`,
    ([, minutes, h, half]) => withBefore(clock(h, undefined, half), numberOf(minutes)),
  ],
  [
    `(${N}|a quarter|quarter|half)(?: min(?:ute)?s?)? (to|before|past|after) (noon|midday|midnight)`,
    ([, minutes, to, noon]) => aroundNoon(minutes, to, noon),
  ],
  ['first thing(?: in the morning)?', () => ({ part: MORNING })],
  ['(?:early |late )?in (?:the )?(morning|afternoon|evening)', ([, part]) => ({ part: partOf(part) })],
  [
    `(?<=(?:${WEEKDAY}|tom+or+ow|tmrw|tmr|today|day|\\d(?:st|nd|rd|th)?),? )(?:early |late )?(morning|afternoon|evening|night)`,
    ([, part]) => ({ part: partOf(part) }),
  ],
  ['at night', () => ({ part: NIGHT })],
  ['noon|midday|lunch(?:[ -]?time)?', () => ({ part: NOON })],
  ['after (?:work|school)', () => ({ part: EVENING })],
  ['after lunch', () => ({ part: { hour: 13, half: 'pm' } })],
  ['midnight', () => ({ hour: 0, sure: true })],
  ['(?:the )?end of (?:the )?day|eod|close of business|cob', () => ({ part: { hour: 17, half: 'pm' } })],
  // The zone of the time.
  [
    `(?<=[\\dm] ?)\\(?(${Object.keys(SHORT_ZONES).join('|')})(?: time)?\\)?`,
    ([, zone = '']) => ({ zone: SHORT_ZONES[zone.toLowerCase()] ?? 'UTC' }),
  ],
  [
    String.raw`\(?(?:utc|gmt)\s?([+-])(\d{1,2})(?::?(\d\d))?\)?`,
    ([, sign, h = '', m = '00']) => ({ zone: `${sign}${h.padStart(2, '0')}:${m}` }),
  ],
  [`(?:in )?(${Object.keys(PLACES).join('|')}) time`, ([, place = '']) => ({ zone: PLACES[place.toLowerCase()] ?? 'UTC' })],
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
  [
    `${EVERY} (?:day|morning|weekday) (?:except|but not|excluding|other than)(?: on)? (${LIST})`,
    ([all = '', days]) => ({
      ...{ repeat: { unit: /weekday/i.test(all) ? 'workday' : 'day', n: 1 }, except: weekdaysIn(days) },
    }),
  ],
  [
    `(?:except|but not|excluding)(?: on| for)? (${LIST}|weekends)`,
    ([, days = '']) => ({ except: /^weekends/i.test(days) ? [0, 6] : weekdaysIn(days) }),
  ],
  [
    `(?<![\\p{L}])(${WEEKDAY}(?:(?:, ?| and | ?& ?|/| )${WEEKDAY}){1,6})(?: and ${WEEKDAY})?`,
    ([days]) => runOf(weekdaysIn(days)),
  ],
  [
    `(${EVERY} )?(${WEEKDAY})s? (?:through|thru|to|-|–) (${WEEKDAY})s?`,
    ([, every, from, to]) => {
      const [first, last] = [weekdayOf(from), weekdayOf(to)]
      return every && first === 1 && last === 5 ? { repeat: { unit: 'workday', n: 1 } } : undefined
    },
  ],
  [`${EVERY} (${LIST})`, ([, days]) => ({ repeat: { unit: 'week', n: 1 }, weekdays: weekdaysIn(days) })],
  [`${EVERY} (?:other|second) (${LIST})`, ([, days]) => ({ repeat: { unit: 'week', n: 2 }, weekdays: weekdaysIn(days) })],
  [
    String.raw`(?:${EVERY} (\d{1,2})(?:st|nd|rd|th)(?: (?:day )?of (?:the|each|every) month)?|(\d{1,2})(?:st|nd|rd|th)(?: day)? of ${EVERY} month)`,
    ([, date, of]) => ({ repeat: { unit: 'month', n: 1 }, date: Number(date ?? of) }),
  ],
  [`(?:on )?(?:the )?first(?: day)? of ${EVERY} month`, () => ({ repeat: { unit: 'month', n: 1 }, date: 1 })],
  ['(?:bi-?weekly|fortnightly|every fortnight)', () => ({ repeat: { unit: 'week', n: 2 } })],
  [`((?:${WEEKDAY}s)(?:(?:, | and )${WEEKDAY}s){0,6})`, ([, days]) => ({ weekdays: weekdaysIn(days) })],
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
    `${EVERY} (first|second|third|fourth|last|[1-4](?:st|nd|rd|th)) (${WEEKDAY})(?: of (?:${EVERY}|the) month)?|(?:the )?(first|second|third|fourth|last|[1-4](?:st|nd|rd|th)) (${WEEKDAY}) of ${EVERY} month`,
    ([, nth, day, of, ofDay]) => ({
      repeat: { unit: 'month', n: 1 },
      nth: nthOf(nth ?? of),
      weekdays: [weekdayOf(day ?? ofDay)],
    }),
  ],
  // A month alone is where something ends.
  [`(?<=(?:until|till?|through) )(${MONTH})`, ([, month]) => ({ month: monthOf(month) })],
  [
    `for (?:the next )?(${N}) (days?|weeks?)`,
    ([, n, unit]) => ({ repeat: { unit: 'day', n: 1 }, until: { after: amount(n, unit) } }),
  ],
  [`for (?:the next )?(${N}) (days?|weeks?|months?)`, ([, n, unit]) => ({ until: { after: amount(n, unit) } })],
]

/** Two weekdays are a list of days, three or more of which are every week. */
const runOf = (weekdays: readonly number[]): Said | undefined => (weekdays.length > 2 ? { weekdays } : undefined)

function sumOf(one: Amount, other: Amount): Said | undefined {
  if (one.months || other.months) return undefined
  return whole({ days: (one.days ?? 0) + (other.days ?? 0), ms: (one.ms ?? 0) + (other.ms ?? 0) })
}

const wholeShift = (days: number): Said | undefined => (Number.isInteger(days) ? { shift: { days } } : undefined)

const shiftedBy = (said: Said, days: number): Said | undefined =>
  Number.isInteger(days) ? { ...said, shift: { days } } : undefined

function aroundNoon(minutes = '', to = '', noon = ''): Said | undefined {
  const n = /quarter/i.test(minutes) ? 15 : /^half$/i.test(minutes) ? 30 : numberOf(minutes)
  const hour = noon.toLowerCase() === 'midnight' ? 24 : 12
  if (!(n > 0 && n < 60)) return undefined
  return /^(?:to|before)$/i.test(to) ? { hour, minute: 0, sure: true, before: n } : { hour: hour % 24, minute: n, sure: true }
}

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
  at: 'at',
  parts,
  lead: String.raw`(?:(?:on|at|by|for(?! (?:the )?(?:next )?(?:\d+|[a-z]+) (?:days?|weeks?|months?))|@|around|about|exactly at)(?:\s|(?=\d)))?(?:the\s)?`,
  glue: String.raw`[\s,]*(?:(?:on|at|by|of|@|around|starting at)(?:\s|(?=\d)))?(?:the\s)?`,
  ends: String.raw`(?![\p{L}\d]|:\d)`,
  // "Sat 10a", "Friday & Monday"
  unclear: String.raw`\s?&|\s\d|-?ish\b|['’]s\b|-\p{L}`,
  and: String.raw`\s?(?:,\s?and|,?\sand(?: again)?|&|,|\splus)\s(?:then\s)?(?:again\s)?(?:on\s|at\s|the\s|on the\s)?`,
  or: String.raw`,?\sor\s(?:maybe\s)?(?:on\s|at\s|the\s)?`,
  starts: String.raw`,?\s?(?:starting|beginning|from)\s(?:on\s|from\s)?(?:the\s)?`,
  until: String.raw`,?\s?(?:until|till?|through|up to)\s(?:the\s)?`,
  isAfter: false,
}

export default language
