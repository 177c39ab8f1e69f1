/** What people tell the bot to do with its memory, as far as the whole message is an order. */
import { contentToRemember, topicToForget } from './contents.ts'
import { ASKS_WHAT_IS_KNOWN, FORGET_ME, FORGET_THAT, OPTS_IN, OPTS_OUT, REMEMBER_THAT } from './phrases.ts'

export type Order =
  /** `content`: what the message says itself. Absent: what it answers, or what was said before it. */
  | { readonly kind: 'remember'; readonly content?: string }
  /** `topic`: what it is about. Absent: what it answers, or what its author said before it. */
  | { readonly kind: 'forget'; readonly topic?: string }
  | { readonly kind: 'forget-me' | 'know' | 'opt-out' | 'opt-in' }

/** Which of several: their numbers from 1, or none of them. */
export type Choice = 'all' | 'none' | readonly number[]

/** Whoever writes more has more to say than an order without a content. */
const LONGEST = 120

/** @param names what the bot is called */
export function readOrder(text: string, names: readonly string[]): Order | undefined {
  const said = withoutCall(text, names)
  // Who quotes tells what somebody else said.
  if (QUOTES.test(text) || QUOTES.test(said)) return undefined
  const words = text.length <= LONGEST ? plainWords(said) : ''
  const says = (phrases: readonly RegExp[]) => words !== '' && phrases.some(phrase => phrase.test(words))
  if (says(ASKS_WHAT_IS_KNOWN)) return { kind: 'know' }
  const asks = /[?？]\s*$/u.test(said) && !REQUEST.test(said)
  if (!asks) {
    if (says(FORGET_ME)) return JOKES.test(said) ? undefined : { kind: 'forget-me' }
    if (says(OPTS_OUT)) return { kind: 'opt-out' }
    if (says(OPTS_IN)) return { kind: 'opt-in' }
    if (says(REMEMBER_THAT)) return { kind: 'remember' }
    if (says(FORGET_THAT)) return { kind: 'forget' }
  }
  const content = contentToRemember(said)
  if (content !== undefined) return { kind: 'remember', content }
  const topic = topicToForget(said)
  return topic === undefined ? undefined : { kind: 'forget', topic }
}

const QUOTES = /^\s*(?:[>＞]|```|["“”'‘「『])/mu

/** What cannot be undone is not done for a laugh. */
const JOKES = /\b(?:lol|lmao|rofl|jk|haha\w*)\b|[wｗ]+[!！]*\s*$|草\s*$|笑|冗談|😂|🤣|😜/iu

/** An order that is put as a question. In Japanese the words tell alone: 覚えて is one, 覚えてる is none. */
const REQUEST =
  /\b(?:can|could|will|would) (?:you|u)\b|\bplease\b|\bok(?:ay)?\s*[?？]\s*$|[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/iu

/** What somebody picks from a numbered list. Nothing when the text is about something else. */
export function readChoice(text: string, names: readonly string[], count: number): Choice | undefined {
  if (text.length > LONGEST) return undefined
  const words = plainWords(withoutCall(text, names))
  if (ALL.test(words) || (count === 1 && YES.test(words))) return 'all'
  if (NONE.test(words)) return 'none'
  if (!NUMBERS.test(words)) return undefined
  const numbers = [...new Set(Array.from(words.matchAll(/\d+/g), ([digits]) => Number(digits)))]
  return numbers.every(number => number >= 1 && number <= count) ? numbers : undefined
}

const AFTER =
  '(?: ?(?:please|pls|thanks|thank you|で|を|は|お願い(?:します)?|ください|下さい|忘れて|消して|ね|よ|です|だけ|の)){0,4}'
const ALL = new RegExp(
  `^(?:forget )?(?:all(?: of)?(?: (?:them|it|these|those))?|everything|both(?: of them)?|全部|ぜんぶ|すべて|全て|両方|どっちも|どちらも)${AFTER}$`,
  'u',
)
const NONE =
  /^(?:none(?: of (?:them|these|those))?|no|nope|nothing|not that(?: one)?|cancel|never ?mind|nvm|stop|keep (?:them|it|all)(?: all)?|leave (?:it|them)|なし|無し|いいえ|いや|違う|ちがう|やめ(?:て|とく|る|ます)|キャンセル|いいや|やっぱり?(?:いい(?:や|です)?|やめ(?:て|とく|る|ます)?)|どれも(?:忘れないで|消さないで)|どれでもない|そのままで?(?:いい)?)(?:です|ね|よ|thanks|please| )*$/u
const YES =
  /^(?:yes|yep|yeah|yup|sure|right|that one|はい|うん|そう|それ|そうそう)(?: ?(?:please|thanks|です|だよ|よ|お願い(?:します)?|忘れて))*$/u
const NUMBERS = new RegExp(
  `^(?:forget |the |number |no |nr )*(?:(?:number |no |the )?\\d{1,2}(?:st|nd|rd|th|番目?|つ目|個目)?(?: one)?(?: ?(?:and|と|や|と?あと) ?| )?){1,10}${AFTER}$`,
  'u',
)

/** The text without the bot's name and its mention at both ends. */
export function withoutCall(text: string, names: readonly string[]): string {
  let said = text.replace(/<[@#:a][^>\s]*>/g, ' ').trim()
  const known = names.filter(name => name.trim() !== '').sort((one, other) => other.length - one.length)
  for (let again = true; again; ) {
    again = false
    for (const name of known) {
      const called = `@?${escaped(name)}(?:-?(?:さん|ちゃん|くん|君|様|さま|先生|san|chan|kun))?`
      const ended = /\w$/.test(name) ? '(?!\\w)' : ''
      const begun = /^\w/.test(name) ? '(?<!\\w)' : ''
      const rest = said
        .replace(
          new RegExp(
            `^(?:(?:hey|hi|hello|ok|okay|yo|ねえ|ねぇ|おい|やあ)[\\s,、]*)?${called}${ended}[ー~〜]*[\\s,.:;!、。，：！]*`,
            'iu',
          ),
          '',
        )
        .replace(new RegExp(`[\\s,、。，]*${begun}${called}${ended}([\\s.!?。！？〜~ー]*)$`, 'iu'), '$1')
        .trim()
      again ||= rest !== said
      said = rest
    }
  }
  return said
}

function escaped(name: string): string {
  return name.trim().replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** The words alone: in lower case and folded width, without marks and emoji, and in Japanese without spaces. */
function plainWords(text: string): string {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/:[\w+-]+:/g, ' ')
    .replace(/['’]/g, '')
    .replace(/[\p{P}\p{S}\p{M}\p{C}\s]+/gu, ' ')
    .trim()
  return /[a-z]/.test(plain) ? plain : plain.replace(/(?<!\d) | (?!\d)/g, '')
}
