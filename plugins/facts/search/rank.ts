/** The two ranking formulas. Pure functions: the time is an argument. */
import type { ScoreParts } from '../api/facts.ts'
import { kindOf } from '../text/tokens.ts'

export interface Candidate {
  readonly id: number
  readonly kind: 'fact' | 'message'
  readonly at: Date
  /** Token ids, with repetitions. */
  readonly tokens: Int32Array
  readonly words: number
  /** Whether age does not lower it: a durable fact, a preference, or a pinned fact. */
  readonly lasting: boolean
  /** 0…1. For a message: 1, or {@link ASKS} for a question. */
  readonly confidence: number
  /** Ids of the people it is about, or of its author. */
  readonly people: readonly string[]
  /** Similarity to the question, if both have a vector: 1 for equal, 0 for unrelated texts. */
  readonly similarity?: number
  /** For a message: where it was said. */
  readonly said?: Said
  /** For a fact: ids of the messages that it comes from. */
  readonly sources?: readonly number[]
}

export interface Said {
  /** The sitting: messages of one conversation without a long pause. */
  readonly sitting: number
  /** Its place in the sitting. */
  readonly line: number
  /** Whether it ends with a question mark. */
  readonly asks: boolean
  /** Id of the message that it replies to. */
  readonly answers?: number
}

export interface Question {
  /** Token ids of the question with their weights: rare ones more. */
  readonly tokens: ReadonlyMap<number, number>
  /** Whether the question has a vector. */
  readonly byVector: boolean
  /** The mean length of items in the index, in words. */
  readonly meanWords: number
  /** Ids of the people that the question names, or else of the person who asks. */
  readonly about: ReadonlySet<string>
  readonly now: Date
}

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
  /** The best line near it, or the message on the other end of a reply. */
  readonly surroundings: number
  /** The question that it follows or replies to. */
  readonly question: number
  /** All that was said in its sitting. */
  readonly sitting: number
  /** For a message, its facts; for a fact, its messages. */
  readonly sources: number
  /** Factor for what is about a person in the question, or about the person who asks. */
  readonly person: number
}

export const WEIGHTS: Weights = {
  pairs: 0.5,
  vector: 1,
  surroundings: 0.5,
  question: 0.5,
  sitting: 0.5,
  sources: 0.5,
  person: 1.4,
}

/** How many lines around a message count, and the factor for each line further away. */
export const LINES = 2
const FURTHER = 0.7

/** The confidence of a message that asks: it states little. */
export const ASKS = 0.6

/** Weight of a single kanji relative to a word. */
export const KANJI_WEIGHT = 0.3

/** 2^(−age / halfLife): 1 for new facts and for future dates. */
export function decay(at: Date, now: Date, halfLifeMs: number): number {
  return 2 ** (-Math.max(0, now.getTime() - at.getTime()) / halfLifeMs)
}

/** The weight of a token, low if many items have it. The formula is that of BM25 in Lucene. */
export function idf(items: number, having: number): number {
  return Math.log(1 + (items - having + 0.5) / (having + 0.5))
}

/** The original formula: Jaccard of keyword sets × 0.5^(age / halfLife). Best first. */
export function rankClassic(
  candidates: readonly Candidate[],
  { tokens, now }: Question,
  { halfLifeMs }: Pick<RankSettings, 'halfLifeMs'>,
): Ranked[] {
  return candidates
    .map(candidate => {
      const time = decay(candidate.at, now, halfLifeMs)
      const parts = { ...NO_PARTS, jaccard: jaccard(candidate, tokens), time }
      const score = scoreOf(parts)
      return { candidate, score, parts, evidence: score }
    })
    .filter(({ score }) => score > 0)
    .sort(best)
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
  const vectors = shares(
    candidates.map(({ similarity }) => Math.max(0, similarity ?? 0)),
    weights.vector,
  )
  const own = candidates.map((_one, at) => (bm25s[at] ?? 0) + (pairs[at] ?? 0) + (vectors[at] ?? 0))
  const near = neighbours(candidates, own)
  const sittings = shares(sittingsOf(candidates, question, weights.pairs), weights.sitting)
  const whole = total(question)
  return candidates
    .map((candidate, at) => {
      const parts: ScoreParts = {
        bm25: bm25s[at] ?? 0,
        pairs: pairs[at] ?? 0,
        jaccard: 0,
        vector: vectors[at] ?? 0,
        surroundings: weights.surroundings * (near.surroundings[at] ?? 0),
        question: weights.question * (near.question[at] ?? 0),
        sitting: sittings[at] ?? 0,
        sources: weights.sources * (near.sources[at] ?? 0),
        rerank: 0,
        time: candidate.lasting ? 1 : floor + (1 - floor) * decay(candidate.at, now, halfLifeMs),
        confidence: 0.5 + 0.5 * candidate.confidence,
        person: candidate.people.some(one => about.has(one)) ? weights.person : 1,
      }
      return { candidate, score: scoreOf(parts), parts, evidence: evidence(candidate, question, whole) }
    })
    .filter(({ score }) => score > 0)
    .sort(best)
}

/** The candidates with the scores of a reranker as another leg, which has the weight of the words. Best first. */
export function rerank(ranked: readonly Ranked[], scores: readonly number[]): Ranked[] {
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

const NO_PARTS: ScoreParts = {
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
}

function scoreOf(parts: ScoreParts): number {
  const { bm25, pairs, jaccard, vector, surroundings, question, sitting, sources, rerank } = parts
  const sum = bm25 + pairs + jaccard + vector + surroundings + question + sitting + sources + rerank
  return sum * parts.time * parts.confidence * parts.person
}

/** The values as shares of the maximum, times the weight. */
function shares(values: readonly number[], weight: number): number[] {
  const most = values.reduce((most, value) => Math.max(most, value), 0)
  return most > 0 ? values.map(value => (weight * value) / most) : values.map(() => 0)
}

function best(one: Ranked, other: Ranked): number {
  return (
    other.score - one.score || other.candidate.at.getTime() - one.candidate.at.getTime() || other.candidate.id - one.candidate.id
  )
}

/** BM25: how fast a repeated word saturates, and how much a long text is penalised. */
const K1 = 1.2
const B = 0.75

function bm25({ tokens, words }: Candidate, { tokens: asked, meanWords }: Question): { words: number; pairs: number } {
  const held = K1 * (1 - B + (B * words) / Math.max(1, meanWords))
  const sums = { words: 0, pairs: 0 }
  for (const [token, count] of counts(tokens, asked)) {
    const kind = kindOf(token)
    const value = ((asked.get(token) ?? 0) * count * (K1 + 1)) / (count + held)
    if (kind === 'pair') sums.pairs += value
    else sums.words += value
  }
  return sums
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

function counts(tokens: Int32Array, asked: ReadonlyMap<number, number>): Map<number, number> {
  const counts = new Map<number, number>()
  for (const token of tokens) if (asked.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1)
  return counts
}

interface Near {
  /** The value of the best line nearby. */
  readonly surroundings: readonly number[]
  /** The value of the question before it. */
  readonly question: readonly number[]
  /** The value of its best fact, or of its best message. */
  readonly sources: readonly number[]
}

/** What a candidate gets from others, by the values of their own texts. */
function neighbours(candidates: readonly Candidate[], own: readonly number[]): Near {
  const places = new Map(candidates.map(({ id }, at) => [id, at]))
  const lines = new Map(candidates.flatMap(({ said }, at) => (said ? [[`${said.sitting} ${said.line}`, at] as const] : [])))
  const near = {
    surroundings: candidates.map(() => 0),
    question: candidates.map(() => 0),
    sources: candidates.map(() => 0),
  }
  const give = (leg: number[], to: number, from: number, factor = 1) => {
    leg[to] = Math.max(leg[to] ?? 0, factor * (own[from] ?? 0))
  }
  const follow = (at: number, before: number, factor: number) => {
    give(near.surroundings, at, before, factor)
    give(near.surroundings, before, at, factor)
    if (factor === 1 && candidates[before]?.said?.asks) give(near.question, at, before)
  }
  for (const [at, { said, sources = [] }] of candidates.entries()) {
    for (const source of sources) {
      const message = places.get(source)
      if (message === undefined) continue
      give(near.sources, at, message)
      give(near.sources, message, at)
    }
    if (!said) continue
    for (let line = 1; line <= LINES; line++) {
      const before = lines.get(`${said.sitting} ${said.line - line}`)
      if (before !== undefined) follow(at, before, FURTHER ** (line - 1))
    }
    const answered = said.answers === undefined ? undefined : places.get(said.answers)
    if (answered !== undefined) follow(at, answered, 1)
  }
  return near
}

/**
 * How much of the question the sitting of each candidate covers: BM25 of the sitting's candidates as one text, without
 * a penalty for length. A reply belongs to the sitting of the message that it answers too, and a fact to those of its
 * messages.
 */
function sittingsOf(candidates: readonly Candidate[], { tokens }: Question, pairs: number): number[] {
  const having = new Map<number, Map<number, number>>()
  for (const { said, tokens: own } of candidates) {
    if (!said) continue
    const counts = having.get(said.sitting) ?? new Map<number, number>()
    having.set(said.sitting, counts)
    for (const token of new Set(own)) if (tokens.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  const values = new Map(
    [...having].map(([sitting, counts]) => {
      const value = [...counts].reduce((sum, [token, count]) => {
        const weight = (kindOf(token) === 'pair' ? pairs : 1) * (tokens.get(token) ?? 0)
        return sum + (weight * count * (K1 + 1)) / (count + K1)
      }, 0)
      return [sitting, value]
    }),
  )
  const places = new Map(candidates.map(({ id, said }) => [id, said?.sitting]))
  return candidates.map(({ said, sources = [] }) => {
    const answered = said?.answers === undefined ? [] : [said.answers]
    const sittings = [said?.sitting, ...[...answered, ...sources].map(id => places.get(id))]
    return sittings.reduce<number>((most, one) => Math.max(most, one === undefined ? 0 : (values.get(one) ?? 0)), 0)
  })
}

/** The total weight of the question, in words and in pairs. */
function total({ tokens }: Question): { words: number; pairs: number } {
  const sums = { words: 0, pairs: 0 }
  for (const [token, weight] of tokens) {
    if (kindOf(token) === 'pair') sums.pairs += weight
    else sums.words += weight
  }
  return sums
}

/**
 * The share of the question's text: the mean of its words and of its pairs. With vectors: the mean of that and of the similarity,
 * if it is more, so that a match by words alone counts as much as without vectors. Measured on 300 questions without vectors: at
 * 0.15 nothing is recalled for 60 % of the questions without an answer, and 2 % of the answers are lost.
 */
function evidence(candidate: Candidate, { tokens, byVector }: Question, whole: { words: number; pairs: number }): number {
  const found = { words: 0, pairs: 0 }
  for (const token of new Set(candidate.tokens)) {
    const weight = tokens.get(token)
    if (weight === undefined) continue
    if (kindOf(token) === 'pair') found.pairs += weight
    else found.words += weight
  }
  const shares = [
    ...(whole.words > 0 ? [found.words / whole.words] : []),
    ...(whole.pairs > 0 ? [found.pairs / whole.pairs] : []),
  ]
  const text = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length)
  const meaning = Math.max(0, candidate.similarity ?? 0)
  if (!byVector) return text
  return shares.length === 0 ? meaning : Math.max(text, (text + meaning) / 2)
}
