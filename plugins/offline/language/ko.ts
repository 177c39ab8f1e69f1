import type { Told } from '../facts.ts'
import type { Language } from '../language.ts'

const HANGUL = /^\p{Script=Hangul}+$/u

const PARTICLE =
  /(?<=^\p{Script=Hangul}{2,20}?)(?:에서는|에게서|으로는|이라고|라고|에서|에게|한테|까지|부터|으로|이랑|하고|은|는|이|가|을|를|의|에|로|와|과|랑|도|만|요)$/u

// ---------------------------------------------------------------- facts

const DOUBT =
  /것 같|듯|아마|어쩌면|일지도|라면|으면|하면|만약|농담|거짓말|다고 (?:했|들|하더)|라고 (?:했|들|하더)|싶(?:다|어)|[“"「『]/u

const ORDER = /(?:줘|주세요|해라|하세요|하자|합시다|부탁)(?:요)?[.!]*$|^(?:무시|기억|잊|저장|기록)/u

const KIN = '(?:아내|남편|아들|딸|아이|형|누나|오빠|언니|동생|어머니|아버지|엄마|아빠|부모님|할머니|할아버지|쌍둥이)'
const PET = '(?:고양이|강아지|개|토끼|햄스터|앵무새|거북이|금붕어)'
const DATE =
  '(?:[월화수목금토일]요일|\\d{1,2}월|\\d{1,2}일|\\d{1,2}시|\\d{1,2}/\\d{1,2}|오늘|내일|모레|이번 ?주|다음 ?주|다음 ?달|주말|오전|오후)'
const EVENT =
  '(?:회의|미팅|모임|회식|출시|배포|마감|면접|시험|여행|출장|발표|데모|스터디|공연|결혼식|이사|점검|경기|휴가|행사|워크숍|리뷰)'

const TOLD: readonly (readonly [Told['kind'], RegExp])[] = [
  [
    'durable',
    new RegExp(
      `^(?:내|제|우리)\\s?(?:집\\s?)?(?:${PET}|${KIN})(?:의?\\s?이름)?(?:은|는|이|가)\\s?\\S{1,20}(?:이야|야|이에요|예요|입니다|이다)?$`,
      'u',
    ),
  ],
  ['durable', /(?:고양이|강아지|개|토끼|햄스터)(?:를|을)?\s?.{0,8}키우(?:고|는|기)/u],
  ['durable', /(?:내|제)\s?(?:이름|생일|고향|직업|취미|전공)(?:은|는)\s?\S+/u],
  [
    'durable',
    /(?:에|에서)\s?(?:살아|살고|산다|삽니다|일해|일하고|일합니다|근무)|출신(?:이야|이에요|입니다)?$|(?:으로|로)\s?이사(?:했|왔|갔)/u,
  ],
  ['durable', /알레르기(?:가)?\s?(?:있|예요|이에요|입니다)|채식주의/u],
  ['durable', /(?:결혼|이직|취직|입사|퇴사|졸업|입학|승진)했/u],
  [
    'preference',
    /(?:을|를|이|가|은|는)\s?(?:정말\s?|아주\s?|제일\s?|가장\s?)?(?:좋아|싫어|사랑|선호)(?:해|하|합)|(?:이|가)\s?(?:좋|싫)(?:아요?|습니다|다)$/u,
  ],
  [
    'current',
    /(?:으로|로)\s?(?:정했|정해졌|결정했|결정됐|바꿨|바뀌었|변경했|변경됐)|담당은\s?\S+|매(?:주|월|일)\s?.{0,12}(?:회의|미팅|모임|스터디)/u,
  ],
  ['event', new RegExp(`${EVENT}[^.]{0,12}(?:은|는|이|가|을|를)[^.]{0,20}${DATE}`, 'u')],
  ['event', new RegExp(`${DATE}[^.]{0,16}${EVENT}(?:이|가)?\\s?(?:있|시작|이야|예요|이에요|입니다|하기로)`, 'u')],
]

/** 「민수 씨는…」 */
const ABOUT = /^([\p{L}\p{N}_-]{1,12}?)\s?(?:님|씨)(?:은|는|의)\s/u

function told(sentence: string): Omit<Told, 'text'> | undefined {
  const plain = sentence.replace(/(?<![.!~\sᄏᄒㅋㅎ])[.!~\sᄏᄒㅋㅎ]+$/u, '')
  if (DOUBT.test(plain) || ORDER.test(plain)) return undefined
  const [head = '', about] = ABOUT.exec(plain) ?? []
  const rest = about === undefined ? plain : `나는 ${plain.slice(head.length)}`
  const kind = TOLD.find(([, pattern]) => pattern.test(rest) || pattern.test(plain))?.[0]
  return kind && { kind, ...(about !== undefined && { about }) }
}

const language: Language = {
  letter: /\p{Script=Hangul}/u,
  stopWords: `나 너 저 우리 그 그녀 누구 누가 무엇 뭐 뭘 어디 언제 왜 어떻게 어느 어떤 무슨 것 거 수 이것 그것 저것 이거 그거 여기 거기
  나는 나의 내 제 저는 내가 제가 너는 네가 있어 있어요 있나요 없어 없어요 했어 했어요 해요 하는 하고 뭐야 뭐였지 어디야 언제야 알아 아세요 기억 기억해 말했 말했어 알려줘 알려 주세요 줘 좀 혹시`,
  weakWords: '이름 이야기 얘기 지금 오늘 어제 내일 이번 지난주 이번주 다음주 전 후 날 시간 때 월 년 사람 것 일',
  stem: word => (HANGUL.test(word) ? word.replace(PARTICLE, '') : undefined),

  question:
    /(?:나요|까요?|니|습니까|인가요?|는지|였지|더라|알려 ?줘|알려 ?주세요|가르쳐 ?줘|언제|어디|누구|뭐|무엇|얼마|몇 ?개)$/,
  firstPerson: /(?:^|\s)(?:나|내|저|제|우리)(?:는|가|의|를|도|한테)?(?:\s|$)/,
  saying: /말했|말한|말하|얘기했|이야기했/,
  memory: /기억|사실|알고 있|아는|역사|프로필|최근 일/,
  aboutMe:
    /(?:너는|넌|당신은|네가)\s?(?:누구|뭐|무엇)|(?:너|네|당신의?)\s?이름|뭘 할 수 있|무엇을 할 수 있|자기소개|(?:봇|인공지능|AI|사람)(?:이야|이에요|인가요|이니|입니까)\?/i,

  thanks: /감사|고마|고맙|땡큐/,
  bye: /안녕히|잘 ?자|내일 봐|또 봐|나중에 봐|바이바이/,
  hello: /^(?:안녕|좋은 아침|좋은 저녁|반가워|반갑습니다|처음 뵙겠습니다)/,
  morning: /좋은 아침/,
  evening: /좋은 저녁/,

  heated: /닥쳐|꺼져|바보|멍청|한심|최악|거짓말|짜증|헛소리|시끄러|용서 ?못/,
  laughs: /[ㅋㅎ]{2,}/,

  ownWords:
    /^그러고 보니 이런 이야기가 있었어요\.|” 라고 (?:말|답)했어요\.$|^제 기억으로는 |^지금까지의 이야기예요\. |^모르겠어요\. “|^그건 모델 없이는|” 이야기군요\. 저는|오프라인 모델/,
  persona: /^당신은 「?([^\s「」,.]+?)」?(?:입니다|이라는|[,.])/m,
  named: name => (/(?:님|씨)$/.test(name) ? name : `${name} 님`),

  claims: [
    ['lives_in', /(?<value>[\p{sc=Hangul}A-Za-z]{1,12}?)에서?\s?(?:살아|살고|산다|삽니다|살게)/u],
    ['lives_in', /(?<value>[\p{sc=Hangul}A-Za-z]{1,12}?)(?:으로|로)\s?이사(?:했|왔|갔|해)/u],
    ['works_at', /(?<value>[\p{sc=Hangul}A-Za-z]{1,20}?)에서\s?(?:일해|일하|일합니다|근무)/u],
    ['works_at', /(?<value>[\p{sc=Hangul}A-Za-z]{1,20}?)(?:으로|로)\s?(?:이직|전직)했/u],
  ],
  stated: [
    ['lives_in', /^(?<name>\S.{0,60}?) 님은 (?<value>.+)에 산다$/u],
    ['works_at', /^(?<name>\S.{0,60}?) 님은 (?<value>.+)에서 일한다$/u],
  ],
  state: (name, { relation, value }) => `${name} 님은 ${value}${relation === 'lives_in' ? '에 산다' : '에서 일한다'}`,
  asksFor: [
    ['lives_in', /(?:어디|어느).{0,8}(?:살|산)|사는 곳/],
    ['works_at', /(?:어디|어느).{0,8}(?:일하|일해|일했|근무)|직장은/],
  ],
  claimWords: { lives_in: '살아 살았어 사는 산다 집', works_at: '일해 일했어 직장 회사' },
  before: /이전에|전에|예전|옛날|원래|과거/,

  told,
}

export default language
