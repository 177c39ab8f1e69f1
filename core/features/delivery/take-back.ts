/** Deletes answers that people have seen in part and that will not be finished. */
import type { Conversation, Platform, Posted } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { retryAfterMs } from '../../base/retry-after.ts'
import { withTimeout } from '../../base/timeout.ts'
import { isAway } from '../../storage/database/unavailable.ts'
import type { Store, Unfinished } from '../../storage/store/store.ts'
import { mayPass } from './failures.ts'

/** The text of an unfinished answer that a platform refuses to delete. */
const CUT = '…'

/** Milliseconds before a deletion is tried again, and after the time limit of the answer when it is given up. */
const RETRY = 30_000
const LIMIT = 60 * 60_000

export interface TakeBackOptions {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  /** Milliseconds that a platform has for one message. */
  readonly deadlineMs: number
  /** The message of an earlier attempt. */
  find(platform: Platform, conversation: Conversation, delivery: Unfinished, signal: AbortSignal): Promise<Posted | undefined>
}

/** Deletes what may be posted of an unwanted delivery. Resolves with when to try again, if that failed. */
export type TakeBack = (
  platform: Platform,
  conversation: Conversation,
  delivery: Unfinished,
  signal: AbortSignal,
) => Promise<number | undefined>

export function createTakeBack({ store, clock, log, deadlineMs, find }: TakeBackOptions): TakeBack {
  /** Deletes a message, or empties one that the platform refuses to delete. */
  async function erase(platform: Platform, conversation: Conversation, message: string, signal: AbortSignal): Promise<void> {
    try {
      await platform.delete?.(conversation, message, signal)
      await store.retract(conversation, message, new Date(clock.now()))
    } catch (error) {
      if (isAway(error) || mayPass(error) || !(await platform.edit?.(conversation, message, { text: CUT }, signal))) throw error
      await store.rewrite(conversation, message, CUT, new Date(clock.now()))
    }
  }

  return async (platform, conversation, delivery, signal) => {
    const { nonce, until } = delivery
    const late = () => new KikimimiError('PLATFORM_UNAVAILABLE', `${platform.name} deleted no message within ${deadlineMs} ms`)
    await store.withdraw(nonce, new Date(clock.now()))
    try {
      await withTimeout({ clock, ms: deadlineMs, late, signal }, async inTime => {
        const message = delivery.message ?? (await find(platform, conversation, delivery, inTime))?.id
        if (message !== undefined) await erase(platform, conversation, message, inTime)
      })
      await store.giveUp(nonce, 'failed')
      return undefined
    } catch (error) {
      if (isAway(error)) throw error
      // The bot stops: its next start tries again.
      const retryAt = clock.now() + (signal.aborted ? 0 : (retryAfterMs(error) ?? RETRY))
      // A refusal too: an admin may give the permission back.
      const isOver = until === undefined || retryAt > until.getTime() + LIMIT
      log.warn(`could not delete an unfinished answer: ${reason(error)}`, {
        conversation: conversation.id,
        platform: platform.name,
      })
      if (isOver) await store.giveUp(nonce, 'lost')
      else await store.postpone(nonce, 'unwanted', new Date(retryAt))
      return isOver ? undefined : retryAt
    }
  }
}
