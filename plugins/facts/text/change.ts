/** Words by which people say that something has changed, or ask how it was before. */
import { anyOf } from 'kikimimi'
import { LANGUAGES } from '../language.ts'
import { kindOf, tokenId, tokensOf } from './tokens.ts'

const CHANGE = anyOf(LANGUAGES.map(({ change }) => new RegExp(change, 'i')))

const BEFORE = anyOf(LANGUAGES.map(({ before }) => new RegExp(before, 'i')))

/** When something is: what it says of a meeting is the same, whichever day it is. */
const WHEN = new RegExp(LANGUAGES.map(({ when }) => when).join('|'), 'giu')

/** No word of any language. */
const WHEN_TOKEN = 'zzwhenzz'

/** How much of the shorter of two texts the other must have, and how many words, to be about the same. */
const SAME_SUBJECT = { share: 0.5, words: 2 } as const

/** Whether two texts are about the same, so that one can correct the other. */
export function isSameSubject(one: string, other: string): boolean {
  const { words, share } = overlap(one, other)
  return words >= SAME_SUBJECT.words && share >= SAME_SUBJECT.share
}

/** Whether a fact says that something is otherwise than it was. */
export function saysChange(text: string): boolean {
  return CHANGE.test(text.normalize('NFKC'))
}

/** Whether a question is about what was, too. */
export function asksForHistory(text: string): boolean {
  return BEFORE.test(text.normalize('NFKC'))
}

/** The words that two texts have in common, and their share of the shorter one; numbers and words of change aside. */
function overlap(one: string, other: string): { readonly words: number; readonly share: number } {
  const [some, others] = [subject(one), subject(other)]
  const words = [...some].filter(token => others.has(token)).length
  return { words, share: words / Math.max(1, Math.min(some.size, others.size)) }
}

function subject(text: string): Set<number> {
  const plain = text.normalize('NFKC').replace(new RegExp(CHANGE, 'gi'), ' ').replace(WHEN, ` ${WHEN_TOKEN} `)
  const words = tokensOf(plain.replace(/\d+/g, ' '))
  return new Set(words.map(tokenId).filter(token => kindOf(token) === 'word'))
}
