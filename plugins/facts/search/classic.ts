/** The original ranking formula. */
import { kindOf } from '../text/tokens.ts'
import type { Candidate, Question } from './candidate.ts'
import { best, decay, NO_PARTS, type RankSettings, scoreOf } from './rank.ts'
import type { Judged } from './relevance.ts'

/** The original formula: Jaccard of keyword sets × 0.5^(age / halfLife). Best first. */
export function rankClassic(
  candidates: readonly Candidate[],
  { tokens, now }: Question,
  { halfLifeMs }: Pick<RankSettings, 'halfLifeMs'>,
): Judged[] {
  return candidates
    .map(candidate => {
      const time = decay(candidate.at, now, halfLifeMs)
      const parts = { ...NO_PARTS, jaccard: jaccard(candidate, tokens), time }
      const score = scoreOf(parts)
      return { candidate, score, parts, evidence: score, relevance: score }
    })
    .filter(({ score }) => score > 0)
    .sort(best)
}

/** Common words divided by all words of both. */
function jaccard({ tokens }: Candidate, asked: ReadonlyMap<number, number>): number {
  const own = new Set(tokens.filter(isWord))
  const wanted = [...asked.keys()].filter(isWord)
  const shared = wanted.filter(token => own.has(token)).length
  return shared === 0 ? 0 : shared / (own.size + wanted.length - shared)
}

function isWord(token: number): boolean {
  return kindOf(token) === 'word'
}
