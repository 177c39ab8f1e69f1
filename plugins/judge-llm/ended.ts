import type { Message } from 'kikimimi'

/** Whether a talk has ended with thanks or a goodbye, and leaves no question open. */
export function hasEnded(messages: readonly Message[]): boolean {
  const last = messages.at(-1)
  const before = messages.findLast(({ text }) => !isClosing(text))
  return last !== undefined && isClosing(last.text) && !(before && ASKS.test(before.text))
}

/** Somebody who thanks at length, or asks something more, is not leaving. */
function isClosing(text: string): boolean {
  const said = text.normalize('NFKC').toLowerCase()
  return said.length <= 80 && !ASKS.test(said) && !GOES_ON.test(said) && CLOSING.some(words => words.test(said))
}

const ASKS = /[?？]/

const GOES_ON =
  /\b(?:but|however|by the way|btw|also|one more|another|actually|though)\b|でも|けど|ところで|ちなみに|あと[、,\s]|もう(?:一|ひと|1)つ|ついでに|それと|教えて/

const CLOSING = [
  /\b(?:thanks(?! to\b)|thank (?:you|u)|thx|tysm?|cheers|appreciate (?:it|that|you)|much appreciated)\b/,
  /\b(?:you['’]?re (?:very )?welcome|no (?:problem|worries)|np|any ?time|my pleasure|(?:happy|glad) (?:to|i could) help)\b/,
  /\b(?:(?:good|bye)[ -]?bye|bye|good ?night|gn|ciao|see (?:you|ya)|c(?:ya|u)|ttyl|take care|sleep well|(?:gotta|got to|have to) go|g2g|signing off)\b/,
  /\b(?:talk|catch|speak)(?: to)?(?: you| ya)? (?:later|soon|tomorrow)\b|^(?:ok(?:ay)?,? )?laters?\b|\bhave a (?:good|nice|great|lovely)\b|\buntil (?:tomorrow|next)\b/,
  /ありがと|あざっ?す|サンキュ|さんきゅ|感謝|助か(?:っ|り|る)|おおきに|恩に着/,
  /どういたしまして|いえいえ|いやいや|とんでもない|こちらこそ|お役に立て/,
  /おやすみ|お休みなさい|また(?:ね|な|明日|あした|今度|来週|後で|あとで|よろしく)|じゃあ?(?:ね|な|また|これで)|で(?:は|わ)(?:また|これで|失礼)|さよ(?:う)?なら|バイバイ|ばいばい/,
  /お疲れ|おつかれ|乙です|^おつ|失礼します|お先に|(?:寝|落ち)(?:ます|る(?:ね|わ|よ)|ちゃう)/,
]
