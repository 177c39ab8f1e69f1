import type { Message, Turn } from 'kikimimi'
import { spoken } from './spoken.ts'

/** Whether what is said ends with a question mark. Spaces, emoji, brackets and `!` may follow it. */
export function endsWithQuestion(text: string): boolean {
  return QUESTION_END.test(spoken(text).normalize('NFKC'))
}

// Emoji come as characters, joined and varied, and as platforms write them: `:smile:`, `<:kiki:123>`.
const QUESTION_END =
  /[?؟❓❔](?:[\s!"'*_~|\p{Pe}\p{Pf}]|[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u200d|\ufe0f|:[\w+-]+:|<a?:\w+:\d+>)*$/u

/** Whether somebody asks, and not somebody else. */
export function asksQuestion({ messages }: Turn): boolean {
  return messages.some(message => !isForSomebodyElse(message) && endsWithQuestion(message.text))
}

function isForSomebodyElse({ mentions, addressed }: Message): boolean {
  return mentions.length > 0 && addressed === undefined
}
