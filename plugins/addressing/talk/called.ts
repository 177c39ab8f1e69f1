/**
 * Finds the person that a message addresses, by the words around a name. "nice, kiki what time is it?" and 「じゃあキキさん教えて」
 * address kiki;
 * "ask kiki" and 「キキが言ってた」 talk about kiki.
 */
import { alternatives, inAnyLanguage } from '../language.ts'
import { findsNames, type NameInSentence } from './names.ts'
import { fold } from './spoken.ts'

const HONORIFIC = alternatives('honorifics')
/** Words before a name that keep the address. */
const GREETING = alternatives('greetings')
const PAUSE = '(?:[,、;!?。…〜~ー\\n]|:(?! ?\\d))'

/** Before a name: the start or a pause, then only greetings and fillers. */
const OPENS = new RegExp(`(?:^|[,、;!?。.…\\n“”])[\\s@_(（]*(?:(?:${GREETING})[\\s,、!…〜~ー]*){0,4}[@*_]*$`, 'u')
/** After a name: a pause or the end. */
const CLOSES = new RegExp(`^[*_)）]*\\s*(?:(?:${GREETING})[\\s!]*$|${PAUSE}|[-–—]+ |$|\\.(?:\\s|$))`, 'u')
/** Words directly after a name that address the person. */
const TO_NAME = new RegExp(`^[*_]*\\s*(?:${alternatives('toName')})`, 'u')
/** "-san", さん, 님 behind a name. */
const IS_HONORIFIC = new RegExp(`^(?:${HONORIFIC})`, 'u')
/** A suffix that addresses: 키키야. */
const VOCATIVE = new RegExp(`^(?:${alternatives('vocative')})`, 'u')
/** Words directly before a name that address the person. */
const TO_YOU = inAnyLanguage('toYou')
/** A greeting or thanks directly before a name. Any words but those of TELLS may follow the name. */
const GREETS = inAnyLanguage('greets')
/** Words directly after a name that tell about the person. */
const TELLS = inAnyLanguage('tells')

/** Returns a test whether a text addresses one of these names. A text that only contains a name does not. */
export function callsOneOf(names: readonly string[]): (text: string) => boolean {
  const find = findsNames(names)
  return text => find(text).some(isCall)
}

function isCall({ before, after }: NameInSentence): boolean {
  if (!OPENS.test(before) && !TO_YOU.test(before)) return false
  const rest = after.replace(IS_HONORIFIC, '')
  if (before.endsWith('@') || VOCATIVE.test(after) || VOCATIVE.test(rest) || TO_NAME.test(rest)) return true
  return !TELLS.test(rest) && (CLOSES.test(rest) || GREETS.test(before))
}

/** A first word that a pause separates: "bob: ", "hey Bob,", 「ボブさん、」. It gives the forms that the name can have. */
const FIRST = new RegExp(
  `^[\\s@]*(?:(?:${GREETING})[\\s,、!！]+)?@?(\\p{sc=Han}|[^\\s,、，:：;!?！？。「」()（）<>]{2,40}(?: [^\\s,、，:：;!?！？。<>]{1,30})?)\\s*[,、，:：;>]`,
  'u',
)
const WITH_HONORIFIC = new RegExp(
  `^[\\s@]*(?:(?:${GREETING})[\\s、,！!]*)?@?([^\\s,、，:：;!?！？。]{1,30}?)(?:${HONORIFIC})(?=[\\s、，,!！?？。…〜~ー]|$|(?:は|も).*(?:[?？]|どう))`,
  'u',
)

/** Folded names that the beginning of a text may address; undefined if it addresses no one. */
export function calledFirst(text: string): readonly string[] | undefined {
  const head = fold(text.slice(0, 120))
  const found = [WITH_HONORIFIC.exec(head)?.[1], FIRST.exec(head)?.[1]].filter(name => name !== undefined)
  return found.length === 0 ? undefined : found
}

/** The text without mentions and without the names that it begins with. */
export function withoutCall(text: string): string {
  const plain = fold(text).replace(/<@[!&]?\w+>|@[\p{L}\p{N}_.-]+/gu, ' ')
  return plain.slice(0, BEGINNING).replace(FIRST, ' ').replace(WITH_HONORIFIC, ' ') + plain.slice(BEGINNING)
}

/** Characters of a text in which its first word is looked for. */
const BEGINNING = 2_000
