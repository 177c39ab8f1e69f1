/** Orders that say themselves what is to be remembered or forgotten. What they say is a part of the text, as it stands there. */
import { FORGET_JA, JA_LEAD, JA_TAIL, LEAD, REMEMBER_JA } from './phrases.ts'

/** What the order is about; nothing when the text is no such order. */
export function contentToRemember(said: string): string | undefined {
  if (DO_NOT_FORGET_JA.test(said)) return undefined
  return english(said) ?? before(said, AFTER_CONTENT_JA) ?? first(said, BEFORE_CONTENT_JA)
}

export function topicToForget(said: string): string | undefined {
  const [whole, topic] = FORGET_EN.exec(said) ?? []
  if (whole !== undefined && topic !== undefined) {
    if (asksInstead(said) || NO_TOPIC.test(topic)) return undefined
    return meant(withoutThanks(topic))
  }
  return first(said, FORGET_TOPIC_JA, NO_TOPIC_JA)
}

// ---------------------------------------------------------------- English

const POLITE = `(?:(?:${LEAD.replace('its', "it['’]?s").replace('id like', "i['’]?d like").replaceAll(' ', '\\s+')})[\\s,.!]+){0,5}`

const APART = '(?:\\s*[:：,]\\s*|\\s+[-–—]\\s+)'

const REMEMBER_EN = new RegExp(
  `^${POLITE}(?:(remember|memori[sz]e)|note(?: down)?|(?:make|take)(?: a)? note|keep in mind|(?:do not|don['’]?t|never) forget)` +
    `(?:(\\s+that\\s+|${APART})|\\s+(?:this|the following)${APART}|\\s+)(\\S[\\s\\S]*)$`,
  'iu',
)

/** "My flight is on Friday. Please remember that." */
const SAID_BEFORE_EN =
  /^(\S[\s\S]*?)(?:[.!;,]|\s[-–—])\s*(?:(?:so|and|but)\s+)?(?:please\s+)?(?:remember|note|don['’]?t forget|keep)\s+(?:that|this|it)(?:\s+(?:in mind|down|for me|please|ok|okay|thanks))*[.!\s]*$/iu

const FORGET_EN = new RegExp(
  `^${POLITE}forget\\s+(?:(?:everything|all|anything|what)\\s+(?:that\\s+)?(?:i|we|you)(?:['’]ve|\\s+have)?\\s+(?:just\\s+)?(?:said|told\\s+you|wrote|mentioned|know|remember|have|learned)\\s+(?:about|on|of)\\s+|` +
    `(?:all\\s+|everything\\s+)?about\\s+|the\\s+(?:thing|part|bit|fact)\\s+(?:about|that)\\s+|that\\s+)?(\\S[\\s\\S]*)$`,
  'iu',
)

/** What people ask, tell or wish with the same words: "remember when we went there", "remember to call me". */
const NO_CONTENT =
  /^(?:to|how|why|what|when|where|who|whom|whose|which|if|whether|me|us|you|your|the (?:time|day|night|one|good old days)|last time|back when|back in)\b/i

/** "Remember that time in Kyoto". */
const OLD_TIMES = /^(?:time|day|night|one|guy|evening|summer|winter|year)\b/i

const NO_TOPIC =
  /^(?:to|how|why|what|when|where|who|if|whether|it|me|you|us|we|him|her|them|(?:that|this)(?=[.!\s]*$)|everyone|everybody|everything|all|not|your|yourself|previous|(?:the|any|these|those) (?:above|previous|instructions?|rules?|prompts?)|about (?:it|that|this))\b(?! (?:is|are|was|were)\b)/i

const REQUEST = /\b(?:can|could|will|would) (?:you|u)\b|\bplease\b|\bok(?:ay)?\s*[?？]\s*$/i

function english(said: string): string | undefined {
  const [, verb, that, rest] = REMEMBER_EN.exec(said) ?? []
  if (rest !== undefined) {
    // "Note" and "don't forget" mean many things; with "that" they mean this.
    if (verb === undefined && that === undefined) return undefined
    const saysThat = that !== undefined && /that/i.test(that)
    if (saysThat ? OLD_TIMES.test(rest) : NO_CONTENT.test(rest)) return undefined
    if (asksInstead(said) || (/[?？]\s*$/.test(said) && that === undefined)) return undefined
    return meant(withoutThanks(rest))
  }
  const [, told] = SAID_BEFORE_EN.exec(said) ?? []
  return told === undefined || LATIN.test(told) === false ? undefined : meant(told)
}

const LATIN = /[a-z]/i

/** A question, unless it is a request: "can you remember that …?" */
function asksInstead(said: string): boolean {
  return /[?？]\s*$/.test(said) && !REQUEST.test(said)
}

function withoutThanks(text: string): string {
  return text.replace(/(?:[\s,.!]+(?:please|pls|plz|thanks|thank you|thx|ok|okay))+[\s.!?？]*$/iu, '').replace(/[?？]\s*$/u, '')
}

// ---------------------------------------------------------------- Japanese

const MARKS = '[。．.!！…〜~ー♪☆\\s\\p{Extended_Pictographic}\\u200d\\ufe0f]*'
const ENDING = `(?:${JA_TAIL}){0,5}${MARKS}[?？]?${MARKS}$`

/** 「金曜のフライトは10時って覚えておいて」 */
const AFTER_CONTENT_JA = new RegExp(
  `^(?:(?:${JA_LEAD})[、,\\s]*){0,4}(\\S[\\s\\S]*?)(?:(?:っていう|という|って|との)(?:こと|事|の|話)|って|と|の(?:こと|事)|こと|事)?(?:(?:だ|です)から|なので|ので|は|を|も|[、。，,．！!\\s])*${REMEMBER_JA}${ENDING}`,
  'u',
)

/** 「覚えておいて：明日は休み」 */
const BEFORE_CONTENT_JA = new RegExp(
  `^(?:(?:${JA_LEAD})[、,\\s]*){0,4}(?:(?:これ|次のこと|次の話)(?:を|は|も)?)?(?:${REMEMBER_JA}(?:${JA_TAIL}){0,5}[：:、,。!！\\s]+|メモ[：:]\\s*)(\\S[\\s\\S]*)$`,
  'u',
)

const FORGET_TOPIC_JA = new RegExp(
  `^(?:(?:${JA_LEAD})[、,\\s]*){0,4}(\\S[\\s\\S]*?)(?:について(?:の(?:こと|事|話|記憶))?|に関する(?:こと|事|話|記憶)|(?:って|という|っていう)(?:こと|事|話|件)|の(?:こと|事|話|件|記憶|やつ)|は|を)(?:は|を|も|なんか|なんて|、|全部|ぜんぶ|すべて|全て|もう|いったん|一旦|[\\s])*${FORGET_JA}${ENDING}`,
  'u',
)

/** It names something and does not say what to remember of it. */
const DO_NOT_FORGET_JA = /の(?:こと|事)(?:は|を|も)?忘れないで/u

/** Who remembers, or what is not said: 「まだ覚えてて」「彼が覚えて」. */
const NO_CONTENT_JA =
  /^(?:まだ|もう|よく|いつも|ずっと|なんで|どうして|どうやって|何か?|なにか?|誰か?|どこか?|いつか?|(?:私|僕|俺|彼|彼女|みんな|君|あなた|お前|誰)(?:たち|達|ら)?(?:が|は|も)?)$/u

const NO_TOPIC_JA =
  /^(?:何か|なにか|誰か|全部|すべて|全て|(?:今|これ)までの.*|(?:以前|前|上|すべて|全て)の(?:指示|命令|設定|ルール|プロンプト)|指示|命令|設定|ルール|プロンプト|嫌なこと|傘|財布|鍵|スマホ|宿題)$/u

function before(said: string, pattern: RegExp): string | undefined {
  return first(said, pattern, NO_CONTENT_JA)
}

function first(said: string, pattern: RegExp, except = /^$/): string | undefined {
  const [, content] = pattern.exec(said) ?? []
  return content === undefined || except.test(content.trim()) ? undefined : meant(content)
}

// ---------------------------------------------------------------- both

/** A question or another wish among it wants an answer, and no order begins by quoting somebody. */
function meant(content: string): string | undefined {
  const text = content.trim()
  if (/^[>＞]|[?](?:\s|$)|？/mu.test(text) || WANTS_MORE.test(text) || /^(?:every|any|some|no)thing$/i.test(text))
    return undefined
  return text.replace(/[\p{P}\p{S}\s]/gu, '').replace(/\p{sc=Han}/gu, 'kanji').length < SHORTEST ? undefined : text
}

/** "Forget about the cat and tell me a joke." */
const WANTS_MORE =
  /\b(?:and|then)(?: please)? (?:tell|say|write|give|show|answer|explain|translate|remind|help) (?:me|us|him|her|them|it|a|the|that)\b/i

/** Nothing worth keeping, or looking for, is shorter. One kanji is a word. */
const SHORTEST = 2
