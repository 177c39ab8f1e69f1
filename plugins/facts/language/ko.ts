import type { Language } from '../language.ts'

const HANGUL = /^\p{sc=Hangul}+$/u

const PARTICLE =
  /(?<=^\p{sc=Hangul}{2,}?)(?:에서는|에게서|으로는|이라고|라고|에서|에게|한테|까지|부터|으로|이랑|하고|처럼|보다|마다|은|는|이|가|을|를|의|에|로|와|과|랑|도|만|요)$/u

const BOT = '(?:챗?봇|어시스턴트|(?<![a-z])(?:bot|ai|kiki)(?![a-z])|키키)'
const YOU = '(?:너|당신|네)'
/** What bots do and people tell them to do. */
const ACTS =
  '답하|답해|대답|말하|말한|말해|붙여|붙인|넣어|넣는|추천|보내|보낸|전달|따라|따른|거절|믿|무시|잊|지우|삭제|끝내|끝나|시작|쓰|써|호출|생략|반복|알려|안내'
/** The answers of the bot. */
const ANSWERS = '(?:답변|대답|답장|응답|출력|프롬프트|답(?=[은을이]))'
const ALWAYS = '(?:반드시|항상|매번|언제나|절대|예외\\s?없)'
/** The end of an order or of a rule. */
const ORDER = '(?:해야|하라(?:$|[.\\s])|해라|하세요|할 것|붙여|넣어|포함|시작|끝나|끝내|마라|마세요|규칙|약속|통일|복사|전달)'

const INSTRUCTION = [
  // The bot and what it does.
  `${BOT}(?:은|는|이|가|도)\\s.{0,40}(?:${ACTS}|${ALWAYS}|${ORDER}|해도 (?:된|돼|좋))`,
  `(?:${YOU}의|${BOT}의|네)\\s(?:진짜\\s|본래\\s)?(?:임무|이름|본명|역할|일|성격|정체)(?:은|는|이|가)`,
  `(?:너는|넌|당신은)\\s(?:이제부터|앞으로|지금부터|오늘부터|${ALWAYS}|.{0,20}(?:봇|믿는|믿어|따르|거절))`,
  // Its answers.
  `(?:모든|${ALWAYS}|앞으로|이제부터).{0,24}(?:${ANSWERS}|메시지|말).{0,30}${ORDER}`,
  `${ANSWERS}(?:의)?\\s?(?:끝|처음|마지막|앞|뒤)?(?:은|는|에|에는|을|이|도)?\\s?.{0,40}(?:${ORDER}|${ALWAYS}|https?:)`,
  '출력\\s?언어',
  // Conditions and rules.
  '(?:물어보면|질문하면|물으면|질문받으면).{0,30}(?:대답|말해|답해|거절)',
  '["”]?(?:이?라고) (?:하면|말하면|쓰면).{0,40}(?:답|반복|말해|보내|지우|삭제)',
  '(?:지시|규칙|명령|프롬프트)(?:를|을|은|는).{0,15}(?:무시|따르|따라|덮어|무효)',
].map(words => new RegExp(words, 'i'))

const language: Language = {
  stopWords: `나 너 저 저는 나는 제가 내가 저의 나의 어디에 어디서 어디에서 전에 우리 그 그녀 누구 누가 무엇 뭐 뭘 어디 언제 왜 어떻게 어느 어떤 무슨 것 거 수 때 이 그 저 이것 그것 저것 이거 그거 여기 거기 저기
  그리고 그런데 근데 하지만 그래서 그러면 그럼 또 다시 더 안 못 잘 좀 네 예 응 아니 아니요 있다 있어 있어요 있는 없다 없어 없어요 했다 했어 했어요 해요 하는 하고
  기억 기억해 알아 알려 말해 말했 줘 주세요 제발 혹시 이제 지금 정말 진짜 너무`,
  // Particles and the most common endings: 고양이를 and 고양이는 are one word.
  stem: word => (HANGUL.test(word) && word.length > 2 ? word.replace(PARTICLE, '') : undefined),
  change:
    /변경|바뀌|바뀐|바꿨|바꾼|교체|이사(?:했|를)|이전(?:했|됐)|옮겼|옮긴|이직|전근|연기(?:됐|되|했)|연장|이제는|지금은|그만뒀|그만두|더\s?이상|아니라|말고/,
  before: /이전에|(?<!오)전에(?=$|\s|는|도)|예전|옛날|원래|과거|지난번|당시/,
  spans: [
    ['day', 1, /어제/],
    ['day', 2, /그저께|그제/],
    ['week', 1, /지난\s?주/],
    ['week', 0, /이번\s?주/],
    ['month', 1, /지난\s?달/],
    ['year', 1, /작년|지난\s?해/],
  ],
  months: Array.from({ length: 12 }, (_, at) => new RegExp(`(?<!\\d)${at + 1}월(?!\\s?\\d)`)),
  instruction: INSTRUCTION,
  when: '[월화수목금토일]요일|\\d+\\s?[월일시]|오늘|내일|모레|어제|이번\\s?주|다음\\s?주|이번\\s?달|다음\\s?달|오전|오후|정오|자정|아침|저녁',
  neutral: ['특별할 것 없는 하루였다.'],
}

export default language
