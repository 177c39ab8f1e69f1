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

/** Whether a message only takes note: "ok, thanks!", 「うん、了解でーす」, 👍. */
export function closes(text: string): boolean {
  const said = fold(spoken(text)).trim()
  if (said === '' || said.length > LONGEST || ASKS.test(said)) return false
  const words = said.replace(MARKS, ' ')
  return isNothingElse(words) || isNothingElse(words.replace(/[ー~]/g, ''))
}

function isNothingElse(words: string): boolean {
  let rest = words.replace(/\s+/g, ' ').trim()
  // Word by word, without a way back: what people type must not make this slow.
  while (rest !== '') {
    WORD.lastIndex = 0
    const [word] = WORD.exec(rest) ?? []
    if (!word) return false
    rest = rest.slice(word.length).replace(/^[ー~ ]+/u, '')
  }
  return true
}

/**
 * Whether somebody thanks or says goodbye, in words of their own: "that's all I needed, thanks", 「もう寝るね、また明日」.
 * Who thanks at length, or wants something more, is not leaving.
 */
export function takesLeave(text: string): boolean {
  const said = fold(text)
  return said.length <= 80 && !ASKS.test(said) && !GOES_ON.test(said) && LEAVES.some(words => words.test(said))
}

const ASKS = /[?？؟]/

const GOES_ON =
  /\b(?:but|however|by the way|btw|also|one more|another|actually|though)\b|でも|けど|ところで|ちなみに|あと[、,\s]|もう(?:一|ひと|1)つ|ついでに|それと|教えて/

const LEAVES = [
  /\b(?:thanks(?! to\b)|thank (?:you|u)|thx|tysm?|cheers|appreciate (?:it|that|you)|much appreciated)\b/,
  /\b(?:you['’]?re (?:very )?welcome|no (?:problem|worries)|np|any ?time|my pleasure|(?:happy|glad) (?:to|i could) help)\b/,
  /\b(?:(?:good|bye)[ -]?bye|bye|good ?night|gn|ciao|see (?:you|ya)|c(?:ya|u)|ttyl|take care|sleep well|(?:gotta|got to|have to) go|g2g|signing off)\b/,
  /\b(?:talk|catch|speak)(?: to)?(?: you| ya)? (?:later|soon|tomorrow)\b|^(?:ok(?:ay)?,? )?laters?\b|\bhave a (?:good|nice|great|lovely)\b|\buntil (?:tomorrow|next)\b/,
  /ありがと|あざっ?す|サンキュ|さんきゅ|感謝|助か(?:っ|り|る)|おおきに|恩に着/,
  /どういたしまして|いえいえ|いやいや|とんでもない|こちらこそ|お役に立て/,
  /おやすみ|お休みなさい|また(?:ね|な|明日|あした|今度|来週|後で|あとで|よろしく)|じゃあ?(?:ね|な|また|これで)|で(?:は|わ)(?:また|これで|失礼)|さよ(?:う)?なら|バイバイ|ばいばい/,
  /お疲れ|おつかれ|乙です|^おつ|失礼します|お先に|(?:寝|落ち)(?:ます|る(?:ね|わ|よ)|ちゃう)/,
]
