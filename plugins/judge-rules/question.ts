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

/** Whether somebody asks, and not somebody else. */
export function asksQuestion({ messages }: Turn): boolean {
  return messages.some(message => !isForSomebodyElse(message) && endsWithQuestion(message.text))
}

function isForSomebodyElse({ mentions, addressed }: Message): boolean {
  return mentions.length > 0 && addressed === undefined
}
