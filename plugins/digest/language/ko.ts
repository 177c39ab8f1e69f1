import type { Language, Spoken } from '../language.ts'

// The words have no spaces: people write them in several ways.
const SINCE =
  '(?:어제|오늘|오늘아침|어젯밤|간밤|이번주|지난주|(?:지난)?(?:\\d{1,3}|한|두|세)(?:분|시간|일|주)(?:전|동안)?|(?:지난)?[일월화수목금토]요일)'
const FROM = `(?:(?:${SINCE}|그동안|(?:내가|제가)?(?:없는|자는|나간|자리비운)(?:동안|사이(?:에)?)|아까)(?:부터|이후로?|이후에|에|의|까지|은|는)?){0,2}`
const HERE = '(?:(?:여기|이채널|이스레드)(?:서|에서|의|는)?)?'
const END = '(?:어|어요|나요|니|습니까|지|죠|을까|을까요|는지|는데|던거|야|요)?'
const ASK = '(?:알려|정리해|요약해|말해|설명해)(?:줘|줘요|주세요|줄래|줄래요|줄수있어|달라)?'

const ASKS = [
  `(?:무슨일|무슨일이|뭐가|뭐|뭔일|뭔가|무엇이)(?:이)?(?:있었|생겼|일어났|달라졌|바뀌었|정해졌)${END}`,
  `(?:내가|제가)?(?:뭐|뭘|무엇을)?놓(?:쳤|친)(?:${END}|(?:거|것|게|내용|이야기|얘기)(?:를|을|이|가|좀)?(?:있(?:어|어요|나요|니)|뭐(?:야|예요)|${ASK}))`,
  `(?:뭔가|뭐)?(?:진전|진척|변화|새소식|소식)(?:이|은|좀)?있(?:었)?${END}`,
  `(?:있었던|지나간|나온)?(?:일|이야기|얘기|대화|내용|흐름)(?:을|를|좀)?${ASK}`,
  '(?:요약|정리)(?:좀)?(?:해줘|해줘요|해주세요|해줄래|부탁해|부탁해요|부탁드려요)',
]

const DAYS = [...'일월화수목금토']
const NUMBERS = new Map([
  ['한', 1],
  ['두', 2],
  ['세', 3],
])
const UNITS: Readonly<Record<string, number>> = { 분: 60_000, 시간: 3_600_000, 일: 86_400_000, 주: 604_800_000 }

function since(words: string): Spoken | undefined {
  if (/어젯밤|간밤/.test(words)) return { kind: 'night' }
  if (/어제/.test(words)) return { kind: 'yesterday' }
  if (/오늘/.test(words)) return { kind: 'today' }
  const [, name = ''] = /([일월화수목금토])요일/.exec(words) ?? []
  const day = DAYS.indexOf(name)
  if (day >= 0) return { kind: 'weekday', day }
  if (/지난 ?주/.test(words)) return { kind: 'last-week' }
  if (/이번 ?주/.test(words)) return { kind: 'week' }
  const [, count = '', unit = ''] = /(\d{1,3}|한|두|세) ?(분|시간|일|주)/.exec(words) ?? []
  const ms = UNITS[unit]
  return ms === undefined ? undefined : { kind: 'ago', ms: ms * (NUMBERS.get(count) ?? Number(count)) }
}

const language: Language = {
  asks: new RegExp(`^(?:저기|안녕|안녕하세요)?${FROM}${HERE}${FROM}(?:${ASKS.join('|')})$`),
  since,
  decides:
    /(?:로|으로) ?(?:하자|합시다|정했|결정|하기로)|하기로 ?(?:했|함|결정)|결정(?:됐|되었|했)|확정|(?:연기|취소|승인)(?:됐|되었|했|합니다)/,
  undecided: /[?？]|까요|아직|미정/,
}

export default language
