/** The probability that a result answers the question: a logistic model. `bench:relevance` makes its weights. */
import { bm25 } from './bm25.ts'
import type { Question } from './candidate.ts'
import type { Ranked } from './rank.ts'

export interface Judged extends Ranked {
  /** The probability that it answers the question, 0…1. */
  readonly relevance: number
}

/** The signals of a result, each between 0 and about 3. */
export interface Signals {
  /** Share of the best score that it is ahead of the eleventh result. */
  readonly margin: number
  /** Share of the question that it covers, times the logarithm of the question's length. */
  readonly coverage: number
  /** The lines around it, its sitting, and the question before it, as shares of the best. */
  readonly surroundings: number
  readonly sitting: number
  readonly question: number
  /** Whether it states what the question asks for: a time or a number. */
  readonly answers: number
  readonly wants: number
  /** The logarithm of the best match of the search, in BM25: rare words are found, or many. */
  readonly found: number
  readonly unknown: number
  readonly fact: number
}

export type Model = Readonly<Record<keyof Signals | 'constant', number>>

/** Trained on the sets of bench/README.md. */
export const MODEL: Model = {
  constant: -8.54,
  margin: 4.29,
  coverage: 1.09,
  surroundings: 1.46,
  sitting: 2.29,
  question: 2.19,
  answers: 1.31,
  wants: -0.76,
  found: 0.75,
  unknown: -0.76,
  fact: 1.28,
}

/**
 * Below this probability for all results, nothing is recalled. It costs half a point to one and a half of the recall at ten: see
 * bench/README.md.
 */
export const MIN_RELEVANCE = 0.03

/** The results whose lead a margin is. */
const AHEAD_OF = 10

/** The signals of results, which are in order. */
export function signalsOf(ranked: readonly Ranked[], question: Question): Signals[] {
  const top = ranked[0]?.score ?? 1
  const crowd = ranked[AHEAD_OF]?.score ?? 0
  const shared = {
    wants: Number(question.wants.size > 0),
    found: Math.log1p(bestMatch(ranked, question)),
    unknown: unknownOf(ranked, question),
  }
  return ranked.map(({ candidate, score, parts, evidence }) => ({
    ...shared,
    margin: Math.max(0, score - crowd) / top,
    coverage: evidence * Math.log1p(question.tokens.size),
    surroundings: parts.surroundings,
    sitting: parts.sitting,
    question: parts.question,
    answers: Number(parts.answer > 1),
    fact: Number(candidate.kind === 'fact'),
  }))
}

/** The best BM25. A text of the same meaning, by its vector, counts as one with all words. */
function bestMatch(ranked: readonly Ranked[], question: Question): number {
  const whole = sumOf(question.tokens) * question.trust
  const most = ranked.reduce<Ranked | undefined>(
    (most, one) => (most && most.parts.bm25 >= one.parts.bm25 ? most : one),
    undefined,
  )
  const nearest = ranked.reduce((nearest, { candidate: { similarity = 0 } }) => Math.max(nearest, similarity), 0)
  return Math.max(most ? bm25(most.candidate, question).words : 0, nearest * whole)
}

function unknownOf(ranked: readonly Ranked[], { tokens }: Question): number {
  const missing = new Map(tokens)
  for (const { candidate } of ranked) for (const token of candidate.tokens) missing.delete(token)
  return sumOf(missing) / Math.max(1, sumOf(tokens))
}

function sumOf(weights: ReadonlyMap<number, number>): number {
  return [...weights.values()].reduce((sum, weight) => sum + weight, 0)
}

/** The results with their probabilities. */
export function judged(ranked: readonly Ranked[], question: Question): Judged[] {
  const signals = signalsOf(ranked, question)
  return ranked.map((one, at) => ({ ...one, relevance: probability(signals[at]) }))
}

/** 0…1 */
export function probability(signals: Signals | undefined, model: Model = MODEL): number {
  if (!signals) return 0
  const sum = Object.entries(signals).reduce((sum, [name, value]) => sum + model[name as keyof Signals] * value, model.constant)
  return 1 / (1 + Math.exp(-sum))
}
