/** The subject of a text: its words without dates, numbers and words of change. */
import { anyOf } from 'kikimimi'
import { LANGUAGES } from '../language.ts'
import { kindOf, READ, tokenId, tokensOf } from './tokens.ts'

const CHANGE = anyOf(LANGUAGES.map(({ change }) => new RegExp(change, 'i')))
const CHANGES = new RegExp(CHANGE, 'gi')

/** Dates and times. A statement about a meeting has the same subject on any day. */
const WHEN = new RegExp(LANGUAGES.map(({ when }) => when).join('|'), 'giu')

/** A token that is no word of any language. */
const WHEN_TOKEN = 'zzwhenzz'

/** Minimum overlap of two texts with the same subject: share of the shorter text, and number of words. */
const SAME_SUBJECT = { share: 0.5, words: 2 } as const

/** Whether two texts have the same subject, so that one can correct the other. */
export function isSameSubject(one: string, other: string): boolean {
  const { words, share } = overlap(one, other)
  return words >= SAME_SUBJECT.words && share >= SAME_SUBJECT.share
}

/** Whether a text states a change. */
export function saysChange(text: string): boolean {
  return CHANGE.test(text.slice(0, READ).normalize('NFKC'))
}

/** The common words of two texts, and their share of the shorter one, without numbers and words of change. */
function overlap(one: string, other: string): { readonly words: number; readonly share: number } {
  const [some, others] = [subject(one), subject(other)]
  const words = [...some].filter(token => others.has(token)).length
  return { words, share: words / Math.max(1, Math.min(some.size, others.size)) }
}

/** Characters that suffice for the subject of a text. */
const SUBJECT = 2_000

function subject(text: string): Set<number> {
  const plain = text.slice(0, SUBJECT).normalize('NFKC').replace(CHANGES, ' ').replace(WHEN, ` ${WHEN_TOKEN} `)
  const words = tokensOf(plain.replace(/\d+/g, ' '))
  return new Set(words.map(tokenId).filter(token => kindOf(token) === 'word'))
}
