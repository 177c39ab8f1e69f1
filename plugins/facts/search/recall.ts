/** Finds memories that are relevant to a text, with the answer first. */

import type { Fact, Recalled, RecallQuery, SearchQuery } from '../api/facts.ts'
import { type LogDeps, workspaceOf } from '../storage/entries.ts'
import { factsById, messagesById, namesById } from '../storage/rows.ts'
import { wantedBy } from '../text/answers.ts'
import { isSameSubject, saysChange } from '../text/change.ts'
import { sameText } from '../text/tokens.ts'
import type { Trust } from './agreement.ts'
import { findCandidates, type SearchDeps } from './candidates.ts'
import { rankClassic } from './classic.ts'
import { rankHybrid, rerank, WEIGHTS, type Weights } from './rank.ts'
import { type Judged, judged } from './relevance.ts'
import type { Reranker } from './reranker.ts'
import { inRangeFirst, whenAsked } from './when.ts'

export interface RecallSettings {
  readonly ranking: 'hybrid' | 'classic'
  readonly halfLifeMs: number
  readonly floor: number
  /** Default: {@link WEIGHTS}. */
  readonly weights?: Partial<Weights>
  /** Minimum probability that a memory answers the question. */
  readonly minRelevance: number
  readonly limit: number
}

const SPARE = 8

/**
 * The least share of a question that the best result must cover. In a small memory every result is far ahead of the others, so its
 * relevance is too high for a result that shares one syllable with the question.
 */
const COVERED = 0.05

/** Number of results that a reranker orders. */
const RERANKED = 20

export interface RecallDeps extends SearchDeps, LogDeps {
  readonly trust: Trust
  readonly rerank?: Reranker
}

/** @param lenient return everything with a common word, regardless of relevance */
export async function recallFrom(
  deps: RecallDeps,
  settings: RecallSettings,
  query: SearchQuery & { readonly now: Date },
  lenient: boolean,
): Promise<Recalled[]> {
  const { conversation, text, asker, limit = settings.limit, now, messages = true, except = [], by = 'both', signal } = query
  const asked = whenAsked(text, now)
  const history = query.history ?? (lenient || asked.history)
  const found = await findCandidates(deps, { conversation, text, messages, by, history, except, signal })
  const named = query.named ?? found.named
  const about = new Set(named.length > 0 ? named : asker === undefined ? [] : [asker])
  const { halfLifeMs, floor, ranking, minRelevance } = settings
  const { tokens, meanWords, byVector } = found
  if (found.agreement !== undefined) deps.trust.see(found.agreement)
  const trust = by === 'vector' ? 1 : deps.trust.value
  const question = { tokens, meanWords, byVector, trust, about, wants: wantedBy(text), now }
  const ranked =
    ranking === 'classic' && by !== 'vector'
      ? rankClassic(found.candidates, question, { halfLifeMs })
      : judged(rankHybrid(found.candidates, question, { halfLifeMs, floor }, { ...WEIGHTS, ...settings.weights }), question)
  const first = ranked.slice(0, limit)
  const isRelated = first.some(({ relevance }) => relevance >= minRelevance) && first.some(({ evidence }) => evidence >= COVERED)
  if (!lenient && !isRelated) return []
  const ordered = by === 'both' && ranking === 'hybrid' ? await reranked(deps, text, ranked, signal) : ranked
  const best = await read(deps, query, ordered, limit)
  return asked.range ? inRangeFirst(best, asked.range) : best
}

/** With the first results in the order of the reranker, if there is one. */
async function reranked(
  { db, log, rerank: ask }: RecallDeps,
  text: string,
  ranked: readonly Judged[],
  signal?: AbortSignal,
): Promise<readonly Judged[]> {
  if (!ask) return ranked
  const first = ranked.slice(0, RERANKED)
  const ids = (kind: 'fact' | 'message') => first.flatMap(({ candidate }) => (candidate.kind === kind ? candidate.id : []))
  const facts = new Map((await factsById(db, ids('fact'))).map(({ id, content }) => [id, content]))
  const messages = await messagesById({ db, log }, ids('message'))
  const texts = first.map(({ candidate: { id } }) => facts.get(id) ?? messages.get(id)?.text ?? '')
  const scores = await ask(text, texts, signal)
  return scores ? [...rerank(first, scores), ...ranked.slice(RERANKED)] : ranked
}

async function read(
  { db, log }: RecallDeps,
  { conversation }: RecallQuery,
  ranked: readonly Judged[],
  limit: number,
): Promise<Recalled[]> {
  // Some more than requested, because duplicates are removed.
  const best = ranked.slice(0, limit + SPARE)
  const ids = (kind: 'fact' | 'message') => best.flatMap(({ candidate }) => (candidate.kind === kind ? candidate.id : []))
  const facts = new Map((await factsById(db, ids('fact'))).map(fact => [fact.id, fact]))
  const messages = await messagesById({ db, log }, ids('message'))
  const names = await namesById(db, workspaceOf(conversation), [
    ...new Set([
      ...best.flatMap(({ candidate }) => candidate.people),
      ...[...facts.values()].flatMap(authorsOf),
      ...[...messages.values()].flatMap(({ asked }) => asked?.author ?? []),
    ]),
  ])
  const said = new Set<string>()
  const found = best
    .flatMap(({ candidate, ...scored }): Recalled[] => {
      const fact = facts.get(candidate.id)
      const message = messages.get(candidate.id)
      const text = sameText(fact?.content ?? message?.text ?? '')
      if (text === '' || said.has(text)) return []
      said.add(text)
      if (fact) return [{ kind: 'fact', ...scored, names, fact }]
      return message ? [{ kind: 'message', ...scored, names, message }] : []
    })
    .slice(0, limit)
  return outdatedLast(found)
}

/** Puts a memory after a later one that corrects it. Both stay: words of change alone replace nothing. */
function outdatedLast(found: readonly Recalled[]): Recalled[] {
  const order = [...found]
  for (const one of found) {
    const own = order.indexOf(one)
    const isChange = saysChange(textOf(one))
    const outdated = order.slice(0, own).findIndex(other => corrects(one, other, isChange))
    if (outdated !== -1) order.splice(outdated, 0, ...order.splice(own, 1))
  }
  return order
}

function corrects(one: Recalled, other: Recalled, isChange: boolean): boolean {
  const areKnown = one.kind === 'fact' && other.kind === 'fact' && [one, other].every(({ fact }) => fact.relation !== undefined)
  if (areKnown) return excludes(one.fact, other.fact)
  return isChange && atOf(other) < atOf(one) && isSameSubject(textOf(other), textOf(one))
}

function textOf(one: Recalled): string {
  return one.kind === 'fact' ? one.fact.content : one.message.text
}

function atOf(one: Recalled): Date {
  return one.kind === 'fact' ? one.fact.at : one.message.at
}

/** Whether two facts that hold are about one subject and one relation with one value, and the first has a later value. */
function excludes(one: Fact, other: Fact): boolean {
  if (one.subject === undefined || one.subject !== other.subject || one.relation !== other.relation) return false
  const hold = one.validTo === undefined && other.validTo === undefined
  return hold && one.single && other.single && one.value !== other.value && one.validFrom > other.validFrom
}

function authorsOf({ sources }: { readonly sources: readonly { readonly author: string }[] }): string[] {
  return sources.map(({ author }) => author)
}
