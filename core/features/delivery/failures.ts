/** What a failed call of a platform means. */
import { KikimimiError } from '../../base/errors.ts'
import { retryAfterMs } from '../../base/retry-after.ts'
import { isUnanswered } from '../../base/unanswered.ts'

/** Somebody deleted the message that gets a text. */
export class MessageDeleted extends KikimimiError {
  constructor() {
    super('PLATFORM_REFUSED', 'the message was deleted')
  }
}

/** The answer was taken by another process, or it is not wanted any more. */
export class NotWanted extends KikimimiError {
  constructor() {
    super('SEND_FAILED', 'the answer is not wanted any more')
  }
}

/** Whether a call may succeed later. */
export function mayPass(error: unknown): boolean {
  return isResultUnknown(error) || retryAfterMs(error) !== undefined
}

/** Whether a failed send may have posted the message all the same. */
export function isResultUnknown(error: unknown): boolean {
  return isUnanswered(error) || (error instanceof KikimimiError && error.code === 'PLATFORM_UNAVAILABLE')
}
