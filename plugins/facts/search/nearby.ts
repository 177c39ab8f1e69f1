/** What a candidate gets from its place: from the lines around it, from its sitting, from its facts or messages. */
import { counts, covering } from './bm25.ts'
import type { Candidate, Question } from './candidate.ts'

/** How many lines around a message count, and the factor for each line further away. */
export const LINES = 2
const FURTHER = 0.7

export interface Near {
  /** BM25 of the text, the lines around it and the other end of its reply, as one text. */
  readonly words: readonly number[]
  /** The best vector of these lines. */
  readonly vectors: readonly number[]
  /** The value of the question before it. */
  readonly question: readonly number[]
  /** The value of its best fact, or of its best message. */
  readonly sources: readonly number[]
}

/** @param own the values of the candidates' own texts; `vectors`: of their vectors alone */
export function neighbours(
  candidates: readonly Candidate[],
  { own, vectors }: { readonly own: readonly number[]; readonly vectors: readonly number[] },
  question: Question,
  pairs: number,
): Near {
  const places = new Map(candidates.map(({ id }, at) => [id, at]))
  const lines = new Map(candidates.flatMap(({ said }, at) => (said ? [[`${said.sitting} ${said.line}`, at] as const] : [])))
  const common = candidates.map(({ tokens }) => counts(tokens, question.tokens))
  const passages = common.map(counts => new Map(counts))
  const near = {
    vectors: candidates.map(() => 0),
    question: candidates.map(() => 0),
    sources: candidates.map(() => 0),
  }
  const give = (leg: number[], to: number, value = 0) => {
    leg[to] = Math.max(leg[to] ?? 0, value)
  }
  const join = (to: number, from: number, factor: number) => {
    give(near.vectors, to, factor * (vectors[from] ?? 0))
    const passage = passages[to]
    for (const [token, count] of common[from] ?? []) passage?.set(token, (passage.get(token) ?? 0) + factor * count)
  }
  const follow = (at: number, before: number, factor: number) => {
    join(at, before, factor)
    join(before, at, factor)
    if (factor === 1 && candidates[before]?.said?.asks) give(near.question, at, own[before])
  }
  for (const [at, { said, sources = [] }] of candidates.entries()) {
    for (const source of sources) {
      const message = places.get(source)
      if (message === undefined) continue
      give(near.sources, at, own[message])
      give(near.sources, message, own[at])
    }
    if (!said) continue
    for (let line = 1; line <= LINES; line++) {
      const before = lines.get(`${said.sitting} ${said.line - line}`)
      if (before !== undefined) follow(at, before, FURTHER ** (line - 1))
    }
    const answered = said.answers === undefined ? undefined : places.get(said.answers)
    if (answered !== undefined) follow(at, answered, 1)
  }
  return { ...near, words: passages.map(counts => covering(counts, question, pairs)) }
}

/**
 * How much of the question the sitting of each candidate covers: BM25 of the sitting's candidates as one text. A reply belongs
 * to the sitting of the message that it answers too, and a fact to those of its messages.
 */
export function sittingsOf(candidates: readonly Candidate[], question: Question, pairs: number): number[] {
  const having = new Map<number, Map<number, number>>()
  for (const { said, tokens: own } of candidates) {
    if (!said) continue
    const counts = having.get(said.sitting) ?? new Map<number, number>()
    having.set(said.sitting, counts)
    for (const token of new Set(own)) if (question.tokens.has(token)) counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  const values = new Map([...having].map(([sitting, counts]) => [sitting, covering(counts, question, pairs)]))
  const places = new Map(candidates.map(({ id, said }) => [id, said?.sitting]))
  return candidates.map(({ said, sources = [] }) => {
    const answered = said?.answers === undefined ? [] : [said.answers]
    const sittings = [said?.sitting, ...[...answered, ...sources].map(id => places.get(id))]
    return sittings.reduce<number>((most, one) => Math.max(most, one === undefined ? 0 : (values.get(one) ?? 0)), 0)
  })
}
