import type { Language } from '../language.ts'
import type { Part, Said, SaidRepeat } from '../time/said.ts'

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

const GIVE = '(?:줘|줘요|주세요|줄래|줄래요|주실래요|주시겠어요|주면 좋겠어)'
const END = String.raw`[\s.!?~。]*$`

const language: Language = {
  time: { parts, lead: '', glue: String.raw`[\s,]*(?:에는?|의|부터)?[\s,]*`, ends: '', unclear: '(?!)' },
  request: {
    before: { sure: String.raw`(?:리마인더?|알림)(?:해 ?${GIVE})?[:\s,]+` },
    after: {
      sure: String.raw`\s?(?:(?:리마인드|상기)(?:시켜|해) ?${GIVE}|알림 ?(?:을 )?(?:설정|등록|추가)해 ?${GIVE})${END}`,
      unsure: String.raw`\s?(?:우리에게|우리한테|나한테|저에게|모두에게)?\s?(?:알려|말해) ?${GIVE}(?=[\s.!?~]|$)`,
    },
  },
  polite: END,
  contentStart: String.raw`[\s,:]*(?:에는?(?=[\s,])|까지)?[\s,:]*`,
  contentEnd: String.raw`\s*(?:라고|다고|자고|하라고|하는 ?것을?|는 ?걸|을|를|,)?\s*$`,
  unspaced: true,
  goesOn: /^(?:아니|말고|또는|제외|[~〜]|\d+ ?(?:시|분|일|주))|\d ?(?:시간|분|일|주) ?전/u,
  timeSigns: /\d|[시분일월주]|까지|부터|만/u,
  lists:
    /^(?:여기 ?)?(?:알림|리마인더) ?(?:목록|리스트)(?:을|를)?(?: ?(?:보여|알려) ?(?:줘|주세요))?$|^(?:어떤|무슨) (?:알림|리마인더)(?:이|가) ?(?:있어|있어요|있나요|있지)$/u,
  cancels: /^(?<which>.*?)\s?(?:알림|리마인더)?(?:을|를)?\s?(?:취소|삭제)(?:해)? ?(?:줘|줘요|주세요)$/u,
  cancelsAll:
    /^(?:(?:내|우리|여기)\s?)?(?:모든\s?(?:알림|리마인더)|(?:알림|리마인더)(?:을|를|은|는)?\s?(?:전부|모두|다|싹\s?다))(?:을|를)?\s?(?:취소|삭제|지워)(?:해)?\s?(?:줘|줘요|주세요)?$/u,
  moves:
    /^(?:(?<which>.*?)\s?(?:알림|리마인더)?(?:을|를) )?(?<when>.+?)(?:으)?로 (?:옮겨|바꿔|변경해|미뤄) ?(?:줘|줘요|주세요)$/u,
  watches:
    /^누(?:가|군가가?) (?<words>.{1,40}?)(?:에 대해|을|를|라고|이라고|이야기를|얘기를)? (?:말하면|언급하면|물어보면|얘기하면|이야기하면),? (?<content>.+?)(?:라고|고) (?:알려|말해|전해) ?(?:줘|줘요|주세요)$/u,
  it: /^(?:그거|그것|이거|아까 그거|마지막)?$/u,
  number: /^(\d{1,9})번?$/,
  about: /^(?<words>.+?)(?:에 대한|관련)?$/u,
  promises: [
    /(?<when>[^.!?\n]{0,60}?)(?:확인해 ?(?:볼게요|보겠습니다)|알아볼게요|알아보겠습니다|살펴볼게요|알려 ?드릴게요|알려 ?드리겠습니다|다시 연락드릴게요)(?=[.!?\n\s]|$)/gu,
  ],
  vague: /(?:나중에|이따가|조금 있다가|잠시 후|곧)/u,
}

export default language
