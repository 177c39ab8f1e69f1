import type { Language } from '../language.ts'
import type { Part } from '../said.ts'
import {
  amount,
  aroundNoon,
  clock,
  clockSure,
  EVENING,
  EVERY,
  HALF,
  HOUR,
  LIST,
  MONTH,
  MORNING,
  MS,
  monthOf,
  N,
  NIGHT,
  NOON,
  nthOf,
  numberOf,
  partOf,
  runOf,
  shiftedBy,
  slashed,
  sumOf,
  TONIGHT,
  UNIT,
  unitOf,
  WEEKDAY,
  weekdayOf,
  weekdaysIn,
  weeksOf,
  whole,
  wholeShift,
  withBefore,
} from '../words/en.ts'
import { PLACES, SHORT_ZONES } from '../zones.ts'

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
  ['(this|the|next) weekend', ([, which]) => ({ weekday: 6, weeks: /^n/i.test(which ?? '') ? 1 : 0 })],
  ['next (week|month|year)', ([, unit = '']) => ({ [`${unit.toLowerCase()}s`]: 1 })],
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
