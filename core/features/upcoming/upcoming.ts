/** Turns that wait for their time, and delayed answers. */

import type { Upcoming, UpcomingTurn } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import type { Conversations } from '../../kernel/turns/conversations.ts'
import type { Store } from '../../storage/store/store.ts'
import type { Delayed, WaitingTurn } from '../../storage/store/turn-store.ts'
import type { TurnQueue } from '../../storage/turns/turn-queue.ts'

export interface UpcomingOptions {
  readonly queue: Pick<TurnQueue, 'schedule' | 'waiting'>
  readonly store: Pick<Store, 'overtaken' | 'markProcessed'>
  readonly clock: Clock
  readonly conversations: Pick<Conversations, 'cancelled'>
}

/** Largest number of listed turns. */
const LISTED = 200

export function createUpcoming({ queue, store, clock, conversations }: UpcomingOptions): Upcoming {
  /** A delayed answer that a newer message cancels is listed as a normal turn. */
  async function current(waiting: readonly WaitingTurn[]): Promise<readonly WaitingTurn[]> {
    const marks = waiting.flatMap(({ conversation, delayed }) => (delayed ? [{ conversation, lastSeq: delayed.lastSeq }] : []))
    const overtaken = marks.length > 0 ? await store.overtaken(marks) : new Set()
    return waiting.map(({ delayed, ...turn }) => ({
      ...turn,
      ...(delayed && !overtaken.has(turn.conversation) && { delayed }),
    }))
  }

  const toUpcoming = ({ at, conversation, delayed }: WaitingTurn): UpcomingTurn => ({
    conversation,
    at,
    ...(delayed && { decision: delayed.decision }),
  })

  async function answerIn(conversation: string): Promise<{ readonly vary: number; readonly delayed: Delayed } | undefined> {
    const [turn] = await current(await queue.waiting({ in: conversation, limit: 1 }))
    return turn?.delayed && { vary: turn.vary, delayed: turn.delayed }
  }

  return {
    async list(channel) {
      return (await current(await queue.waiting({ ...(channel !== undefined && { under: channel }), limit: LISTED }))).map(
        toUpcoming,
      )
    },

    async answers() {
      const turns = await current(await queue.waiting({ delayed: true, limit: LISTED }))
      return turns.filter(({ delayed }) => delayed).map(toUpcoming)
    },

    async cancel(conversation) {
      const answer = await answerIn(conversation)
      // Its turn can have begun meanwhile and have claimed the batch.
      if (!answer || !(await store.markProcessed(conversation, answer.delayed.lastSeq))) return false
      conversations.cancelled(conversation, answer.delayed.lastSeq)
      // The turn takes what came after the answer was decided.
      await queue.schedule(conversation, { at: clock.now(), vary: answer.vary }, 'instead')
      return true
    },

    async runNow(conversation) {
      const answer = await answerIn(conversation)
      const at = clock.now()
      if (answer) {
        const { vary, delayed } = answer
        await queue.schedule(conversation, { at, vary, delayed: { ...delayed, at }, urgent: true }, 'instead')
      }
      return answer !== undefined
    },
  }
}
