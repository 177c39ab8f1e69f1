/** Conversations, and questions that their messages answer. */
import type { Database } from 'kikimimi'
import { createSqlStore } from '../../core/storage/store/sql.ts'
import { progress, round } from '../base/measure.ts'
import { benchLog } from '../base/talk.ts'
import type { TalkSet } from './data.ts'
import { stopwatch } from './facts.ts'
import { daysAgo, memoryOn, NOW, place, type Ranking } from './memory.ts'
import { type Outcome, summary } from './scores.ts'

export async function talksBench(db: Database, { conversations }: TalkSet) {
  const log = createSqlStore(db, benchLog)
  const store = memoryOn(db, 'hybrid')
  let messages = 0
  for (const { id, turns } of conversations) {
    const conversation = place('talk', 'public', id)
    for (const [at, turn] of turns.entries()) {
      await log.record(
        conversation,
        {
          id: turn.id,
          author: { id: turn.speaker, name: turn.speaker },
          text: turn.text,
          at: new Date(daysAgo(turn.ageDays).getTime() + at * 1_000),
          mentions: [],
          attachments: [],
          own: false,
        },
        NOW,
      )
      messages++
    }
  }
  progress(`${db.kind}: ${messages} messages`)
  const start = performance.now()
  await store.index()
  const addMs = { mean: round((performance.now() - start) / Math.max(1, messages)) }
  await db.maintain()

  async function ask(ranking: Ranking, settings: { floor?: number; minScore?: number } = {}) {
    const asked = memoryOn(db, ranking, settings)
    const outcomes: Outcome[] = []
    const watch = stopwatch()
    for (const { id, questions } of conversations) {
      for (const { q, evidence, asker } of questions) {
        const conversation = place('talk', 'public', id)
        const found = await watch.time(() =>
          asked.recall({ conversation, text: q, limit: 50, ...(asker !== undefined && { asker }) }),
        )
        const ids = found.flatMap(one => (one.kind === 'message' ? one.message.id : []))
        outcomes.push({ kind: 'talk', found: ids, gold: evidence, outdated: [], secret: [], all: true })
      }
    }
    return { ...summary(outcomes), ...watch.times() }
  }

  return {
    conversations: conversations.length,
    messages,
    addMs,
    hybrid: await ask('hybrid'),
    classic: await ask('classic'),
    withoutDecay: (await ask('hybrid', { floor: 1 })).recallAt,
    withoutThreshold: (await ask('hybrid', { minScore: 0 })).recallAt,
  }
}
