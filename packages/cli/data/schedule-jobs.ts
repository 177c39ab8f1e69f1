/** Schedules the waiting jobs of a backup. */
import type { Bot, DecisionToSpeak } from 'kikimimi'
import type { WaitingJob } from './dump.ts'

/** The payload of a turn in backups of the versions in which turns were jobs. */
interface TurnJob {
  readonly conversation: string
  readonly vary: number
  readonly delayed?: { readonly decision: DecisionToSpeak; readonly lastSeq: number }
}

export async function scheduleJobs({ jobs, turns }: Pick<Bot, 'jobs' | 'turns'>, waiting: readonly WaitingJob[]): Promise<void> {
  for (const { kind, key, payload, at, urgent } of waiting) {
    if (kind === 'turn') await scheduleTurn(turns, payload as TurnJob, { at: Date.parse(at), urgent })
    else await jobs.schedule(kind, payload, { at: new Date(at), urgent, ...(key !== null && { key }) })
  }
}

async function scheduleTurn(
  turns: Bot['turns'],
  { conversation, vary, delayed }: TurnJob,
  { at, urgent }: { readonly at: number; readonly urgent: boolean },
): Promise<void> {
  await turns.schedule(conversation, { at, vary, urgent, ...(delayed && { delayed: { ...delayed, at } }) }, 'sooner')
}
