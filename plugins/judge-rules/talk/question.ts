import type { Message, Turn } from 'kikimimi'
import { fold, spoken } from './spoken.ts'

/** Whether what is said ends with a question mark. Spaces, emoji, brackets and `!` may follow it. */
export function endsWithQuestion(text: string): boolean {
  return QUESTION_END.test(spoken(text).normalize('NFKC'))
}

// Emoji come as characters, joined and varied, and as platforms write them: `:smile:`, `<:kiki:123>`.
const QUESTION_END =
  /[?؟❓❔](?:[\s!"'*_~|\p{Pe}\p{Pf}]|[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u200d|\ufe0f|:[\w+-]+:|<a?:\w+:\d+>)*$/u

/** Whether a question only makes sense after something else: "does that work here too?", 「それって本当？」. */
export function refersBack(text: string): boolean {
  const said = fold(spoken(text))
  return endsWithQuestion(text) && REFERS.test(said) && !ANOTHER.test(said)
}

const REFERS =
  /\b(?:that|those|these|same|else|either|instead|why|how come|really)\b|それ|その|これ|この|そう|そこ|そっち|あれ|同じ|ほんと|本当|なんで|なぜ|どうして|じゃあ|だとしたら|ほかに|他に/

/** Somebody there is asked. */
const ANOTHER = /\byou(?:r|rs)?\b|あなた|あんた|お前|[君きみ]は/

/** Whether whoever is there is asked: "can anyone tell me how this works? I have tried …", 「誰かこれ分かりますか」. */
export function asksWhoeverIsThere(text: string): boolean {
  const said = fold(spoken(text))
  return ASKS_FOR_HELP.test(said) || (/[?？]/.test(said) && ASKS_ALL.test(said))
}

const ASKS_ALL =
  /\b(?:(?:any|some)(?:one|body)|any (?:ideas?|advice|suggestions?|tips|thoughts|help|recommendations?|chance|way)|is there (?:an?|any|some)|how (?:do|can|should|would|to)|help|i['’]?m (?:stuck|lost)|no idea|don['’]?t know (?:how|what|why|where)|(?:hi|hello|hey),? (?:all|everyone|everybody|guys|folks|there|people))\b/

const ASKS_FOR_HELP =
  /\b(?:(?:can|could|would|will) (?:any|some)(?:one|body)|(?:does|has|is) any(?:one|body)|any(?:one|body) (?:here|know|knows|got|have|tried|able)|please help|help me|need (?:some )?(?:help|advice))\b|(?:誰|だれ|どなた)か|(?:皆|みな)さん|みんなは|教えて(?:くだ|下さ|ほし|欲し|くれ|もら|いただ|頂)|助けて|どうすれば|どうしたら|ご存[知じ]|(?:詳し|分か|わか|知って)[いる]{1,2}(?:人|方)|(?:あり|い)ませんか/

/** Whether somebody asks, and not somebody else. */
export function asksQuestion({ messages }: Turn): boolean {
  return messages.some(message => !isForSomebodyElse(message) && endsWithQuestion(message.text))
}

function isForSomebodyElse({ mentions, addressed }: Message): boolean {
  return mentions.length > 0 && addressed === undefined
}
