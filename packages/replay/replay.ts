/**
 * Pushes chat logs through the real pipeline on a virtual clock: what would this bot have done here? Messages
 * and jobs are kept in memory, models are the offline one, so the same logs give the same counts.
 *
 * With `seating`, a member of the channel is taken for the bot. The member's lines are the bot's past, and what
 * they answer is what a considerate participant answered: see `replay/scores.ts` for what is measured by it.
 */
import { startBot } from 'kikimimi'
import type { ChatLog } from './chat-log.ts'
import { type Replayed, type ReplayOptions, replayLogs } from './run.ts'

export type { ReplayCounts, Replayed, ReplayOptions } from './run.ts'

/** Throws LOG_FILE_INVALID for a file that is no chat log, USAGE for a member who is not there. */
export function replay(logs: readonly ChatLog[], options: ReplayOptions): Promise<Replayed> {
  return replayLogs(logs, { ...options, start: startBot })
}
