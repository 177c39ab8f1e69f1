/** Updates all due memories, one after the other. */
import type { PluginContext } from 'kikimimi'
import { dueMemories } from './due.ts'
import { markHeard } from './heard.ts'
import type { UpdateSettings } from './settings.ts'
import { createUpdateOne } from './update-one.ts'

/** The rest waits for the next run, because a long job counts as dead. */
const LONGEST_MS = 5 * 60_000

export function createUpdate(ctx: PluginContext, options: UpdateSettings) {
  const { db, clock } = ctx
  const updateOne = createUpdateOne(ctx, options)

  async function due(): Promise<readonly string[]> {
    await markHeard(db)
    return dueMemories(db, new Date(clock.now()), options)
  }

  return {
    isDue: async () => (await due()).length > 0,

    async bringUpToDate(_nothing: unknown, signal: AbortSignal): Promise<void> {
      const start = clock.now()
      for (const memory of await due()) {
        if (signal.aborted || clock.now() - start > LONGEST_MS) return
        try {
          if (!(await updateOne(memory, signal))) return
        } catch (error) {
          if (signal.aborted) return
          throw error
        }
      }
    },
  }
}
