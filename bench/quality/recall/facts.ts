/** A set of facts and questions about them, among distractors. */

import type { Conversation, Database } from 'kikimimi'
import type { FactStore } from '../../../plugins/facts/api/facts.ts'
import { latency, progress } from '../../base/measure.ts'
import { stopwatch } from '../../base/stopwatch.ts'
import type { FactSet } from './data.ts'
import { distractors } from './distractors.ts'
import { daysAgo, embedAll, memoryOn, place, type Ranking } from './memory.ts'
import { type Outcome, summary } from './scores.ts'

type SetFact = FactSet['facts'][number]

const CHANNELS = 20
const TOGETHER = 200

/** `verdicts: false`: without a model that says which fact supersedes another, so none does. */
export async function factsBench(
  db: Database,
  { facts, queries }: FactSet,
  { count, verdicts }: { readonly count: number; readonly verdicts: boolean },
) {
  const { names, adding, placeOf } = await storeFacts(db, facts, { count, verdicts })
  const outdated = facts.flatMap(({ supersedes }) => supersedes ?? [])
  const secretTo = (scope: string) =>
    facts.flatMap(({ id, visibility, channel }) => (visibility === 'public' || channel === scope ? [] : id))

  async function ask(ranking: Ranking, settings: { floor?: number; minRelevance?: number } = {}) {
    const asked = memoryOn(db, ranking, settings)
    const outcomes: Outcome[] = []
    const watch = stopwatch(db)
    for (const { q, gold, kind, scope } of queries) {
      const found = await watch.time(() => asked.recall({ conversation: placeOf(scope), text: q, limit: 50, messages: false }))
      outcomes.push({
        kind: kind.replace(/:.*/, ''),
        found: found.flatMap(one => (one.kind === 'fact' ? (names.get(one.fact.id) ?? 'distractor') : [])),
        gold,
        outdated: kind === 'history' ? [] : outdated,
        secret: secretTo(scope),
        all: false,
      })
    }
    return { ...summary(outcomes), ...watch.times() }
  }

  progress(`${db.kind}: ${queries.length} questions`)
  return {
    facts: facts.length,
    distractors: count,
    verdicts,
    addMs: latency(adding),
    hybrid: await ask('hybrid'),
    classic: await ask('classic'),
    withoutDecay: (await ask('hybrid', { floor: 1 })).recallAt,
    withoutThreshold: (await ask('hybrid', { minRelevance: 0 })).hitAt,
  }
}

/** Stores the facts of a set among distractors. */
export async function storeFacts(
  db: Database,
  facts: readonly SetFact[],
  { count, verdicts }: { readonly count: number; readonly verdicts: boolean },
) {
  const store = memoryOn(db, 'hybrid')
  progress(`${db.kind}: ${count} distractors`)
  const adding: number[] = []
  const timed = async (add: () => Promise<unknown>) => {
    const start = performance.now()
    await add()
    adding.push(performance.now() - start)
  }
  const noise = distractors(count).map((content, at) => ({
    conversation: place(`noise-${at % CHANNELS}`, 'public'),
    content,
    at: daysAgo(1 + ((at * 37) % 300)),
  }))
  // Many in a transaction, because that is faster. Those of the file are stored one by one, and timed.
  for (let at = 0; at < noise.length; at += TOGETHER) {
    await db.transaction(async () => {
      for (const fact of noise.slice(at, at + TOGETHER)) await store.add(fact)
    })
  }
  await embedAll(db)
  await db.maintain()
  const ids = new Map<string, number>()
  /** The first fact of each chain of replacements. */
  const topics = new Map<string, string>()
  // In the order of writing, oldest first.
  for (const fact of facts.toSorted((one, other) => other.ageDays - one.ageDays)) {
    const topic = topics.get(fact.supersedes ?? '') ?? fact.id
    topics.set(fact.id, topic)
    const kept = { ...newFact(fact), subject: fact.subject, relation: topic, value: fact.id, single: true }
    const old = fact.supersedes ? ids.get(fact.supersedes) : undefined
    await timed(async () => {
      const { id } = await (verdicts && old !== undefined ? store.supersede([old], kept) : store.add(kept))
      ids.set(fact.id, id)
    })
  }
  await db.maintain()
  const names = new Map([...ids].map(([name, id]) => [id, name]))
  const placeOf = (scope: string): Conversation => {
    const there = facts.find(({ channel, visibility }) => channel === scope && visibility !== 'public')
    return there ? placeOfFact(there) : place(scope === 'public' ? 'general' : scope, 'public')
  }
  return { names, adding, placeOf }
}

function newFact(fact: SetFact): Parameters<FactStore['add']>[0] {
  return {
    conversation: placeOfFact(fact),
    content: fact.text,
    people: fact.subject === 'team' ? [] : [fact.subject],
    kind: fact.lasts ?? 'current',
    at: daysAgo(fact.ageDays),
  }
}

function placeOfFact({ channel, visibility }: SetFact): Conversation {
  return place(channel, visibility === 'dm' ? 'direct' : visibility)
}
