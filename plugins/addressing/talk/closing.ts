import { type Act, type Before, speechActOf } from '@kikimimi/speech-acts'
import type { Message } from 'kikimimi'
import { alternatives, inAnyLanguage } from '../language.ts'
import { fold, spoken } from './spoken.ts'

/** A longer message has a content. */
const LONGEST = 60
/** A longer message of thanks or goodbye may have a content too. */
const LONGEST_LEAVE = 80

const CLOSING: ReadonlySet<Act> = new Set(['nod', 'thanks', 'goodbye', 'retraction'])
const LEAVING: ReadonlySet<Act> = new Set(['thanks', 'goodbye'])

/** The model of speech acts knows no Korean. */
export const HANGUL = /\p{sc=Hangul}/u

/**
 * Whether a message only acknowledges: "ok, thanks!", 「うん、了解でーす」, 👍.
 * @param before the line before it: "yes" answers a question and takes note of a statement
 */
export function closes(text: string, before?: Before): boolean {
  const said = fold(spoken(text)).replace(MENTIONS, '').trim()
  if (said === '' || said.length > LONGEST || ASKS.test(said)) return false
  if (HANGUL.test(said)) return hasOnlyClosingWords(said)
  // After a statement, what closes without it closes too.
  return CLOSING.has(actOf(said, before)) || (before !== undefined && !ASKS.test(before.text) && CLOSING.has(actOf(said)))
}

/**
 * Whether the author thanks or says goodbye in other words: "that's all I needed, thanks", 「もう寝るね、また明日」.
 * An author who thanks at length, or asks for more, is not leaving.
 */
export function takesLeave(text: string): boolean {
  const said = fold(text)
  if (said.length > LONGEST_LEAVE || ASKS.test(said)) return false
  return (LEAVES.test(said) && !GOES_ON.test(said)) || (!HANGUL.test(said) && LEAVING.has(actOf(said)))
}

/** @param before the messages before it, latest first */
export function lineBefore({ author }: Message, [last]: readonly Message[]): Before | undefined {
  return last && { text: last.text, by: last.own ? 'bot' : last.author.id === author.id ? 'same' : 'other' }
}

/** Less sure, a message has a content. */
const SURE = 0.9

function actOf(text: string, before?: Before): Act {
  const { act, probability } = speechActOf(text, { names: [], ...(before && { before }) })
  return probability < SURE ? 'none' : act
}

/** Mentions at the beginning. */
const MENTIONS = /^\s*(?:@[\p{L}\p{N}_.-]+[\s,:、]*)+/u

const ASKS = /[?？؟]/

// ------------------------------------------------------------ lists of words, for languages that the model does not know

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
