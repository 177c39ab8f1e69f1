import type { Language } from '../language.ts'

const language: Language = {
  yes: /^(?:(?:はい|うん|いいよ|いいです|お願い|お願いします|実行|実行して|実行してください|やって|やってください|了解|ok)(?: |$))+$/,
  no: /^(?:いいえ|いや|だめ|ダメ|やめて|やめてください|中止|キャンセル)$/,
}

export default language
