import { KikimimiError, sleep } from 'kikimimi'
import type { PlatformContext } from 'kikimimi/platform'
import { isOfCall, sentence, unreachable } from './errors.ts'

const FIRST_WAIT = 500
const LONGEST_WAIT = 10_000
/** Milliseconds. The kernel's deadline for a platform is a minute; a lasting error must be reported before it. */
const PATIENCE = 45_000

/** Tries to log in until Discord responds. Throws a KikimimiError with the remedy, at once if a retry cannot help. */
export async function retryWhileUnavailable<T>(
  { clock, log, random }: Pick<PlatformContext, 'clock' | 'log' | 'random'>,
  { apiUrl, signal }: { readonly apiUrl: string | undefined; readonly signal: AbortSignal },
  attempt: (msLeft: number) => Promise<T>,
): Promise<T> {
  const deadline = clock.now() + PATIENCE
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    try {
      return await attempt(Math.max(1, deadline - clock.now()))
    } catch (error) {
      signal.throwIfAborted()
      // A refused call may succeed later.
      if (error instanceof KikimimiError && !isOfCall(error)) throw error
      if (clock.now() + wait >= deadline) throw unreachable(error, apiUrl)
      log.warn(`could not log in, trying again: ${sentence(error)}`)
      await sleep(clock, wait * (0.75 + random() / 2), signal)
    }
  }
}
