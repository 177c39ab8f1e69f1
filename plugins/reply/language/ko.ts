import type { Language } from '../language.ts'

const language: Language = {
  joy: /감사|고마|고맙|땡큐|다행|기쁘|기뻐|즐거|신난|야호|축하|[ㅋㅎ]{2}$/,
  agreement: /찬성|동의|알겠|알았|좋아요|좋네|좋다고 생각|그러네|맞아|맞네|인정|확인했/,
  idea: /아이디어|제안|떠올랐|생각났|어떨까|어때요|하면 어때/,
  news: /출시|공개했|발표|새로운|새로 나|완성|됐습니다|됐어요!|시작했|시작합니다/,
}

export default language
