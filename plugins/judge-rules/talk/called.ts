/**
 * Whom a message speaks to, by the way a name stands in it. "kiki, is it done?" and 「キキさん、いる？」 talk to kiki;
 * "ask kiki" and 「キキが言ってた」 talk about kiki.
 */
import { alternatives, inAnyLanguage } from '../language.ts'
import { fold, spoken } from './spoken.ts'
import { placesOf } from './words.ts'

const HONORIFIC = alternatives('honorifics')
/** Said before a name without changing whom one talks to. */
const GREETING = alternatives('greetings')
const PAUSE = '[,、，:：;!！?？。…〜~ー\\n]'

/** A name with nothing around it but a greeting, an honorific and a pause: 「ねえ、キキさん、」 or "hey kiki!". */
const BEFORE = new RegExp(`(?:^|[.!?。！？\\n…])[\\s@*_"'(「（]*(?:(?:${GREETING})[\\s,、!！…〜~ー]*){0,2}$`, 'u')
const AFTER = new RegExp(`^(?:${HONORIFIC})?[\\s*_)"'」）]*(?:${PAUSE}|$|\\.(?:\\s|$))`, 'u')
/** What one says to somebody and not about them, right after the name. */
const TO_NAME = new RegExp(`^(?:${HONORIFIC})?\\s*(?:${alternatives('toName')})`, 'u')
/** A name at the end: "what do you think, kiki?", 「どう思う、キキ？」. */
const PAUSE_BEFORE = /[,、，…!！。]\s*[@*_「（(]*$/u
const TO_YOU = inAnyLanguage('toYou')
const END = new RegExp(`^(?:${HONORIFIC})?[\\s*_)"'」）]*[?？!！.。…〜~ー]*\\s*$`, 'u')

/** A test whether a text calls somebody of these names, and does not only say one. */
export function callsOneOf(names: readonly string[]): (text: string) => boolean {
  const find = placesOf(names)
  return text => {
    const said = fold(spoken(text))
    return find(said).some(({ at, length }) => isCall(said.slice(0, at), said.slice(at + length)))
  }
}

function isCall(before: string, after: string): boolean {
  if (BEFORE.test(before)) return AFTER.test(after) || TO_NAME.test(after)
  return END.test(after) ? PAUSE_BEFORE.test(before) || TO_YOU.test(before) : PAUSE_BEFORE.test(before) && AFTER.test(after)
}

/** "bob: ", "hey Bob,", 「ボブさん、」: what stands first and is held out by a pause, in the forms that a name can have. */
const FIRST = new RegExp(
  `^[\\s@]*(?:(?:${GREETING})[\\s,、!！]+)?@?([^\\s,、，:：;!?！？。「」()（）<>]{2,40}(?: [^\\s,、，:：;!?！？。<>]{1,30})?)\\s*[,、，:：;>]`,
  'u',
)
const WITH_HONORIFIC = new RegExp(
  `^[\\s@]*(?:(?:${GREETING})[\\s、,！!]*)?@?([^\\s,、，:：;!?！？。]{1,30}?)(?:${HONORIFIC})(?=[\\s、，,!！?？。…〜~ー]|$|(?:は|も).*(?:[?？]|どう))`,
  'u',
)

/** Names that a text may begin with to call somebody, folded; nothing when it calls nobody so. */
export function calledFirst(text: string): readonly string[] | undefined {
  const head = fold(text.slice(0, 120))
  const found = [WITH_HONORIFIC.exec(head)?.[1], FIRST.exec(head)?.[1]].filter(name => name !== undefined)
  return found.length === 0 ? undefined : found
}

/** A text without the names that it begins with and without mentions: what is left when it has called somebody. */
export function withoutCall(text: string): string {
  return fold(text)
    .replace(/<@[!&]?\w+>|@[\p{L}\p{N}_.-]+/gu, ' ')
    .replace(FIRST, ' ')
    .replace(WITH_HONORIFIC, ' ')
}
