/** What is about to happen: looks that wait for their time, and answers that were decided on and delayed. */

import type { Upcoming, UpcomingTurn } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import type { Delayed, Turns } from '../../kernel/turns/turns.ts'
import type { Jobs, WaitingJob } from '../../storage/jobs/jobs.ts'
import type { Store } from '../../storage/store/store.ts'

/** What a look job carries. */
export interface TurnJob {
  readonly conversation: string
  readonly debounceMs: number
  readonly delayed?: Delayed
}

export interface UpcomingOptions {
  readonly jobs: Pick<Jobs, 'schedule' | 'waiting'>
  readonly store: Pick<Store, 'overtaken' | 'markProcessed'>
  readonly clock: Clock
  /** Hears of an answer that was called off: its turn may have begun. Known once every plugin is set up. */
  conversations(): Pick<Turns, 'cancelled'> | undefined
}

/** More of it nobody reads. */
const LISTED = 200

export function createUpcoming({ jobs, store, clock, conversations }: UpcomingOptions): Upcoming {
  /** A newer message calls a delayed answer off: then it is a look like others. */
  async function turnsOf(waiting: readonly WaitingJob[]): Promise<readonly WaitingTurn[]> {
    const payloads = waiting.map(payloadOf)
    const marks = payloads.flatMap(({ conversation, delayed }) => (delayed ? [{ conversation, lastSeq: delayed.lastSeq }] : []))
    const overtaken = marks.length > 0 ? await store.overtaken(marks) : new Set()
    return waiting.map(job => {
      const { delayed, ...look } = payloadOf(job)
      return { at: job.at, look, ...(delayed && !overtaken.has(look.conversation) && { delayed }) }
    })
  }

  /** Only looks wait under this kind. */
  const payloadOf = ({ payload }: WaitingJob) => payload as TurnJob

  const toUpcoming = ({ at, look: { conversation }, delayed }: WaitingTurn): UpcomingTurn => ({
    conversation,
    at,
    ...(delayed && { decision: delayed.decision }),
  })

  async function answerIn(conversation: string): Promise<Required<WaitingTurn> | undefined> {
    const [turn] = await turnsOf(await jobs.waiting('turn', { key: conversation, limit: 1 }))
    return turn?.delayed && { ...turn, delayed: turn.delayed }
  }

  /** In the place of what waits. Never cancelled: a message that arrives meanwhile relies on a look. */
  const lookNow = (payload: TurnJob, urgent: boolean) =>
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
      // Its turn may have begun since, and have been faster.
      if (!answer || !(await store.markProcessed(conversation, answer.delayed.lastSeq))) return false
      conversations()?.cancelled(conversation, answer.delayed.lastSeq)
      await lookNow(answer.look, false)
      return true
    },

    async runNow(conversation) {
      const answer = await answerIn(conversation)
      if (answer) await lookNow({ ...answer.look, delayed: answer.delayed }, true)
      return answer !== undefined
    },
  }
}

interface WaitingTurn {
  readonly at: Date
  readonly look: Omit<TurnJob, 'delayed'>
  /** The answer, where it is still meant to be given. */
  readonly delayed?: Delayed
}
