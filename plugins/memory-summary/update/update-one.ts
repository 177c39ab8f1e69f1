/** Updates what no new message brings: recent events that have become history, and the memory of a workspace. */
import { BATCH_ATTEMPTS, createFailureTracker, type Database, type ErrorCode, modelFailure, type PluginContext } from 'kikimimi'
import { findMemory, type PlacedMemory, writeHistory } from '../storage/memories.ts'
import { keepFailure } from './failures.ts'
import { limit } from './limit.ts'
import type { UpdateSettings } from './settings.ts'
import { newsOf, passOver, writeWorkspace } from './workspace.ts'
import type { Writer } from './writer.ts'

/** Returns whether the model is up. A failure is stored, and nothing is thrown. */
export type UpdateOne = (id: string, signal: AbortSignal) => Promise<boolean>

export function createUpdateOne(ctx: PluginContext, options: UpdateSettings, writer: Writer): UpdateOne {
  const { db, clock, log } = ctx
  const blame = createFailureTracker()
  const now = () => new Date(clock.now())
  const isOver = (at: Date, ms: number) => clock.now() - at.getTime() >= ms

  /** Calls the model. `never`: the model will not do it. */
  async function ask<T>(memory: PlacedMemory, signal: AbortSignal, run: () => Promise<T>) {
    try {
      const made = await run()
      blame.worked()
      return { made }
    } catch (error) {
      signal.throwIfAborted()
      const code: ErrorCode = modelFailure(error)
      const refused = blame.refused(code)
      log.warn(`a memory could not be updated: ${code}`, { memory: memory.id })
      await keepFailure(db, memory, refused, now())
      if (!refused) return 'down'
      return memory.refusals + 1 >= BATCH_ATTEMPTS ? 'never' : 'later'
    }
  }

  /** Merges recent events into the history; without a model if there is no history, or if the model fails. */
  async function fold(memory: PlacedMemory, signal: AbortSignal): Promise<boolean> {
    const joined = limit([memory.history, memory.recent].filter(Boolean).join('\n'), options.historyTokens)
    if (memory.history === '') await writeHistory(db, memory, joined)
    else {
      const asked = await ask(memory, signal, () => writer.history(memory, signal))
      if (asked === 'later' || asked === 'down') return asked === 'later'
      await writeHistory(db, memory, asked === 'never' ? joined : asked.made)
    }
    return true
  }

  async function readChannels(memory: PlacedMemory, signal: AbortSignal): Promise<boolean> {
    const asOf = now()
    const sources = await newsOf(db, memory)
    const asked = sources.length > 0 ? await ask(memory, signal, () => writer.workspace(memory, sources, signal)) : 'never'
    if (asked === 'later' || asked === 'down') return asked === 'later'
    if (asked === 'never') await passOver(db, memory, asOf)
    else await writeWorkspace(db, memory, asked.made, sources, asOf)
    return true
  }

  return async (id, signal) => {
    const isWaiting = ({ retry_at }: PlacedMemory) => retry_at !== null && retry_at.getTime() > clock.now()
    const isOld = ({ recent_since }: PlacedMemory) => recent_since !== null && isOver(recent_since, options.foldAfter)
    const memory = await findMemory(db, id)
    if (!memory || isWaiting(memory) || (await isForgetting(db, id))) return true
    if (isOld(memory) && !(await fold(memory, signal))) return false
    if (memory.kind !== 'workspace') return true
    const folded = await findMemory(db, id)
    if (!folded || isWaiting(folded)) return true
    const isDue = isOld(memory) || !folded.updated_at || isOver(folded.updated_at, options.workspaceEvery)
    return isDue ? readChannels(folded, signal) : true
  }
}

/** Whether a person on the platform of a memory is being erased. Until then no summary is made from others. */
async function isForgetting(db: Database, memory: string): Promise<boolean> {
  const { rows } = await db.query<{ forgetting: boolean }>('select kikimimi_v1.is_forgetting($1) as forgetting', [memory])
  return rows[0]?.forgetting === true
}
