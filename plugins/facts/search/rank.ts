/** The ranking formula. Pure functions: the time is an argument. */
import type { ScoreParts } from '../api/facts.ts'
import { bm25, evidence, total } from './bm25.ts'
import type { Candidate, Question } from './candidate.ts'
import { neighbours, sittingsOf } from './nearby.ts'

export interface RankSettings {
  readonly halfLifeMs: number
  /** Share of its score that a very old fact or event keeps, 0…1. */
  readonly floor: number
}

export interface Ranked {
  readonly candidate: Candidate
  readonly score: number
  readonly parts: ScoreParts
  /** Share of the question that it covers, 0…1. Unlike the score it is comparable between questions. */
  readonly evidence: number
}

/** Weights of the legs. Measured by `bench:recall`, which prints the gain of each with `--ablation`. */
export interface Weights {
  readonly pairs: number
  readonly vector: number
  /** The lines around it, with it as one text. */
  readonly surroundings: number
  /** The question that it follows or replies to. */
  readonly question: number
  /** All that was said in its sitting. */
  readonly sitting: number
  /** For a message, its facts; for a fact, its messages. */
  readonly sources: number
  /** Factor for what is about a person in the question, or about the person who asks. */
  readonly person: number
  /** Factor for a text with a time or a number, if the question asks for one. */
  readonly answer: number
}

export const WEIGHTS: Weights = {
  pairs: 0.25,
  vector: 1,
  surroundings: 1,
  question: 0.5,
  sitting: 0.5,
  sources: 0.5,
  person: 1.4,
  answer: 1.4,
}

/** The confidence of a message that asks: it states little. */
export const ASKS = 0.4

/** 2^(−age / halfLife): 1 for new facts and for future dates. */
export function decay(at: Date, now: Date, halfLifeMs: number): number {
  return 2 ** (-Math.max(0, now.getTime() - at.getTime()) / halfLifeMs)
}

/**
 * score = (Σ legs) · time · (0.5 + 0.5 · confidence) · 1.4 if it is about a named person or the person who asks, where
 * time = 1 for lasting facts, floor + (1 − floor) · decay for others. Best first. The legs of the text itself (words, pairs,
 * vector) are shares of the maximum, times their weight; the others pass on what these legs give to lines nearby.
 * Measured: a weighted sum of normalised legs finds more than a fusion of ranks (63.6 against 58.1 of 100 at 5).
 */
export function rankHybrid(
  candidates: readonly Candidate[],
  question: Question,
  { halfLifeMs, floor }: RankSettings,
  weights: Weights = WEIGHTS,
): Ranked[] {
  const { now, about } = question
  const found = candidates.map(candidate => bm25(candidate, question))
  const bm25s = shares(
    found.map(({ words }) => words),
    1,
  )
  const pairs = shares(
    found.map(one => one.pairs),
    weights.pairs,
  )
  const vectors = vectorShares(candidates, weights.vector * question.trust)
  const own = candidates.map((_one, at) => (bm25s[at] ?? 0) + (pairs[at] ?? 0) + (vectors[at] ?? 0))
  const near = neighbours(candidates, { own, vectors }, question, weights.pairs)
  const surroundings = shares(near.words, weights.surroundings)
  const sittings = shares(sittingsOf(candidates, question, weights.pairs), weights.sitting)
  const whole = total(question)
  return candidates
    .map((candidate, at) => {
      const parts: ScoreParts = {
        bm25: bm25s[at] ?? 0,
        pairs: pairs[at] ?? 0,
        jaccard: 0,
        vector: vectors[at] ?? 0,
        surroundings: (surroundings[at] ?? 0) + NEAR_VECTOR * (near.vectors[at] ?? 0),
        question: weights.question * (near.question[at] ?? 0),
        sitting: sittings[at] ?? 0,
        sources: weights.sources * (near.sources[at] ?? 0),
        rerank: 0,
        time: candidate.lasting ? 1 : floor + (1 - floor) * decay(candidate.at, now, halfLifeMs),
        confidence: 0.5 + 0.5 * candidate.confidence,
        person: candidate.people.some(one => about.has(one)) ? weights.person : 1,
        answer: candidate.tokens.some(token => question.wants.has(token)) ? weights.answer : 1,
      }
      return { candidate, score: scoreOf(parts), parts, evidence: evidence(candidate, question, whole) }
    })
    .filter(({ score }) => score > 0)
    .sort(best)
}

/** Share of the vector of a line that its neighbours get. */
const NEAR_VECTOR = 0.25

/** With fewer vectors than this, the least similar one may be similar too. */
const MANY = 50

/** The similarities as shares of the best, above that of the least similar of many: the nearest of unrelated texts are near too. */
function vectorShares(candidates: readonly Candidate[], weight: number): number[] {
  const found = candidates.flatMap(({ similarity }) => similarity ?? [])
  const least =
    found.length < MANY
      ? 0
      : Math.max(
          0,
          found.reduce((least, one) => Math.min(least, one), 1),
        )
  return shares(
    candidates.map(({ similarity = 0 }) => Math.max(0, similarity - least)),
    weight,
  )
}

/** The candidates with the scores of a reranker as another leg, which has the weight of the words. Best first. */
export function rerank<R extends Ranked>(ranked: readonly R[], scores: readonly number[]): R[] {
  const least = Math.min(...scores)
  const legs = shares(
    scores.map(score => score - least),
    1,
  )
  return ranked
    .map((one, at) => {
      const parts = { ...one.parts, rerank: legs[at] ?? 0 }
      return { ...one, parts, score: scoreOf(parts) }
    })
    .sort(best)
}

export const NO_PARTS: ScoreParts = {
  bm25: 0,
  pairs: 0,
  jaccard: 0,
  vector: 0,
  surroundings: 0,
  question: 0,
  sitting: 0,
  sources: 0,
  rerank: 0,
  time: 1,
  confidence: 1,
  person: 1,
  answer: 1,
}

export function scoreOf(parts: ScoreParts): number {
  const { bm25, pairs, jaccard, vector, surroundings, question, sitting, sources, rerank } = parts
  const sum = bm25 + pairs + jaccard + vector + surroundings + question + sitting + sources + rerank
  return sum * parts.time * parts.confidence * parts.person * parts.answer
}

/** The values as shares of the maximum, times the weight. */
function shares(values: readonly number[], weight: number): number[] {
  const most = values.reduce((most, value) => Math.max(most, value), 0)
  return most > 0 ? values.map(value => (weight * value) / most) : values.map(() => 0)
}

export function best(one: Ranked, other: Ranked): number {
  return (
    other.score - one.score || other.candidate.at.getTime() - one.candidate.at.getTime() || other.candidate.id - one.candidate.id
  )
}
