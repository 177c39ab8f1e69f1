/**
 * Finds the person that a message addresses, by the position of a name. "kiki, is it done?" and 「キキさん、いる？」 address kiki;
 * "ask kiki" and 「キキが言ってた」 talk about kiki.
 */
import { alternatives, inAnyLanguage } from '../language.ts'
import { fold, spoken } from './spoken.ts'
import { placesOf } from './words.ts'

const HONORIFIC = alternatives('honorifics')
/** Words before a name that keep the address. */
const GREETING = alternatives('greetings')
const PAUSE = '[,、，:：;!！?？。…〜~ー\\n]'

/** A name with only a greeting, an honorific and a pause around it: 「ねえ、キキさん、」 or "hey kiki!". */
const BEFORE = new RegExp(`(?:^|[.!?。！？\\n…])[\\s@*_"'(「（]*(?:(?:${GREETING})[\\s,、!！…〜~ー]*){0,2}$`, 'u')
const AFTER = new RegExp(`^(?:${HONORIFIC})?[\\s*_)"'」）]*(?:${PAUSE}|$|\\.(?:\\s|$))`, 'u')
/** Words directly after a name that address the person. */
const TO_NAME = new RegExp(`^(?:${HONORIFIC})?\\s*(?:${alternatives('toName')})`, 'u')
/** A name at the end: "what do you think, kiki?", 「どう思う、キキ？」. */
const PAUSE_BEFORE = /[,、，…!！。]\s*[@*_「（(]*$/u
const TO_YOU = inAnyLanguage('toYou')
const END = new RegExp(`^(?:${HONORIFIC})?[\\s*_)"'」）]*[?？!！.。…〜~ー]*\\s*$`, 'u')

/** Returns a test whether a text addresses one of these names. A text that only contains a name does not. */
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

/** A first word that a pause separates: "bob: ", "hey Bob,", 「ボブさん、」. It gives the forms that the name can have. */
const FIRST = new RegExp(
  `^[\\s@]*(?:(?:${GREETING})[\\s,、!！]+)?@?([^\\s,、，:：;!?！？。「」()（）<>]{2,40}(?: [^\\s,、，:：;!?！？。<>]{1,30})?)\\s*[,、，:：;>]`,
  'u',
)
const WITH_HONORIFIC = new RegExp(
  `^[\\s@]*(?:(?:${GREETING})[\\s、,！!]*)?@?([^\\s,、，:：;!?！？。]{1,30}?)(?:${HONORIFIC})(?=[\\s、，,!！?？。…〜~ー]|$|(?:は|も).*(?:[?？]|どう))`,
  'u',
)

/** Folded names that the beginning of a text may address; undefined if it addresses nobody. */
export function calledFirst(text: string): readonly string[] | undefined {
  const head = fold(text.slice(0, 120))
  const found = [WITH_HONORIFIC.exec(head)?.[1], FIRST.exec(head)?.[1]].filter(name => name !== undefined)
  return found.length === 0 ? undefined : found
}

/** The text without mentions and without the names that it begins with. */
export function withoutCall(text: string): string {
  return fold(text)
    .replace(/<@[!&]?\w+>|@[\p{L}\p{N}_.-]+/gu, ' ')
    .replace(FIRST, ' ')
    .replace(WITH_HONORIFIC, ' ')
}
