/** What is about to happen: looks that wait for their time, and answers that were decided on and delayed. */
import type { Clock } from '../clock.ts'
import type { Jobs, WaitingJob } from '../jobs.ts'
import type { Upcoming, UpcomingTurn } from '../operator.ts'
import type { Store } from '../store.ts'
import type { Delayed } from './turns.ts'

/** What a look job carries. */
export interface LookPayload {
  readonly conversation: string
  readonly settleMs: number
  readonly delayed?: Delayed
}

export interface UpcomingOptions {
  readonly jobs: Pick<Jobs, 'schedule' | 'waiting'>
  readonly store: Pick<Store, 'since' | 'settle'>
  readonly clock: Clock
}

/** More of it nobody reads. */
const LISTED = 200

export function createUpcoming({ jobs, store, clock }: UpcomingOptions): Upcoming {
  /** A newer message calls a delayed answer off: then it is a look like others. */
  async function delayedIn({ conversation, delayed }: LookPayload): Promise<Delayed | undefined> {
    if (!delayed) return undefined
    const news = await store.since(conversation, delayed.upto)
    return news.every(({ missed }) => missed) ? delayed : undefined
  }

  /** Only looks wait under this kind. */
  const payloadOf = ({ payload }: WaitingJob) => payload as LookPayload

  async function answerIn(conversation: string): Promise<{ payload: LookPayload; upto: number } | undefined> {
    const waiting = await jobs.waiting('look', { under: conversation, limit: LISTED })
    const job = waiting.find(({ key }) => key === conversation)
    const delayed = job && (await delayedIn(payloadOf(job)))
    return delayed && { payload: payloadOf(job), upto: delayed.upto }
  }

  /** In the place of what waits. Never cancelled: a message that arrives meanwhile relies on a look. */
  const lookNow = (payload: LookPayload, urgent: boolean) =>
    jobs.schedule('look', payload, { at: new Date(clock.now()), key: payload.conversation, urgent })

  return {
    async list(channel) {
      const waiting = await jobs.waiting('look', { ...(channel !== undefined && { under: channel }), limit: LISTED })
      const turns = waiting.map(async (job): Promise<UpcomingTurn> => {
        const { conversation } = payloadOf(job)
        const delayed = await delayedIn(payloadOf(job))
        return { conversation, at: job.at, ...(delayed && { decision: delayed.decision }) }
      })
      return Promise.all(turns)
    },

    async callOff(conversation) {
      const answer = await answerIn(conversation)
      if (!answer) return false
      await store.settle(conversation, answer.upto)
      const { delayed: _, ...payload } = answer.payload
      await lookNow(payload, false)
      return true
    },

    async hasten(conversation) {
      const answer = await answerIn(conversation)
      if (answer) await lookNow(answer.payload, true)
      return answer !== undefined
    },
  }
}
