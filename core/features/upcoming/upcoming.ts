/** Turns that wait for their time, and delayed answers. */

import type { Upcoming, UpcomingTurn } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import type { Conversations, TurnJob } from '../../kernel/turns/conversations.ts'
import type { Delayed } from '../../kernel/turns/turns.ts'
import type { Jobs, WaitingJob } from '../../storage/jobs/jobs.ts'
import type { Store } from '../../storage/store/store.ts'

export interface UpcomingOptions {
  readonly jobs: Pick<Jobs, 'schedule' | 'waiting'>
  readonly store: Pick<Store, 'overtaken' | 'markProcessed'>
  readonly clock: Clock
  readonly conversations: Pick<Conversations, 'cancelled'>
}

/** Largest number of listed turns. */
const LISTED = 200

export function createUpcoming({ jobs, store, clock, conversations }: UpcomingOptions): Upcoming {
  /** A delayed answer that a newer message cancels is listed as a normal turn. */
  async function turnsOf(waiting: readonly WaitingJob[]): Promise<readonly WaitingTurn[]> {
    const payloads = waiting.map(payloadOf)
    const marks = payloads.flatMap(({ conversation, delayed }) => (delayed ? [{ conversation, lastSeq: delayed.lastSeq }] : []))
    const overtaken = marks.length > 0 ? await store.overtaken(marks) : new Set()
    return waiting.map(job => {
      const { delayed, ...turn } = payloadOf(job)
      return { at: job.at, turn, ...(delayed && !overtaken.has(turn.conversation) && { delayed }) }
    })
  }

  /** All jobs of this kind are turns. */
  const payloadOf = ({ payload }: WaitingJob) => payload as TurnJob

  const toUpcoming = ({ at, turn: { conversation }, delayed }: WaitingTurn): UpcomingTurn => ({
    conversation,
    at,
    ...(delayed && { decision: delayed.decision }),
  })

  async function answerIn(conversation: string): Promise<Required<WaitingTurn> | undefined> {
    const [turn] = await turnsOf(await jobs.waiting('turn', { key: conversation, limit: 1 }))
    return turn?.delayed && { ...turn, delayed: turn.delayed }
  }

  /** Replaces the waiting turn. It is never removed: a message that arrives meanwhile relies on it. */
  const runTurn = (payload: TurnJob, urgent: boolean) =>
    jobs.schedule('turn', payload, { at: new Date(clock.now()), key: payload.conversation, urgent })

  return {
    async list(channel) {
      const waiting = await jobs.waiting('turn', { ...(channel !== undefined && { under: channel }), limit: LISTED })
      return (await turnsOf(waiting)).map(toUpcoming)
    },

    async answers() {
      const turns = await turnsOf(await jobs.waiting('turn', { having: 'delayed', limit: LISTED }))
      return turns.filter(({ delayed }) => delayed).map(toUpcoming)
    },

    async cancel(conversation) {
      const answer = await answerIn(conversation)
      // Its turn can have begun meanwhile and have claimed the batch.
      if (!answer || !(await store.markProcessed(conversation, answer.delayed.lastSeq))) return false
      conversations.cancelled(conversation, answer.delayed.lastSeq)
      await runTurn(answer.turn, false)
      return true
    },

    async runNow(conversation) {
      const answer = await answerIn(conversation)
      if (answer) await runTurn({ ...answer.turn, delayed: answer.delayed }, true)
      return answer !== undefined
    },
  }
}

interface WaitingTurn {
  readonly at: Date
  readonly turn: Omit<TurnJob, 'delayed'>
  /** The delayed answer, unless a newer message has cancelled it. */
  readonly delayed?: Delayed
}
