/** What a message does by itself: asks, proposes, agrees, objects, settles, gives up a question. */

import { probabilityOf, speechActOf } from '@kikimimi/speech-acts'
import { isQuestion, sentencesIn } from '@kikimimi/speech-acts/rules'
import { LANGUAGES, type Sign } from '../language.ts'
import type { Said } from '../log/said.ts'

/** Characters of a text that are read. */
export const READ = 500

/** A question mark that ends a sentence, not one of an address. */
const MARK = /[?？](?![\w=&/])/

/** Characters of a question without a mark. A shorter one is often none. */
const UNMARKED = 8

/** A question that somebody can answer: more than a word. */
export function asks({ text, bot }: Said): boolean {
  const read = text.slice(0, READ)
  if (bot || !/\p{L}.{3}/su.test(read)) return false
  return sentencesIn(read).some(
    one => MARK.test(one) || (one.length >= UNMARKED && (isQuestion(one) || LANGUAGES.some(({ wonders }) => wonders.test(one)))),
  )
}

/** Whether a message of a person has this sign. */
export function does(sign: Sign, { text, bot }: Said): boolean {
  const read = text.slice(0, READ).replace(/https?:\S+/g, ' ')
  return !bot && LANGUAGES.some(language => language[sign].test(read))
}

/** The person who asked needs no answer any more: says thanks, or takes the question back. */
export function givesUp({ text }: Said, names: readonly string[]): boolean {
  return probabilityOf(speechActOf(text.slice(0, READ), { names }), ['thanks', 'retraction']) >= 0.5
}
