/** How many things a question asks about. */
import { LANGUAGES } from '../language.ts'

/** Between two things of a list: a comma, a word for "and", or both. */
const BETWEEN = new RegExp(`[,;、，；]\\s*(?:(?:${words()})(?![a-z]))?|(?<![a-z])(?:${words()})(?![a-z])`, 'giu')

const SENTENCE = /(?<=[.!?。！？])\s*|\n+/u
const ASKS = /[?？]\s*$/u

/** Characters at the end of a long question that are read. */
const END = 4_000

/** 3 for "the date, the room and the price?". The last sentence counts that asks; without one the last of all. */
export function thingsIn(question: string): number {
  const sentences = question
    .slice(-END)
    .split(SENTENCE)
    .filter(sentence => /[\p{L}\p{N}]/u.test(sentence))
  const asking = sentences.findLast(sentence => ASKS.test(sentence)) ?? sentences.at(-1) ?? ''
  return 1 + (asking.match(BETWEEN)?.length ?? 0)
}

function words(): string {
  return LANGUAGES.map(({ and }) => and).join('|')
}
