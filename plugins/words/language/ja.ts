import type { Language } from '../language.ts'

const LETTER = '[^\\s「」『』"、。=:()?!]'
const WORD = `(?<word>[「『"]${LETTER}{2,20}[」』"]|${LETTER}{2,20}?)`
const MEANING = '(?<meaning>.{2,200}?)'
const IS = '(?:というのは|っていうのは|って|とは|は)、?'
const END = '(?:なん)?(?:です|だ|である)?(?:よ|ね|な)*'
const FROM = '(?:これから(?:は)?|今後(?:は)?|今は|正しくは|ここで(?:は)?|うちで(?:は)?)?、?'
const NICKNAME = `(?:あだ名|ニックネーム|愛称)は、?${WORD}${END}`
const ASKING = '(?:の)?(?:ですか|でしょうか|だっけ|でしたっけ|なの|かな|か)?\\?*'

const language: Language = {
  defines: [new RegExp(`^${FROM}${WORD}${IS}${MEANING}の略(?:称|語)?${END}$`)],
  states: [
    new RegExp(`^${FROM}${WORD}${IS}${MEANING}(?:のこと|(?:という|って)意味)${END}$`),
    new RegExp(`^${FROM}${WORD}(?:というのは|っていうのは)、?${MEANING}(?:です|だ|である)(?:よ|ね)*$`),
    new RegExp(`^${WORD} ?= ?(?<meaning>.{2,200})$`),
  ],
  calls: [
    new RegExp(
      `^(?:(?:私|僕|俺|わたし|ぼく|おれ)(?:のこと)?(?:は|を)、?)?${WORD}(?:って|と)呼んで(?:ください|下さい)?(?:よ|ね)*$`,
    ),
    new RegExp(`^(?:(?:私|僕|俺|わたし|ぼく|おれ)の)?${NICKNAME}$`),
  ],
  names: [new RegExp(`^(?<name>${LETTER}{2,30}?)の${NICKNAME}$`)],
  asks: [
    new RegExp(
      `^(?:ここで(?:の|は)?)?${WORD}(?:の意味)?(?:というのは|って|とは|は)(?:何|なに|なん|(?:どういう|どんな)意味)(?:の略)?${ASKING}$`,
    ),
    new RegExp(`^${WORD}の意味(?:は\\?*|を教えて(?:ください|下さい)?)$`),
    new RegExp(`^${WORD}(?:って|とは)\\?+$`),
  ],
  explains: [new RegExp(`^(?:それは)?${MEANING}(?:の略(?:称|語)?|のこと|(?:という|って)意味)${END}$`)],
  forgets: new RegExp(`^${WORD}(?:という(?:言葉|単語|意味)|の意味)?(?:は|を|って)忘れて(?:ください|下さい)?(?:よ|ね)*$`),
  noWord: /^(?:これ|それ|あれ|ここ|そこ|何|なに|誰|私|僕|俺|今日|明日|昨日|彼|彼女|さっき(?:の)?|今(?:の)?)$/,
  honorific: /(?:さん|ちゃん|くん|君|様)$/,
}

export default language
