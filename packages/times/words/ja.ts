/** Japanese words for numbers, days, amounts and hours, and what they say. */
import type { PartOfDay, Said, SaidRepeat } from '../said.ts'
import { PLACES, SHORT_ZONES } from '../zones.ts'

export const DIGITS = '〇一二三四五六七八九'
export const N = `(?:\\d{1,4}(?:\\.\\d)?|[${DIGITS}十]{1,4})`

export function numberOf(text = ''): number {
  if (/^\d/.test(text)) return Number(text)
  const [tens, ones] = text.includes('十') ? text.split('十') : ['', text]
  const ten = text.includes('十') ? (tens ? DIGITS.indexOf(tens) : 1) : 0
  return ten * 10 + (ones ? DIGITS.indexOf(ones) : 0)
}

export const DAYS = '日月火水木金土'
export const WEEKDAY = `[${DAYS}]曜日?`
export const weekdayOf = (text = '') => DAYS.indexOf(text.slice(0, 1))
export const LIST = `[${DAYS}](?:曜日?)?(?:[・と、,]?[${DAYS}](?:曜日?)?){0,6}`
export const weekdaysIn = (text = '') =>
  [...text.replaceAll(/曜日?/gu, '').matchAll(new RegExp(`[${DAYS}]`, 'gu'))].map(([day]) => weekdayOf(day))
/** What may follow a list of weekdays, so that 毎週日記を… is none. */
export const LIST_ENDS = String.raw`(?=[\sの、,にはも\d${DIGITS}十午前後朝昼夕夜晩]|$)`

export const UNIT = '(?:秒|分|[ふぷ]ん|時間|じかん|日|週間?|(?:か|ヶ|ヵ|カ|ケ|箇)月|年)'
export const O_CLOCK = '(?:時(?!間)|じ(?!かん))'
export const MINUTES = '(?:分|[ふぷ]ん)'
/** 「8じはん」, and not 「8じはんばいき」. */
export const HALF = '(?:半|はん(?=[にかまとごで\\s、,]|$))'

// ---------------------------------------------------------------- parts of the day

export const MORNING = { hour: 9, half: 'am' } as const
export const EARLY = { hour: 6, half: 'am' } as const
export const FORENOON = { hour: 10, half: 'am' } as const
export const NOON = { hour: 12, half: 'noon' } as const
export const AFTERNOON = { hour: 15, half: 'pm' } as const
export const DUSK = { hour: 17, half: 'pm' } as const
export const NIGHT = { hour: 20, half: 'night' } as const
const MIDNIGHT = { hour: 24, half: 'night' } as const

export const PLACE = Object.keys(PLACES)
  .filter(name => /^[^a-z]/.test(name))
  .join('|')
export const SHORT_ZONE = Object.keys(SHORT_ZONES)
  .filter(name => /^[a-z]{3,4}$/.test(name))
  .join('|')

type Amount = NonNullable<Said['after']>

export function amount(number: string | undefined, unit = '', half?: string): Amount {
  const n = numberOf(number) + (half ? 0.5 : 0)
  if (unit === '秒') return { ms: n * 1_000 }
  if (/^(?:分|[ふぷ]ん)$/u.test(unit)) return { ms: n * 60_000 }
  if (unit === '時間' || unit === 'じかん') return { ms: n * 3_600_000 }
  if (unit === '日') return { days: n }
  if (unit.startsWith('週')) return { days: 7 * n }
  return { months: unit === '年' ? 12 * n : n }
}

export const whole = (after: Amount): Said | undefined =>
  Number.isInteger(after.months ?? 0) && Number.isInteger(after.days ?? 0) ? { after } : undefined

const UNITS: Readonly<Record<string, SaidRepeat['unit']>> = { 分: 'minute', 時: 'hour', 日: 'day', 週: 'week', 年: 'year' }
export const unitOf = (text = ''): SaidRepeat['unit'] => UNITS[text.slice(0, 1)] ?? 'month'

export function clock(hour: string | undefined, minute?: string): Said | undefined {
  const [h, m] = [numberOf(hour), /^(?:半|はん)$/u.test(minute ?? '') ? 30 : numberOf(minute ?? '0')]
  // 25時 is one in the night after that day.
  return h > 29 || m > 59
    ? undefined
    : { hour: h, minute: m, sure: h === 0 || h > 12 || (hour?.length === 2 && hour.startsWith('0')) }
}

export function withBefore(said: Said | undefined, before: string | undefined): Said | undefined {
  if (!said || before === undefined) return said
  return { ...said, before: numberOf(before) }
}

export const KANA_HOURS: Readonly<Record<string, number>> = {
  ...{ いち: 1, ろく: 6, しち: 7, なな: 7, はち: 8, じゅう: 10, じゅういち: 11, じゅうに: 12 },
}

export const PARTS: Readonly<Record<string, PartOfDay>> = {
  ...{
    午前: MORNING,
    朝: MORNING,
    早朝: EARLY,
    午後: AFTERNOON,
    夕方: DUSK,
    夕: DUSK,
    夜: NIGHT,
    晩: NIGHT,
    深夜: MIDNIGHT,
    夜中: MIDNIGHT,
    ごぜん: MORNING,
    あさ: MORNING,
    ごご: AFTERNOON,
    ひる: { hour: 12, half: 'noon' },
    ゆうがた: DUSK,
    よる: NIGHT,
    ばん: NIGHT,
  },
}

export const ABOUT = '(?: ?(?:頃|ごろ|ころ|ぐらい|くらい|ちょうど))?'
/** 「翌日の弁当」 is no time. */
export const OF_TIME = '(?!の(?![\\d午朝昼夕夜晩正一二三四五六七八九十]))'
export const LATER = '(?:後|したら|経ったら|たったら|ご(?=[に\\s、,]|$)|あと(?=[にで\\s、,]))'
