/** The ids of words of a passage and of a question: those of facts, so that Japanese and English are read alike. */
import { findingIds, kindOf, tokenId, tokensOf } from '@kikimimi/facts/tokens'

export interface Terms {
  /** Ids, with repetitions. Those of the headings stand twice: a heading tells what its passage is about. */
  readonly tokens: readonly number[]
  /** How many of them are words. */
  readonly words: number
}

/** Ids by which one passage is found. The embedded database takes longer for each. */
const MOST = 1_500

export function termsOf(title: string, headings: readonly string[], text: string): Terms {
  const above = idsOf([title, ...headings].join('\n'))
  const tokens = [...above, ...above, ...idsOf(text)].slice(0, MOST)
  return { tokens, words: tokens.filter(id => kindOf(id) === 'word').length }
}

/** The ids of a question, without repetitions. */
export function askedTerms(text: string): readonly number[] {
  return findingIds(idsOf(text))
}

function idsOf(text: string): number[] {
  return tokensOf(text).map(tokenId)
}
