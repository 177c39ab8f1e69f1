/** Recognizes messages that need no words: they thank, take note or say goodbye. */
import { markNames, probabilityOf } from '@kikimimi/speech-acts'
import { alternatives, inAnyLanguage } from '../language.ts'
import { actOf, HANGUL, type Said, SURE, sayingOf } from './acts.ts'
import { offersOrAsks } from './question.ts'

/** Maximum length of a message that needs no words, in characters. */
const LONGEST = 80

/** Minimum probability that a call only thanks or takes note. */
const SURE_NOD = 0.5

/** Minimum probability that a message between others wants no answer. To ignore content costs more there than to judge a nod. */
const SURE_END = 0.85

/**
 * Whether a message only thanks, or takes note of the line before it: "ok, thanks!", 「うん、了解でーす」, 👍. After a question or an
 * offer of the bot it is an answer. Without a line before it there is nothing to take note of.
 */
export function needsNoWords(text: string, { before, names }: Said = {}): boolean {
  const said = sayingOf(text)
  if (said.length > LONGEST || ASKS.test(said) || DENIES.test(said) || (before?.by === 'bot' && offersOrAsks(before.text)))
    return false
  if (HANGUL.test(said)) return hasOnlyClosingWords(said, names) && (before !== undefined || THANKS.test(said))
  return probabilityOf(actOf(text, { before, names }), before ? ['nod', 'thanks'] : ['thanks']) >= SURE_NOD
}

/**
 * Whether the author thanks or says goodbye: "that's all I needed, thanks", 「もう寝るね、また明日」. A message that asks for more does
 * not leave.
 */
export function takesLeave(text: string): boolean {
  const said = sayingOf(text)
  if (said.length > LONGEST || ASKS.test(said)) return false
  return HANGUL.test(said) ? LEAVES.test(said) && !GOES_ON.test(said) : probabilityOf(actOf(text), ['thanks', 'goodbye']) >= SURE
}

/** Whether a message that is not to the bot takes note, thanks or says goodbye, and so wants no answer. */
export function endsTalk(text: string, { before }: Said = {}): boolean {
  const said = sayingOf(text)
  if (HANGUL.test(said)) return needsNoWords(text, { before }) || takesLeave(text)
  if (said.length > LONGEST || ASKS.test(said) || DENIES.test(said) || (before?.by === 'bot' && offersOrAsks(before.text)))
    return takesLeave(text)
  return takesLeave(text) || probabilityOf(actOf(text, { before }), ['nod', 'thanks', 'goodbye']) >= SURE_END
}

const ASKS = /[?？؟]/
const DENIES = inAnyLanguage('denies')

// Lists of words for Korean.

const WORD = new RegExp(`(?:${alternatives('closing')})(?![a-z0-9])`, 'uy')
/** Punctuation, emoji as characters and in the notation of platforms, smileys. */
const MARKS = /:[\w+-]+:|<a?:\w+:\d+>|[:;=8]-?[dp3o](?![a-z0-9])|[^\p{L}\p{N}'ー]/gu
const GOES_ON = inAnyLanguage('goesOn')
const LEAVES = inAnyLanguage('leaves')
const THANKS = inAnyLanguage('thanks')

function hasOnlyClosingWords(said: string, names: readonly string[] = []): boolean {
  let rest = markNames(said, { names }).replace(MARKS, ' ').replace(/\s+/g, ' ').trim()
  // Word by word, without backtracking, so that no input makes this slow.
  while (rest !== '') {
    WORD.lastIndex = 0
    const [word] = WORD.exec(rest) ?? []
    if (!word) return false
    rest = rest.slice(word.length).replace(/^[ー~ ]+/u, '')
  }
  return true
}
