/** A memory with its own database, without a model for vectors, and with a clock that stands still. */
import { type Clock, type Conversation, conversationId, type Database, systemClock } from 'kikimimi'
import { messageLogOf } from '../../../core/features/message-log/index.ts'
import { createModels } from '../../../core/models/models.ts'
import { migrate } from '../../../core/storage/database/migrate.ts'
import type { FactStore } from '../../../plugins/facts/api/facts.ts'
import { createFactStore } from '../../../plugins/facts/fact-store.ts'
import type { Weights } from '../../../plugins/facts/search/rank.ts'
import { MIN_RELEVANCE } from '../../../plugins/facts/search/relevance.ts'
import { type EmbedDeps, embedItems } from '../../../plugins/facts/vectors/embed-items.ts'
import { createEmbedder, type Embedder } from '../../../plugins/facts/vectors/embedder.ts'
import { pgvectorIndex } from '../../../plugins/facts/vectors/pgvector.ts'
import { offline } from '../../../plugins/offline/index.ts'
import { benchLog } from '../../base/talk.ts'

export const NOW = new Date('2026-01-05T10:00:00Z')

function stopped(now: Date): Clock {
  return { ...systemClock, now: () => now.getTime() }
}

const clock = stopped(NOW)

export type Ranking = 'hybrid' | 'classic'

export async function prepare(db: Database): Promise<void> {
  await migrate(db, 'kikimimi', new URL('../../../core/storage/migrations/', import.meta.url), clock)
  await migrate(db, 'facts', new URL('../../../plugins/facts/migrations/', import.meta.url), clock)
}

export interface MemorySettings {
  readonly floor?: number
  readonly minRelevance?: number
  /** Default: {@link NOW}. */
  readonly now?: Date
  readonly embedder?: Embedder
  readonly weights?: Partial<Weights>
}

/** The plugin's own defaults, for what is not in the settings. */
export function memoryOn(db: Database, ranking: Ranking, settings: MemorySettings = {}): FactStore {
  return createFactStore({
    ...vectorsOn(db),
    ...(settings.embedder && { embedder: settings.embedder }),
    clock: stopped(settings.now ?? NOW),
    settings: {
      ranking,
      ...(settings.weights && { weights: settings.weights }),
      halfLifeMs: 30 * 86_400_000,
      floor: settings.floor ?? 0.9,
      minRelevance: settings.minRelevance ?? (ranking === 'classic' ? 0.05 : MIN_RELEVANCE),
      limit: 8,
      forgetBelow: 0.05,
      maxPerChannel: 1_000,
    },
    embedLater: async () => {},
  })
}

/** Adds vectors to all items without one of this model. Default: the model of {@link memoryOn}. */
export function embedAll(db: Database, embedder?: Embedder): Promise<void> {
  return embedItems({ ...vectorsOn(db), ...(embedder && { embedder }) })
}

function vectorsOn(db: Database): EmbedDeps {
  const index = pgvectorIndex(db)
  const models = createModels({ models: { chat: offline() }, clock, random: Math.random, log: benchLog })
  return { db, log: messageLogOf(db), embedder: createEmbedder({ models, clock, log: benchLog }), vectors: () => index }
}

export function place(channel: string, visibility: Conversation['visibility'], workspace = 'team'): Conversation {
  const where = { platform: 'bench', workspace, channel, name: channel, visibility }
  return { ...where, id: conversationId(where) }
}

export function daysAgo(days: number, now = NOW): Date {
  return new Date(now.getTime() - days * 86_400_000)
}
