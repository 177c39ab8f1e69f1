import type { Language } from '../language.ts'
import type { Part, Said, SaidRepeat } from '../said.ts'

// ---------------------------------------------------------------- numbers and names

const NUMBERS: Readonly<Record<string, number>> = {
  ...{ 한: 1, 두: 2, 세: 3, 네: 4, 다섯: 5, 여섯: 6, 일곱: 7, 여덟: 8, 아홉: 9, 열한: 11, 열두: 12, 열: 10 },
  ...{ 일: 1, 이: 2, 삼: 3, 사: 4, 오: 5, 육: 6, 칠: 7, 팔: 8, 구: 9, 십: 10, 십오: 15, 이십: 20, 삼십: 30 },
}
const N = `(?:\\d{1,4}|${Object.keys(NUMBERS)
  .sort((a, b) => b.length - a.length)
  .join('|')})`
const numberOf = (text = '') => NUMBERS[text] ?? Number(text)

const DAYS = '일월화수목금토'
const weekdayOf = (text = '') => DAYS.indexOf(text.slice(0, 1))

// ---------------------------------------------------------------- parts

const MORNING = { hour: 9, half: 'am' } as const
const NOON = { hour: 12, half: 'noon' } as const
const AFTERNOON = { hour: 15, half: 'pm' } as const
const EVENING = { hour: 18, half: 'pm' } as const
const NIGHT = { hour: 20, half: 'pm' } as const

const MS: Readonly<Record<string, number>> = { 초: 1_000, 분: 60_000, 시간: 3_600_000 }

function amount(number: string | undefined, unit = '', half?: string): Said {
  const n = numberOf(number)
  const ms = MS[unit]
  if (ms !== undefined) return { after: { ms: (n + (half ? 0.5 : 0)) * ms } }
  if (unit === '개월' || unit === '달') return { after: { months: n } }
  if (unit === '년') return { after: { months: 12 * n } }
  return { after: { days: unit === '주' || unit === '주일' ? 7 * n : n } }
}

function clock(hour: string | undefined, minute?: string): Said | undefined {
  const [h, m] = [numberOf(hour), minute === '반' ? 30 : numberOf(minute ?? '0')]
  return h > 23 || m > 59
    ? undefined
    : { hour: h, minute: m, sure: h === 0 || h > 12 || (hour?.length === 2 && hour.startsWith('0')) }
}

const UNITS: Readonly<Record<string, SaidRepeat['unit']>> = {
  분: 'minute',
  시간: 'hour',
  일: 'day',
  주: 'week',
  개월: 'month',
  년: 'year',
}

const parts: readonly Part[] = [
  [
    `(?:지금부터 ?)?(${N}) ?(초|분|시간|일|주일?|개월|달|년)( ?반)? ?(?:후|뒤|있다가)`,
    ([, n, unit, half]) => amount(n, unit, half),
  ],
  ['오늘', () => ({ days: 0 })],
  ['내일', () => ({ days: 1 })],
  ['모레', () => ({ days: 2 })],
  ['글피', () => ({ days: 3 })],
  ['어제|그제', () => ({ days: -1 })],
  ['오늘 ?(?:밤|저녁)', () => ({ days: 0, part: NIGHT })],
  ['오늘 ?중', () => ({ days: 0, part: { hour: 17, half: 'pm' } })],
  [`([${DAYS}])요일`, ([, day]) => ({ weekday: weekdayOf(day) })],
  ['이번 ?주', () => ({ weeks: 0 })],
  ['다음 ?주', () => ({ weeks: 1 })],
  ['다다음 ?주', () => ({ weeks: 2 })],
  ['(?:이번 ?)?주말', () => ({ weeks: 0, weekday: 6 })],
  ['다음 ?달', () => ({ months: 1 })],
  ['(?:이번 ?달 ?말|월말)', () => ({ months: 0, date: 'last' })],
  ['다음 ?달 ?말', () => ({ months: 1, date: 'last' })],
  ['내년', () => ({ years: 1 })],
  [`(\\d{4})년`, ([, year]) => ({ year: Number(year) })],
  [`(${N})월 ?(${N})일`, ([, month, date]) => ({ month: numberOf(month), date: numberOf(date) })],
  [String.raw`(\d{4})[-/](\d\d?)[-/](\d\d?)`, ([, y, m, d]) => ({ year: Number(y), month: Number(m), date: Number(d) })],
  [String.raw`(\d{1,2})일(?! ?(?:후|뒤|마다|간))`, ([, date]) => ({ date: Number(date) })],
  [`(${N}) ?시(?!간)(?: ?(?:(${N})분|(반)))?`, ([, h, m, half]) => clock(h, m ?? half)],
  [String.raw`(\d\d?):(\d\d)`, ([, h, m]) => clock(h, m)],
  ['오전|아침', () => ({ part: MORNING })],
  ['정오|점심', () => ({ part: NOON })],
  ['점심 ?(?:후|먹고)', () => ({ part: { hour: 13, half: 'pm' } })],
  ['오후', () => ({ part: AFTERNOON })],
  ['저녁', () => ({ part: EVENING })],
  ['밤', () => ({ part: NIGHT })],
  ['자정', () => ({ hour: 0, sure: true })],
  ['매일', () => ({ repeat: { unit: 'day', n: 1 } })],
  ['매일 ?아침', () => ({ repeat: { unit: 'day', n: 1 }, part: MORNING })],
  ['매주', () => ({ repeat: { unit: 'week', n: 1 } })],
  ['격주', () => ({ repeat: { unit: 'week', n: 2 } })],
  ['평일(?:마다)?', () => ({ repeat: { unit: 'workday', n: 1 } })],
  ['매달|매월', () => ({ repeat: { unit: 'month', n: 1 } })],
  ['매달 ?말|매월 ?말', () => ({ repeat: { unit: 'month', n: 1 }, date: 'last' })],
  ['매년', () => ({ repeat: { unit: 'year', n: 1 } })],
  [`(${N}) ?(분|시간|일|주|개월|년)마다`, ([, n, unit = '']) => ({ repeat: { unit: UNITS[unit] ?? 'day', n: numberOf(n) } })],
]

const language: Language = {
  parts,
  lead: '',
  glue: String.raw`[\s,]*(?:에는?|의|부터)?[\s,]*`,
  ends: '',
  unclear: '(?!)',
  and: String.raw`\s?(?:와|과|하고|이랑|랑|그리고|,)\s`,
  or: String.raw`\s?(?:이나|또는|아니면)\s`,
  starts: '(?!)',
  until: String.raw`까지\s`,
  isAfter: true,
  isUnspaced: true,
}

export default language
