import type { Language } from '../language.ts'

const HANGUL = /^\p{sc=Hangul}+$/u

const PARTICLE =
  /(?<=^\p{sc=Hangul}{2,}?)(?:에서는|에게서|으로는|이라고|라고|에서|에게|한테|까지|부터|으로|이랑|하고|처럼|보다|마다|은|는|이|가|을|를|의|에|로|와|과|랑|도|만|요)$/u

const language: Language = {
  stopWords: `나 너 저 우리 그 그녀 누구 누가 무엇 뭐 뭘 어디 언제 왜 어떻게 어느 어떤 무슨 것 거 수 때 이 그 저 이것 그것 저것 이거 그거 여기 거기 저기
  그리고 그런데 근데 하지만 그래서 그러면 그럼 또 다시 더 안 못 잘 좀 네 예 응 아니 아니요 있다 있어 있어요 있는 없다 없어 없어요 했다 했어 했어요 해요 하는 하고
  기억 기억해 알아 알려 말해 말했 줘 주세요 제발 혹시 이제 지금 정말 진짜 너무`,
  // Particles and the most common endings: 고양이를 and 고양이는 are one word.
  stem: word => (HANGUL.test(word) && word.length > 2 ? word.replace(PARTICLE, '') : undefined),
  change:
    /변경|바뀌|바뀐|바꿨|바꾼|교체|이사(?:했|를)|이전(?:했|됐)|옮겼|옮긴|이직|전근|연기(?:됐|되|했)|연장|이제는|지금은|그만뒀|그만두|더\s?이상|아니라|말고/,
  before: /이전에|전에는|예전|옛날|원래|과거|지난번|당시/,
  when: '[월화수목금토일]요일|\\d+\\s?[월일시]|오늘|내일|모레|어제|이번\\s?주|다음\\s?주|이번\\s?달|다음\\s?달|오전|오후|정오|자정|아침|저녁',
  neutral: ['특별할 것 없는 하루였다.'],
}

export default language
