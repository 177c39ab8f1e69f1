/**
 * Passes chat logs through the real pipeline on a virtual clock, and counts what this bot would have done. Messages and
 * jobs are in memory and the model is the offline one, so the same logs give the same counts.
 * With `seating`, the bot takes the seat of a member of the channel. The member's lines are the bot's history, and the
 * messages that they answer are those that a considerate participant answers: `scores.ts` describes the metrics.
 */
import { startBot } from 'kikimimi'
import type { ChatLog } from './logs/chat-log.ts'
import { type Replayed, type ReplayOptions, replayLogs } from './run.ts'

export type { ReplayCounts, Replayed, ReplayOptions } from './run.ts'

/** Throws LOG_FILE_INVALID for a file that is no chat log, USAGE for an unknown member. */
export function replay(logs: readonly ChatLog[], options: ReplayOptions): Promise<Replayed> {
  return replayLogs(logs, { ...options, start: startBot })
}
