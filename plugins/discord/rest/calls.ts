/** Calls to Discord that are tried again while that can help. */
import { RateLimitError, type REST } from 'discord.js'
import { type Clock, KikimimiError, sleep } from 'kikimimi'
import { isTemporary, sentence } from './errors.ts'

export interface CallsOptions {
  readonly clock: Clock
  readonly random: () => number
}

/** Milliseconds before the second try; each further one waits twice as long. */
const FIRST_WAIT = 250
const ATTEMPTS = 6
/** A longer wait that Discord asks for would outlast the kernel's patience for one message. */
export const LONGEST_WAIT = 20_000

/**
 * Runs a call, six times at most within about eight seconds. Only for calls that do no harm when they are made twice.
 * Rejects with an Error whose message holds neither token nor text; its cause is what Discord said.
 */
export type Calls = <T>(run: (signal: AbortSignal) => Promise<T>, signal: AbortSignal) => Promise<T>

export function createCalls({ clock, random }: CallsOptions): Calls {
  return async (run, signal) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run(signal)
      } catch (error) {
        signal.throwIfAborted()
        const toldToWait = error instanceof RateLimitError && error.retryAfter > 0
        if (attempt === ATTEMPTS || toldToWait || !isTemporary(error)) {
          throw new KikimimiError('PLATFORM_REFUSED', sentence(error), { cause: error })
        }
        await sleep(clock, FIRST_WAIT * 2 ** (attempt - 1) * (0.75 + random() / 2), signal)
      }
    }
  }
}

/**
 * How discord.js makes calls for us: it waits where Discord says how long, and leaves every retry to {@link Calls},
 * for its own come within milliseconds, or not at all when the socket broke.
 */
export function restOptions(timeoutMs: number, apiUrl: string | undefined): Partial<REST['options']> {
  return {
    retries: 0,
    timeout: timeoutMs,
    // A 429 without Retry-After would be repeated at once, without end.
    rejectOnRateLimit: ({ retryAfter }) => retryAfter <= 0 || retryAfter > LONGEST_WAIT,
    ...(apiUrl && { api: apiUrl.replace(/\/$/, '') }),
  }
}
