import type { Message, Turn } from 'kikimimi'
import { inAnyLanguage } from '../language.ts'
import { fold, spoken } from './spoken.ts'

/** Characters at the end of a message in which the question mark is looked for. */
const END = 2_000

/** Whether a message ends with a question mark. Spaces, emoji, brackets and `!` may follow it. */
export function endsWithQuestion(text: string): boolean {
  return QUESTION_END.test(spoken(text).slice(-END).normalize('NFKC'))
}

// Emoji as characters, joined and with variants, and in the notation of platforms: `:smile:`, `<:kiki:123>`.
const QUESTION_END =
  /[?؟❓❔](?:[\s!"'*_~|\p{Pe}\p{Pf}]|(?![❓❔])[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]|\u200d|\ufe0f|:[\w+-]+:|<a?:\w+:\d+>)*$/u

/** Whether a message asks, offers or proposes something: "Should I open a ticket? I have the log.", 「チケットを作りましょうか。」. */
export function offersOrAsks(text: string): boolean {
  const said = fold(spoken(text).slice(-END)).replace(/[‘’]/g, "'")
  return /[?؟]/u.test(said) || OFFERS.test(said)
}

const OFFERS = inAnyLanguage('offers')

/** Whether a question refers to an earlier message: "does that work here too?", 「それって本当？」. */
export function refersBack(text: string): boolean {
  if (!endsWithQuestion(text)) return false
  const said = fold(spoken(text))
  return REFERS.test(said) && !ANOTHER.test(said)
}

const REFERS = inAnyLanguage('refersBack')

/** Asks one of the people there. */
const ANOTHER = inAnyLanguage('asksAnother')

/** Whether the text asks everybody: "can anyone tell me how this works? I have tried …", 「誰かこれ分かりますか」. */
export function asksWhoeverIsThere(text: string): boolean {
  const said = fold(spoken(text))
  return ASKS_FOR_HELP.test(said) || (/[?？]/.test(said) && ASKS_ALL.test(said))
}

const ASKS_ALL = inAnyLanguage('asksAll')

const ASKS_FOR_HELP = inAnyLanguage('asksForHelp')

/** Whether a person asks a question, and not one of another person. */
export function asksQuestion({ messages }: Turn): boolean {
  return messages.some(message => !isForSomebodyElse(message) && endsWithQuestion(message.text))
}

function isForSomebodyElse({ mentions, addressed }: Message): boolean {
  return mentions.length > 0 && addressed === undefined
}
