/**
 * Whether plain words, for nobody in particular, answer a question: by what it asks for, or by a word of its matter.
 * Rather not than wrongly: an answer that is kept back for a remark about lunch is lost, twice answered is only too much.
 */
import { withoutCall } from './called.ts'
import { endsWithQuestion } from './question.ts'
import { fold, spoken } from './spoken.ts'

/** A remark of a few words ("good question") is no answer. A character of Japanese says about as much as two letters. */
const SHORTEST = 14

export function saysEnough(text: string): boolean {
  const said = spoken(text).trim()
  const length = said.length + (said.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu)?.length ?? 0)
  return length >= SHORTEST && !endsWithQuestion(text)
}

/** @param sure not by a word of its matter alone: who was called answers, unless it is plain that somebody else has */
export function answersPlainly(question: string, text: string, sure = false): boolean {
  if (!saysEnough(text)) return false
  const [asked, said] = [withoutCall(spoken(question)).trim(), fold(spoken(text)).trim().replace(LEAD, '')]
  if (ELSEWHERE.test(said)) return false
  const wanted = KINDS.filter(({ asks }) => asks.test(asked))
  if (wanted.some(({ gives }) => gives.test(said))) return true
  return !sure && wanted.length > 0 && sharesWord(asked, said) && STATES.test(said)
}

const LEAD = /^(?:(?:oh|ah|hm+|well|i think|i guess|afaik|iirc|maybe|probably|あ+|えっと|確か|たしか|多分|たぶん)[\s,、…]*)+/u

/** Somebody tells of themselves, or wonders too. */
const ELSEWHERE =
  /^(?:brb|afk|same here|me too|good (?:morning|night|question)|(?:i['’]?m|i am|i['’]?ll be|we['’]?re) (?:off|out|going|late|back|here|leaving|having)|i (?:wonder|have no idea|don['’]?t know|would like to know))\b|私も(?:知り|気に)|(?:席|外)を?外し|行ってき|お昼(?:行|に行)|(?:知ら|分から|わから)ない|(?:気に|知り)(?:なる|たい)/

/** What a question asks for, and what gives it. */
const KINDS: readonly { readonly asks: RegExp; readonly gives: RegExp }[] = [
  {
    asks: /\bwhere\b|どこ|どちらに|場所/,
    gives:
      /\b(?:it|they|that|those)(?:['’]?s|['’]re| is| are)? (?:all )?(?:in|on|at|under|behind|next to|over|near|inside|by)\b|^(?:in|on|at|under|behind|inside|next to) (?:the|your|my|our)\b(?!.*\b(?:i|we)['’]?(?:m|re|ll)?\b)|(?:に|の(?:とこ|ところ)|で)(?:.{0,14})(?:ある|あり(?:ます|まし)|置い|載って|入って)|の(?:ところ|とこ|上|下|中|横|隣|奥|裏)(?:に|です|だ|$)/,
  },
  {
    asks: /\bwho\b|誰|だれ|どなた/,
    gives:
      /^\p{L}+(?: \p{L}+)? (?:has|knows|does|did|is|was|keeps|took|owns|wrote|made|runs)\b|(?:さん|くん|ちゃん|先輩|部長|課長)(?:が|の|です|だ|だよ)/u,
  },
  {
    asks: /\bwhen\b|what time|いつ|何時|何日|何曜|何月/,
    gives:
      /\b(?:at|on|until|from|in|next|this) (?:\d|noon|midnight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|week|month)|\b(?:tomorrow|tonight|yesterday)\b|[\d一二三四五六七八九十]+(?:時|日|月|分)|曜|明日|あした|来週|今夜/,
  },
  {
    asks: /\bhow\b|what['’]?s the (?:best )?way|どう(?:やって|すれば|したら)|方法|やり方|しかた|仕方/,
    gives:
      /^(?:just )?(?:open|click|use|try|run|press|go to|drag|select|install|set|type|take|put|add|remove|restart|right-click|choose)\b|\byou (?:can|could|should|have to|need to|just)\b|(?:すれば|したら|すると|して|使えば|使って|開いて|押して|押せば|選んで|選べば|クリック).{0,24}(?:でき|いけ|いい|OK|ok|なり|です|ます|よ)/,
  },
  {
    asks: /\b(?:what|which)\b(?! time)|(?:何|なに|なん|どれ|どっち|どの)(?!時|日|曜|月)/,
    gives: /^(?:it['’]?s|it is|that['’]?s|that is|they['’]?re)\b.{3,}/,
  },
  {
    asks: /^(?:is|are|was|does|do|did|can|could|has|have|will|should)\b|(?:ます|です|てる|でる|ある|いる|った|た|の)か?[?？]/,
    gives:
      /^(?:yes|yeah|yep|no|nope|nah)\b[,.! ]+\w|^(?:it|they) (?:is|are|was|does|did|can|has|have|will|isn['’]?t|doesn['’]?t)\b|^(?:はい|うん|いいえ|いや)[、,。]/,
  },
]

/** Says how something is. */
const STATES =
  /\b(?:is|are|was|were|has|have|can|should|must|runs?|works?|uses?|needs?|opens?|closes?|starts?)\b|['’]s\b|(?:です|ます|だよ|だね|ある|いる|てる|った|した|れば|はず)(?:よ|ね|けど|が)?[。!！]*$/

function sharesWord(one: string, other: string): boolean {
  const words = wordsOf(one)
  return wordsOf(other).some(word => words.includes(word))
}

function wordsOf(text: string): readonly string[] {
  const found = fold(text).match(/[a-z][a-z0-9]{3,}|[\p{sc=Han}々]{2,}|[\p{sc=Kana}ー]{2,}/gu) ?? []
  return found.map(word => word.replace(/(?<=[a-z]{3})s$/, '')).filter(word => !COMMON.test(word))
}

const COMMON =
  /^(?:where|when|what|which|that|this|there|they|them|then|with|from|have|does|will|would|could|should|about|anyone|anybody|someone|know|just|like|some|your|please|than|here|into|been|were|come|going|today|人|今日)$/
