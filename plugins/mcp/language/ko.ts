import type { Language } from '../language.ts'

const language: Language = {
  yes: /^(?:(?:네|예|응|그래|좋아|좋아요|실행|실행해|실행해 줘|해 줘|확인)(?: |$))+$/,
  no: /^(?:아니|아니요|아뇨|안 돼|취소|하지 마|그만)$/,
}

export default language
