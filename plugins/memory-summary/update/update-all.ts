/** Updates all due memories, one after the other. */
import type { PluginContext } from 'kikimimi'
import { dueMemories } from './due.ts'
import type { UpdateSettings } from './settings.ts'
import type { UpdateOne } from './update-one.ts'

/** The rest waits for the next run, because a long job counts as dead. */
const LONGEST_MS = 5 * 60_000

/** Pause before what is still due is tried again, such as after a failure of the model. */
const PAUSE_MS = 60_000

/** The returned function returns when the next memory is due. */
export function createUpdate(
  ctx: PluginContext,
  options: UpdateSettings,
  updateOne: UpdateOne,
): (signal: AbortSignal) => Promise<Date | undefined> {
  const { db, clock } = ctx

  const due = () => dueMemories(db, new Date(clock.now()), options)

  async function update(memories: readonly string[], signal: AbortSignal): Promise<void> {
    const start = clock.now()
    for (const memory of memories) {
      if (signal.aborted || clock.now() - start > LONGEST_MS) return
      try {
        if (!(await updateOne(memory, signal))) return
      } catch (error) {
        if (signal.aborted) return
        throw error
      }
    }
  }

  return async signal => {
    const before = await due()
    if (before.now.length === 0) return before.next
    await update(before.now, signal)
    const left = await due()
    return left.now.length > 0 ? new Date(clock.now() + PAUSE_MS) : left.next
  }
}
