/**
 * Finds the person that a message addresses, by the words around a name. "nice, kiki what time is it?" and 「じゃあキキさん教えて」
 * address kiki;
 * "ask kiki" and 「キキが言ってた」 talk about kiki.
 */
import { speechActOf } from '@kikimimi/speech-acts'
import { alternatives, inAnyLanguage } from '../language.ts'
import { HANGUL } from './acts.ts'
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
/** Words directly before a name that tell about the person. */
const TAKES_NAME = inAnyLanguage('takesName')

/** Returns a test whether a text addresses one of these names. A text that only contains a name does not. */
export function callsOneOf(names: readonly string[]): (text: string) => boolean {
  const find = findsNames(names)
  return text => {
    const found = find(text).filter(one => !isOfAnother(one))
    if (found.some(isCall)) return true
    if (text.length > LONGEST || HANGUL.test(text) || !found.some(mayBeCall)) return false
    const { is, probability } = speechActOf(text, { names }).name
    return is === 'called' && probability >= SURE
  }
}

/** Minimum probability of a call where the rules know none: they are right more often. */
const SURE = 0.95

/** Maximum length of such a message in characters. */
const LONGEST = 160

/** The name is of a person with a family name, or of a role, or another person is asked about the bot. */
function isOfAnother({ before, after, isFirst }: NameInSentence): boolean {
  const rest = after.replace(IS_HONORIFIC, '')
  return (
    (isFirst && !TO_NAME.test(rest)) ||
    (before.endsWith('@') && IS_ROLE.test(rest)) ||
    (IS_TOPIC.test(rest) && TO_OTHER.test(before))
  )
}

/** A name at the beginning or the end of a sentence, where nothing tells about the person. */
function mayBeCall({ before, after }: NameInSentence): boolean {
  const rest = after.replace(IS_HONORIFIC, '')
  return OPENS.test(before) ? !TELLS.test(rest) && !GOES_ON.test(rest) : CLOSES.test(rest) && !TAKES_NAME.test(before)
}

/** Japanese words directly after a name. Those that call stand in the rules. */
const GOES_ON = /^(?!さ[あぁー、]|って)[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u

function isCall({ before, after }: NameInSentence): boolean {
  if (!OPENS.test(before) && !TO_YOU.test(before)) return false
  const rest = after.replace(IS_HONORIFIC, '')
  if (before.endsWith('@') || VOCATIVE.test(after) || VOCATIVE.test(rest) || TO_NAME.test(rest)) return true
  return !TELLS.test(rest) && (CLOSES.test(rest) || GREETS.test(before))
}

/** Another person is addressed: 「先生、」. */
const TO_OTHER = new RegExp(`^[\\s@]*[^\\s、,]{0,12}(?:${HONORIFIC}|${alternatives('everybody')})[、,]\\s*$`, 'u')
const IS_TOPIC = /^(?:は|が|って|も|の|に)/
/** The name of a role begins with that of the bot: `@kiki開発チーム`. */
const IS_ROLE = /^-?[\p{sc=Han}\p{sc=Katakana}ー]{3,}(?:\s|$)/u

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
