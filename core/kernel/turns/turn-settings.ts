import type { Listen, Settings } from '../../api/config.ts'
import { apologyOf } from '../../api/persona.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { AdaptiveDebounce } from './adaptive-debounce.ts'
import { createPacing, type Pacing } from './pacing.ts'

/** How the bot takes part, by its bot.config.ts. A reload changes it, while nothing arrives and no turn is taken. */
export interface TurnSettings {
  pipeline: Pipeline
  listen: Listen
  pacing: Pacing
  /** Working memory: how many messages, and how long they are remembered. */
  memory: { readonly size: number; readonly ttlMs: number }
  /** Said when answering somebody who addressed the bot fails; nothing when absent. */
  apology: string | undefined
}

/** @param rhythm what is known of the pauses of each conversation */
export function turnSettingsOf(
  settings: Settings,
  pipeline: Pipeline,
  random: () => number,
  rhythm: AdaptiveDebounce,
): TurnSettings {
  const { listen, pacing, memory } = settings
  return {
    pipeline,
    listen,
    pacing: createPacing(pacing, random, rhythm),
    memory: { size: memory.size, ttlMs: memory.ttl },
    apology: apologyOf(settings),
  }
}
