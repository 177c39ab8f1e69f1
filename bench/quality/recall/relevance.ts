/** Questions with their results, and for each result whether it answers: what the model of relevance is made from. */
import type { Conversation, Database } from 'kikimimi'
import { findCandidates } from '../../../plugins/facts/search/candidates.ts'
import { rankHybrid } from '../../../plugins/facts/search/rank.ts'
import { type Signals, signalsOf } from '../../../plugins/facts/search/relevance.ts'
import { wantedBy } from '../../../plugins/facts/text/answers.ts'
import { pgvectorIndex } from '../../../plugins/facts/vectors/pgvector.ts'
import type { FactSet, TalkSet } from './data.ts'
import { storeFacts } from './facts.ts'
import { NOW, place } from './memory.ts'
import { storeTalks } from './talks.ts'

/** Results of a question that are examples. Later ones hardly ever answer. */
const RESULTS = 20

/** Parts of a conversation that has no other one beside it to be tested on. */
const PARTS = 5

export interface Example {
  readonly signals: Signals
  readonly answers: boolean
}

export interface Asked {
  /** The conversation, or the part of one, that is left out together. */
  readonly fold: string
  readonly set: string
  /** `foreign`: about another conversation, with the names exchanged. */
  readonly kind: string
  /** How many texts answer it. */
  readonly expected: number
  /** The first results, best first. */
  readonly results: readonly Example[]
}

interface Question {
  readonly q: string
  readonly gold: readonly string[]
  readonly kind: string
}

export async function examplesOf(db: Database, set: TalkSet | FactSet, name: string): Promise<Asked[]> {
  return 'conversations' in set ? ofTalks(db, set, name) : ofFacts(db, set, name)
}

async function ofTalks(db: Database, set: TalkSet, name: string): Promise<Asked[]> {
  const { conversations, today = NOW } = set
  await storeTalks(db, set)
  await db.maintain()
  const { rows } = await db.query<{ item: number; id: string }>('select item, id from facts.message')
  const names = new Map(rows.map(({ item, id }) => [item, id]))
  const asked: Asked[] = []
  for (const [at, talk] of conversations.entries()) {
    const own = talk.questions.map(({ q, evidence, category, kind = 'talk' }) => ({
      q,
      gold: evidence,
      kind: `${category ?? kind}`,
    }))
    const other = conversations[(at + 1) % conversations.length]
    const foreign = other && other !== talk ? exchanged(other, talk) : []
    for (const [n, one] of [...own, ...foreign].entries()) {
      const fold = conversations.length > 1 ? `${name} ${talk.id}` : `${name} ${n % PARTS}`
      const where = { conversation: place('talk', 'public', `${talk.id}-talk`), messages: true, now: today }
      asked.push({ fold, set: name, kind: one.kind, expected: one.gold.length, results: await resultsOf(db, one, names, where) })
    }
  }
  return asked
}

async function ofFacts(db: Database, { facts, queries }: FactSet, name: string): Promise<Asked[]> {
  const { names, placeOf } = await storeFacts(db, facts, { count: 2_000, verdicts: true })
  const asked: Asked[] = []
  for (const [n, { q, gold, kind, scope }] of queries.entries()) {
    const where = { conversation: placeOf(scope), messages: false, now: NOW }
    const results = await resultsOf(db, { q, gold, kind }, names, where)
    asked.push({ fold: `${name} ${n % PARTS}`, set: name, kind, expected: Math.min(1, gold.length), results })
  }
  return asked
}

/** The questions about another conversation, with the names of the people of this one: nothing answers them. */
function exchanged(other: TalkSet['conversations'][number], talk: TalkSet['conversations'][number]): Question[] {
  const people = (turns: readonly { readonly speaker: string }[]) => [...new Set(turns.map(({ speaker }) => speaker))]
  const [theirs, ours] = [people(other.turns), people(talk.turns)]
  return other.questions.map(({ q }) => ({
    q: theirs.reduce((text, name, at) => text.replaceAll(name, ours[at % ours.length] ?? name), q),
    gold: [],
    kind: 'foreign',
  }))
}

async function resultsOf(
  db: Database,
  { q, gold }: Question,
  names: ReadonlyMap<number, string>,
  { now, ...where }: { readonly conversation: Conversation; readonly messages: boolean; readonly now: Date },
): Promise<Example[]> {
  const deps = { db, vectors: () => pgvectorIndex(db), embedder: undefined }
  const found = await findCandidates(deps, { ...where, text: q, by: 'both', history: true, except: [] })
  const question = { ...found, about: new Set(found.named), wants: wantedBy(q), trust: 0, now }
  const ranked = rankHybrid(found.candidates, question, { halfLifeMs: 30 * 86_400_000, floor: 0.9 })
  const signals = signalsOf(ranked, question)
  return ranked.slice(0, RESULTS).flatMap(({ candidate }, at) => {
    const own = signals[at]
    return own ? { signals: own, answers: gold.includes(names.get(candidate.id) ?? '') } : []
  })
}
