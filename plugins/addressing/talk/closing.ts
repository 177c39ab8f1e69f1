/** Recognizes messages that need no answer: they take note, thank, say goodbye, or take a request back. */
import { type Act, type Before, probabilityOf, type SpeechAct } from '@kikimimi/speech-acts'
import { alternatives, inAnyLanguage } from '../language.ts'
import { actOf, HANGUL, SURE, sayingOf } from './acts.ts'

/** Maximum length of a message that only acknowledges, in characters. */
const LONGEST = 60
/** Maximum length of a message of thanks or goodbye. */
const LONGEST_LEAVE = 80

const CLOSING: readonly Act[] = ['nod', 'thanks', 'goodbye', 'retraction']
const LEAVING: readonly Act[] = ['thanks', 'goodbye']

/** Minimum probability that a message only acknowledges. To ignore content costs more than to answer a nod. */
const SURE_CLOSING = 0.92

/**
 * Whether a message only acknowledges: "ok, thanks!", 「うん、了解でーす」, 👍.
 * @param before the line before it: "yes" answers a question and takes note of a statement
 */
export function closes(text: string, before?: Before): boolean {
  const said = sayingOf(text)
  if (said === '' || said.length > LONGEST || ASKS.test(said)) return false
  if (HANGUL.test(said)) return hasOnlyClosingWords(said)
  // After a statement, a message that closes on its own closes too.
  return isClosing(actOf(text, before)) || (before !== undefined && !ASKS.test(before.text) && isClosing(actOf(text)))
}

/**
 * Whether the author thanks or says goodbye: "that's all I needed, thanks", 「もう寝るね、また明日」. A message that asks for more does
 * not leave.
 */
export function takesLeave(text: string): boolean {
  const said = sayingOf(text)
  if (said.length > LONGEST_LEAVE || ASKS.test(said)) return false
  return HANGUL.test(said) ? LEAVES.test(said) && !GOES_ON.test(said) : probabilityOf(actOf(text), LEAVING) >= SURE
}

function isClosing(act: SpeechAct): boolean {
  return probabilityOf(act, CLOSING) >= SURE_CLOSING
}

const ASKS = /[?？؟]/

// Lists of words for Korean.

const WORD = new RegExp(`(?:${alternatives('closing')})(?![a-z0-9])`, 'uy')
/** Punctuation, emoji as characters and in the notation of platforms, smileys. */
const MARKS = /:[\w+-]+:|<a?:\w+:\d+>|[:;=8]-?[dp3o](?![a-z0-9])|[^\p{L}\p{N}'ー]/gu
const GOES_ON = inAnyLanguage('goesOn')
const LEAVES = inAnyLanguage('leaves')

function hasOnlyClosingWords(said: string): boolean {
  let rest = said.replace(MARKS, ' ').replace(/\s+/g, ' ').trim()
  // Word by word, without backtracking, so that no input makes this slow.
  while (rest !== '') {
    WORD.lastIndex = 0
    const [word] = WORD.exec(rest) ?? []
    if (!word) return false
    rest = rest.slice(word.length).replace(/^[ー~ ]+/u, '')
  }
  return true
}
