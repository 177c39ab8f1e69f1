import type { Language } from '../language.ts'
import type { Part, Said, SaidRepeat } from '../said.ts'

// ---------------------------------------------------------------- numbers and names

const DIGITS = '〇一二三四五六七八九'
const N = `(?:\\d{1,4}(?:\\.\\d)?|[${DIGITS}十]{1,4})`

function numberOf(text = ''): number {
  if (/^\d/.test(text)) return Number(text)
  const [tens, ones] = text.includes('十') ? text.split('十') : ['', text]
  const ten = text.includes('十') ? (tens ? DIGITS.indexOf(tens) : 1) : 0
  return ten * 10 + (ones ? DIGITS.indexOf(ones) : 0)
}

const DAYS = '日月火水木金土'
const WEEKDAY = `[${DAYS}]曜日?`
const weekdayOf = (text = '') => DAYS.indexOf(text.slice(0, 1))
const LIST = `[${DAYS}](?:曜日?)?(?:[・と、,]?[${DAYS}](?:曜日?)?){0,6}`
const weekdaysIn = (text = '') =>
  [...text.replaceAll(/曜日?/gu, '').matchAll(new RegExp(`[${DAYS}]`, 'gu'))].map(([day]) => weekdayOf(day))
/** What may follow a list of weekdays, so that 毎週日記を… is none. */
const LIST_ENDS = String.raw`(?=[\sの、,にはも\d${DIGITS}十午前後朝昼夕夜晩]|$)`

const UNIT = '(?:秒|分|時間|日|週間?|(?:か|ヶ|ヵ|カ|ケ|箇)月|年)'

// ---------------------------------------------------------------- parts

const MORNING = { hour: 9, half: 'am' } as const
const EARLY = { hour: 6, half: 'am' } as const
const FORENOON = { hour: 10, half: 'am' } as const
const NOON = { hour: 12, half: 'noon' } as const
const AFTERNOON = { hour: 15, half: 'pm' } as const
const DUSK = { hour: 17, half: 'pm' } as const
const NIGHT = { hour: 20, half: 'pm' } as const

type Amount = NonNullable<Said['after']>

function amount(number: string | undefined, unit = '', half?: string): Amount {
  const n = numberOf(number) + (half ? 0.5 : 0)
  if (unit === '秒') return { ms: n * 1_000 }
  if (unit === '分') return { ms: n * 60_000 }
  if (unit === '時間') return { ms: n * 3_600_000 }
  if (unit === '日') return { days: n }
  if (unit.startsWith('週')) return { days: 7 * n }
  return { months: unit === '年' ? 12 * n : n }
}

const whole = (after: Amount): Said | undefined =>
  Number.isInteger(after.months ?? 0) && Number.isInteger(after.days ?? 0) ? { after } : undefined

const UNITS: Readonly<Record<string, SaidRepeat['unit']>> = { 分: 'minute', 時: 'hour', 日: 'day', 週: 'week', 年: 'year' }
const unitOf = (text = ''): SaidRepeat['unit'] => UNITS[text.slice(0, 1)] ?? 'month'

function clock(hour: string | undefined, minute?: string): Said | undefined {
  const [h, m] = [numberOf(hour), minute === '半' ? 30 : numberOf(minute ?? '0')]
  // 25時 is one in the night after that day.
  return h > 29 || m > 59
    ? undefined
    : { hour: h, minute: m, sure: h === 0 || h > 12 || (hour?.length === 2 && hour.startsWith('0')) }
}

function withBefore(said: Said | undefined, before: string | undefined): Said | undefined {
  if (!said || before === undefined) return said
  return { ...said, before: numberOf(before) }
}

const ABOUT = '(?:頃|ごろ|ころ|ぐらい|くらい|ちょうど)?'
const LATER = '(?:後|したら|経ったら|たったら)'

const parts: readonly Part[] = [
  // 今から
  [`(?:あと|今から|これから)?(${N})(${UNIT})(半)?${LATER}`, ([, n, unit, half]) => whole(amount(n, unit, half))],
  [
    `(?:あと|今から|これから)?(${N})時間(${N})分${LATER}`,
    ([, hours, minutes]) => ({ after: { ms: numberOf(hours) * 3_600_000 + numberOf(minutes) * 60_000 } }),
  ],
  [`半時間${LATER}`, () => ({ after: { ms: 1_800_000 } })],
  [`半日${LATER}`, () => ({ after: { ms: 43_200_000 } })],
  [`半年${LATER}`, () => ({ after: { months: 6 } })],
  // 日
  ['今日|本日|きょう', () => ({ days: 0 })],
  ['明日|あした|あす', () => ({ days: 1 })],
  ['明後日|あさって', () => ({ days: 2 })],
  ['明々後日|しあさって', () => ({ days: 3 })],
  ['昨日|きのう|一昨日|おととい', () => ({ days: -1 })],
  ['(?:今日|本日|きょう)中', () => ({ days: 0, part: DUSK })],
  ['明朝|明日朝', () => ({ days: 1, part: MORNING })],
  ['明晩', () => ({ days: 1, part: NIGHT })],
  ['今夜|今晩', () => ({ days: 0, part: NIGHT })],
  ['今朝', () => ({ days: 0, part: MORNING })],
  [`(${WEEKDAY})`, ([, day]) => ({ weekday: weekdayOf(day) })],
  [`\\(([${DAYS}])(?:曜日?)?\\)`, ([, day]) => ({ weekday: weekdayOf(day) })],
  [`(?:次|今度)の(${WEEKDAY})`, ([, day]) => ({ weekday: weekdayOf(day) })],
  ['今週', () => ({ weeks: 0 })],
  ['来週', () => ({ weeks: 1 })],
  ['再来週|さ来週|さらいしゅう', () => ({ weeks: 2 })],
  ['週明け', () => ({ weeks: 1, weekday: 1 })],
  ['(?:今)?週末', () => ({ weeks: 0, weekday: 6 })],
  ['来週末', () => ({ weeks: 1, weekday: 6 })],
  ['(?:今月の?|月)末日?|今月末日?', () => ({ months: 0, date: 'last' })],
  ['今月', () => ({ months: 0 })],
  ['来月(?:頭|初め|はじめ)?', () => ({ months: 1 })],
  ['再来月', () => ({ months: 2 })],
  ['末日?', () => ({ date: 'last' })],
  ['大晦日|大みそか', () => ({ month: 12, date: 31 })],
  ['元日|元旦', () => ({ month: 1, date: 1 })],
  ['クリスマスイブ', () => ({ month: 12, date: 24 })],
  ['クリスマス', () => ({ month: 12, date: 25 })],
  ['来年', () => ({ years: 1 })],
  ['今年', () => ({ years: 0 })],
  [`(\\d{4})年`, ([, year]) => ({ year: Number(year) })],
  [`(${N})月(${N})日`, ([, month, date]) => ({ month: numberOf(month), date: numberOf(date) })],
  [String.raw`(\d\d?)/(\d\d?)(?![\d/])`, ([, month, date]) => ({ month: Number(month), date: Number(date) })],
  [String.raw`(\d{4})[-/](\d\d?)[-/](\d\d?)`, ([, y, m, d]) => ({ year: Number(y), month: Number(m), date: Number(d) })],
  [`(${N})日(?![後間ごお目本]|以|前)`, ([, date]) => ({ date: numberOf(date) })],
  // 時刻
  [
    `(${N})時(?!間)(?:(${N})分|(半))?(?:(${N})分前)?${ABOUT}`,
    ([, h, m, half, before]) => withBefore(clock(h, m ?? half), before),
  ],
  [`(${N})時(${N})分前`, ([, h, before]) => withBefore(clock(h), before)],
  [String.raw`(\d\d?):(\d\d)${ABOUT}`, ([, h, m]) => clock(h, m)],
  ['正午', () => ({ part: NOON })],
  ['早朝', () => ({ part: EARLY })],
  ['朝(?:イチ|いち|一番?)?|午前|始業時?', () => ({ part: MORNING })],
  ['午前中', () => ({ part: FORENOON })],
  ['お?昼(?:休み|頃|ごろ)?', () => ({ part: NOON })],
  ['(?:昼食|ランチ|お?昼)後|昼過ぎ', () => ({ part: { hour: 13, half: 'pm' } })],
  ['午後(?:イチ|いち|一番?)', () => ({ part: { hour: 13, half: 'pm' } })],
  ['午後', () => ({ part: AFTERNOON })],
  ['夕方', () => ({ part: DUSK })],
  ['夜|晩', () => ({ part: NIGHT })],
  ['深夜0時|夜中の0時|0時', () => ({ hour: 0, sure: true })],
  ['定時後?|終業(?:時|後)', () => ({ part: DUSK })],
  // 繰り返し
  ['毎日', () => ({ repeat: { unit: 'day', n: 1 } })],
  ['毎時', () => ({ repeat: { unit: 'hour', n: 1 } })],
  ['毎分', () => ({ repeat: { unit: 'minute', n: 1 } })],
  ['毎朝', () => ({ repeat: { unit: 'day', n: 1 }, part: MORNING })],
  ['毎夕', () => ({ repeat: { unit: 'day', n: 1 }, part: DUSK })],
  ['毎晩|毎夜', () => ({ repeat: { unit: 'day', n: 1 }, part: NIGHT })],
  ['毎週', () => ({ repeat: { unit: 'week', n: 1 } })],
  ['毎週末', () => ({ repeat: { unit: 'week', n: 1 }, weekdays: [6] })],
  [`毎週の?(${LIST})${LIST_ENDS}`, ([, days]) => ({ repeat: { unit: 'week', n: 1 }, weekdays: weekdaysIn(days) })],
  [`隔週の?(${LIST})${LIST_ENDS}`, ([, days]) => ({ repeat: { unit: 'week', n: 2 }, weekdays: weekdaysIn(days) })],
  [
    `(${N})週(?:間)?(?:ごと|おき|毎)[のに]?(${LIST})${LIST_ENDS}`,
    ([, n, days]) => ({ repeat: { unit: 'week', n: numberOf(n) }, weekdays: weekdaysIn(days) }),
  ],
  [
    `(${N})(分|時間|日|週間?|(?:か|ヶ|ヵ|カ|ケ)月|年)(?:ごと|おき|毎)`,
    ([, n, unit]) => ({ repeat: { unit: unitOf(unit), n: numberOf(n) } }),
  ],
  ['(?:平日|毎?営業日)(?:は)?(?:毎日)?', () => ({ repeat: { unit: 'workday', n: 1 } })],
  ['平日の?毎朝', () => ({ repeat: { unit: 'workday', n: 1 }, part: MORNING })],
  ['毎月', () => ({ repeat: { unit: 'month', n: 1 } })],
  ['毎月の?(?:月末|末日?)', () => ({ repeat: { unit: 'month', n: 1 }, date: 'last' })],
  [
    `毎月の?第(${N})(${WEEKDAY})`,
    ([, nth, day]) => ({ repeat: { unit: 'month', n: 1 }, nth: numberOf(nth), weekdays: [weekdayOf(day)] }),
  ],
  [`毎月の?(?:最終|最後の)(${WEEKDAY})`, ([, day]) => ({ repeat: { unit: 'month', n: 1 }, nth: -1, weekdays: [weekdayOf(day)] })],
  ['毎年', () => ({ repeat: { unit: 'year', n: 1 } })],
]

const language: Language = {
  parts,
  lead: '(?:(?:すみません|ごめん(?:なさい)?|ねえ|あの|えっと)[、,\\s]*)?',
  glue: String.raw`[\s、,]*(?:の|に|は|から)?[\s、,]*`,
  ends: '',
  // 来週中, 明日以降, 始業前
  unclear: '[一頭中初末以内前]',
  isUnspaced: true,
}

export default language
