import type { Language } from '../language.ts'
import { type Day, SPAN, type Span, type SpanRule } from '../span.ts'

// The words have no spaces: people write them in several ways.
const N = '(?:\\d{1,3}|한|두|세)'
const DAY = '(?:그저께|그제|어제|오늘|(?:지난주?|이번주)?[일월화수목금토]요일)'
const FROM = '(?:부터|이후로?|이후에)'

const WEEKDAYS = [...'일월화수목금토']
const NUMBERS: Readonly<Record<string, number>> = { 한: 1, 두: 2, 세: 3 }
const UNITS: Readonly<Record<string, number>> = { 분: 60_000, 시간: 3_600_000, 일: 86_400_000, 주: 604_800_000 }

function dayOf(text = ''): Day {
  const ago = ['오늘', '어제', '그저께'].indexOf(text === '그제' ? '그저께' : text)
  if (ago >= 0) return { ago }
  const weeks = text.startsWith('지난주') ? { weeks: 1 } : text.startsWith('이번주') ? { weeks: 0 } : {}
  return { weekday: WEEKDAYS.indexOf(text.at(-3) ?? ''), ...weeks }
}

const day = (given: string | undefined, open: string | undefined, from = 0, to = 24): Span => ({
  ...{ kind: 'day', day: dayOf(given), from: from * 60, to: to * 60, isOpen: open !== undefined },
})

const spans: readonly SpanRule[] = [
  ['(?:내일|모레|다음주|다음달)', () => ({ kind: 'unclear' })],
  [`(${DAY})(${FROM})?`, (on, open) => day(on, open)],
  [`오늘아침(${FROM})?`, open => day('오늘', open, 4, 12)],
  [`(?:어젯밤|간밤)(${FROM})?`, open => day('어제', open, 18, 30)],
  [`(지난주|이번주)(${FROM})?`, (which, open) => ({ kind: 'week', ago: which === '지난주' ? 1 : 0, isOpen: open !== undefined })],
  [
    `(?:지난|최근)?(${N})(분|시간|일|주)(?:전|동안)(?:${FROM})?`,
    (n = '', unit = '') => ({ kind: 'last', ms: (NUMBERS[n] ?? Number(n)) * (UNITS[unit] ?? 0) }),
  ],
]

const WHEN = `(?:(?:${SPAN}|그동안|(?:내가|제가)?(?:없는|자는|나간|자리비운)(?:동안|사이(?:에)?)|아까)(?:부터|이후로?|이후에|에|의|까지|은|는)?){0,2}`
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

const language: Language = {
  asks: new RegExp(`^(?:저기|안녕|안녕하세요)?${WHEN}${HERE}${WHEN}(?:${ASKS.join('|')})$`),
  request: /(?:줘|줘요|주세요|까|어|지|나|요)[~]*$/u,
  isUnspaced: true,
  spans,
  decides:
    /(?:로|으로) ?(?:하자|합시다|정했|결정|하기로)|하기로 ?(?:했|함|결정)|결정(?:됐|되었|했)|확정|(?:연기|취소|승인)(?:됐|되었|했|합니다)/,
  undecided: /[?？]|까요|아직|미정/,
  proposes: /(?:어때|어떨까|할까|할까요|하자|합시다|하는 ?게|제안|면 ?좋겠)/,
  assents:
    /^[\s,.]*(?:\+1|👍|네|넵|예|응|ㅇㅇ|좋아|좋습니다|좋네|찬성|동의|알겠|오케이|ok|그래|그럽시다|괜찮)|(?:로|면) ?(?:좋아요|좋습니다|괜찮)/i,
  accepts: /^[\s,.]*(?:찬성|동의|알겠|오케이|확인|👍)/u,
  objects: /(?:안 ?돼|안 ?될|싫|무리|어렵|반대|곤란|별로)/,
  settles: /(?:^|[,.!\s])(?:그럼|그러면|그렇다면|오케이|알겠).{2,80}(?:로 ?(?:하|할|가|갑|정)|하겠습니다|할게요?|합시다|하자)/,
  wonders: /(?:궁금|아시는 ?분|아는 ?사람|알려 ?주|모르겠)/,
  unknown: /(?:모르|글쎄|저도 ?궁금|나도 ?궁금|기억 ?안)/,
  solved: /(?:찾았|해결(?:됐|했)|아니에요|됐어요)/,
  amount: /언제|몇|얼마/,
  number: /\d|요일|내일|오늘/,
  rhetorical: /[ㅋㅎ][?？]{0,5}$/,
}

export default language
