import type { Language } from '../language.ts'

const LETTER = '[^\\s"“”,.?!=:()]'
const WORD = `(?<word>["“]${LETTER}{2,20}["”]|${LETTER}{2,20}?)`
const MEANING = '(?<meaning>.{2,200}?)'
const END = '(?:이에요|예요|에요|입니다|이야|야|임|이다|다)?'
const SHORT = `의 (?:줄임말|준말|약자|약어)${END}`
const SENSE = `(?:이라는|라는|란) (?:뜻|의미|말)${END}`

const language: Language = {
  defines: [new RegExp(`^${WORD}(?:이란|은|는|란)? ${MEANING}${SHORT}$`)],
  states: [
    new RegExp(`^${WORD}(?:이란|은|는|란) ${MEANING}${SENSE}$`),
    new RegExp(`^${WORD}(?:이란|란) ${MEANING}(?:을|를) (?:말해|말해요|뜻해|뜻해요|말합니다|뜻합니다)$`),
  ],
  calls: [
    new RegExp(`^(?:(?:나를|날|나는|저를|절|저는) )?${WORD}(?:이라고|라고) 불러 ?(?:줘|줘요|주세요)?$`),
    new RegExp(`^(?:내|제) 별명은 ${WORD}(?:이야|야|이에요|예요|입니다)?$`),
  ],
  names: [new RegExp(`^(?<name>\\S{2,30}?)(?:의)? 별명은 ${WORD}(?:이야|야|이에요|예요|입니다)?$`)],
  asks: [
    new RegExp(
      `^${WORD}(?:이|가|은|는|이란|란)? ?(?:뭐|뭔|무엇|무슨 (?:뜻|말))(?:이에요|예요|에요|인가요|이야|야|입니까|지|죠|가요)?\\?*$`,
    ),
  ],
  explains: [new RegExp(`^${MEANING}(?:${SHORT}|${SENSE})$`)],
  forgets: new RegExp(`^${WORD}(?:이라는 말|라는 말)?(?:은|는|을|를)? 잊어 ?(?:줘|줘요|주세요|버려)?$`),
  noWord: /^(?:이것|그것|저것|이거|그거|저거|여기|뭐|누구|오늘|내일|어제|우리)$/,
  honorific: /(?:님|씨)$/,
}

export default language
