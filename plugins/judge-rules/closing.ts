import { fold, spoken } from './spoken.ts'

/** Words that take note, agree, thank or take leave, and want no answer. */
const WORDS = [
  // Longer ones first: the first that fits is taken.
  'thank you(?: (?:so|very) much)?|good ?night|good one|sounds good|all right|i see|i know|all|everyone|guys',
  'ok(?:ay)?|k+|kk|thanks?(?: (?:a lot|so much|again|anyway|man|mate|all|everyone))?|thx|thanx|tnx|ty|tysm|cheers',
  'cool|nice|great|good|fine|sure|right|true|yes|yeah|yea|yep|yup|ya|no|nope|nah|exactly|indeed|agreed|same|done|perfect|awesome|sweet',
  'alright|makes sense|will do|got it|gotcha|fair enough|never ?mind|nvm|np|no problem|no worries',
  "you'?re welcome|yw|welcome|sorry|oh|ah+|aha+|oops|hm+|mm+|wow|lol|lmao|rofl|(?:ha)+h?|heh(?:e|eh)*|bye|goodbye|gn|see (?:you|ya)|cya|later|brb|it works?(?: now)?|that worked",
  'うん+|ううん|うむ|はい|ええ|そう(?:だ|です)?(?:ね|よね)?|だよね|だね|ですね|ほんとだ|たしかに|確かに|なるほど(?:です|ね)?|了解(?:です|しました)?|りょ(?:うかい)?|承知(?:しました|です)',
  'わかった|わかりました|分かった|分かりました|おけ|おっけ|オッケ|オーケ|どうも|ありがと(?:う)?(?:ございます|ございました|ね|な)?|助かった|助かりました|助かる',
  'すみません|ごめん(?:ね|なさい)?|いいね|いいですね|よかった|良かった|すごい|さすが|やった|へえ|へぇ|ふむ|ふーん|ほう|あー+|おお+|おつ(?:かれ)?(?:さま)?(?:です|でした)?|お疲れ(?:様|さま)?(?:です|でした)?',
  'おやすみ(?:なさい)?|またね|また明日|じゃあ?(?:ね|また)?|ばいばい|バイバイ|どういたしまして|いえいえ|やっぱ(?:り)?いい(?:や|です)|草|笑|w+|ｗ+',
].join('|')

const WORD = new RegExp(`(?:${WORDS})(?![a-z0-9])`, 'uy')
/** Marks, emoji as characters and as platforms write them, smileys. */
const MARKS = /:[\w+-]+:|<a?:\w+:\d+>|[:;=8]-?[dp3o](?![a-z0-9])|[^\p{L}\p{N}'ー]/gu
/** Whoever says more than that has something to say. */
const LONGEST = 60

/** Whether a message only takes note: "ok, thanks!", 「うん、了解」, 👍. */
export function closes(text: string): boolean {
  const said = fold(spoken(text)).trim()
  if (said === '' || said.length > LONGEST || /[?؟]/.test(said)) return false
  let rest = said.replace(MARKS, ' ').replace(/\s+/g, ' ').trim()
  // Word by word, without a way back: what people type must not make this slow.
  while (rest !== '') {
    WORD.lastIndex = 0
    const [word] = WORD.exec(rest) ?? []
    if (!word) return false
    rest = rest.slice(word.length).replace(/^[ー~ ]+/u, '')
  }
  return true
}
