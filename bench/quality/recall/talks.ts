/** Conversations, and questions that their messages answer. */
import { type Database, systemClock } from 'kikimimi'
import { createSqlStore } from '../../../core/storage/store/sql.ts'
import { WEIGHTS, type Weights } from '../../../plugins/facts/search/rank.ts'
import type { Embedder } from '../../../plugins/facts/vectors/embedder.ts'
import { progress, round } from '../../base/measure.ts'
import { stopwatch } from '../../base/stopwatch.ts'
import { benchLog } from '../../base/talk.ts'
import type { TalkSet } from './data.ts'
import { daysAgo, embedAll, type MemorySettings, memoryOn, NOW, place, type Ranking } from './memory.ts'
import { type Outcome, summary } from './scores.ts'
import { randomVectors, synonyms } from './synonyms.ts'

/** The second talk has the same messages without the names of their authors. */
type Talk = 'talk' | 'nameless'

/** The legs of the ranking, each on top of those before it. */
const STEPS: readonly (readonly [name: string, weights: Partial<Weights>])[] = [
  ['speaker in the text', {}],
  ['people in the question', { person: WEIGHTS.person }],
  ['lines nearby', { surroundings: WEIGHTS.surroundings }],
  ['the sitting', { sitting: WEIGHTS.sitting }],
  ['answers to questions', { question: WEIGHTS.question }],
  ['times and numbers', { answer: WEIGHTS.answer }],
]

const NONE: Weights = { ...WEIGHTS, surroundings: 0, question: 0, sitting: 0, sources: 0, person: 1, answer: 1 }

/** Indexes the messages of each conversation, in a workspace of its own. Returns how many. */
export async function storeTalks(
  db: Database,
  { conversations, today = NOW }: TalkSet,
  talks: readonly Talk[] = ['talk'],
): Promise<number> {
  const log = createSqlStore(db, benchLog, systemClock)
  let messages = 0
  for (const talk of talks) {
    for (const { id, turns } of conversations) {
      for (const [at, turn] of turns.entries()) {
        const author = { id: turn.speaker, name: talk === 'talk' ? turn.speaker : '' }
        const said = new Date(daysAgo(turn.ageDays, today).getTime() + at * 1_000)
        const message = { id: turn.id, author, text: turn.text, at: said, mentions: [], attachments: [], own: false }
        await log.record(place(turn.channel ?? talk, 'public', `${id}-${talk}`), message, today)
        messages++
      }
    }
  }
  await memoryOn(db, 'hybrid').index()
  return messages
}

/** `ablation`: with a line for each leg of the ranking. */
export async function talksBench(db: Database, set: TalkSet, { ablation }: { readonly ablation: boolean }) {
  const { conversations, today = NOW } = set
  const start = performance.now()
  const messages = await storeTalks(db, set, ablation ? ['talk', 'nameless'] : ['talk'])
  const addMs = { mean: round((performance.now() - start) / Math.max(1, messages)) }
  progress(`${db.kind}: ${messages} messages`)
  await db.maintain()

  async function ask(ranking: Ranking, settings: MemorySettings = {}, talk: Talk = 'talk') {
    const asked = memoryOn(db, ranking, { ...settings, now: today })
    const outcomes: Outcome[] = []
    const watch = stopwatch(db)
    for (const { id, questions } of conversations) {
      for (const { q, evidence, asker, category, kind = 'talk' } of questions) {
        const conversation = place(talk, 'public', `${id}-${talk}`)
        const found = await watch.time(() =>
          asked.recall({ conversation, text: q, limit: 50, ...(asker !== undefined && { asker }) }),
        )
        const ids = found.flatMap(one => (one.kind === 'message' ? one.message.id : []))
        outcomes.push({ kind: `${category ?? kind}`, found: ids, gold: evidence, outdated: [], secret: [], all: true })
      }
    }
    return { ...summary(outcomes), ...watch.times() }
  }

  async function steps() {
    const free = { minRelevance: 0, floor: 1 }
    const recallAt = async (settings: MemorySettings, talk?: Talk) => (await ask('hybrid', settings, talk)).recallAt
    const lines: (readonly [string, unknown])[] = [['words', await recallAt({ ...free, weights: NONE }, 'nameless')]]
    let weights = NONE
    for (const [name, more] of STEPS) {
      weights = { ...weights, ...more }
      lines.push([name, await recallAt({ ...free, weights })])
    }
    lines.push(['decay', await recallAt({ minRelevance: 0 })], ['minRelevance', await recallAt({})])
    return Object.fromEntries(lines)
  }

  async function withModel(embedder: Embedder) {
    await embedAll(db, embedder)
    const { recallAt, recallAt10ByKind } = await ask('hybrid', { embedder })
    return { recallAt, recallAt10ByKind }
  }

  return {
    conversations: conversations.length,
    messages,
    addMs,
    hybrid: await ask('hybrid'),
    classic: await ask('classic'),
    withoutDecay: (await ask('hybrid', { floor: 1 })).recallAt,
    withoutThreshold: (await ask('hybrid', { minRelevance: 0 })).recallAt,
    ...(ablation && { ablation: await steps() }),
    withModel: await withModel(synonyms(conversations)),
    withRandomVectors: await withModel(randomVectors),
  }
}
