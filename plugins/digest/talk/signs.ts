/** What a message does: asks, decides, gives up a question. */

import { type SpeechAct, speechActOf } from '@kikimimi/speech-acts'
import { isQuestion } from '@kikimimi/speech-acts/rules'
import { LANGUAGES } from '../language.ts'
import type { Said } from '../log/said.ts'

/** Characters of a text that are read. */
const READ = 500

/** A question that somebody can answer: more than a word. */
export function asks({ text, bot }: Said): boolean {
  const read = text.slice(0, READ)
  return !bot && /\p{L}.{6}/su.test(read) && isQuestion(read)
}

export function decides({ text, bot }: Said): boolean {
  const read = text.slice(0, READ)
  return !bot && LANGUAGES.some(({ decides, undecided }) => decides.test(read) && undecided?.test(read) !== true)
}

/** The person who asked needs no answer any more: says thanks, or takes the question back. */
export function givesUp({ text }: Said, names: readonly string[]): boolean {
  const { act }: SpeechAct = speechActOf(text.slice(0, READ), { names })
  return act === 'thanks' || act === 'retraction'
}
