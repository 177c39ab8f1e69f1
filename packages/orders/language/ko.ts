import type { Language } from '../language.ts'

const language: Language = {
  greetings: '야|저기|안녕|안녕하세요|있잖아',
  honorifics: '님|씨|아|야',
  beforeCall: '(?:니까|는데|지만|고|서|요|다)',
  reports: /말[했하]|라고|예[:를]|썼|쓰|면[\s,]/u,
  refersBack: /^(?:이거|그거|그때|기억해|잊어)/u,
  before: '야|저기(?:요)?|안녕(?:하세요)?|있잖아|혹시|죄송하지만|미안(?:하지만|한데)?|부탁인데|그럼|그리고',
  after:
    '(?:주세요|주실래요|주시겠어요|줄래요?|줘요?|주면 좋겠어요?)|부탁(?:해요?|드려요|드립니다|합니다)|고마워요?|감사(?:합니다|해요)',
}

export default language
