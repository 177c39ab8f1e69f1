import type { Language } from '../language.ts'

const language: Language = {
  yes: /^(?:はい|うん|いいよ|いいです|お願い|お願いします|実行|実行して|実行してください|了解)$/,
  no: /^(?:いいえ|いや|だめ|ダメ|やめて|やめてください|中止|キャンセル)$/,
}

export default language
