/** Calls of Discord's API, with retries. */
import { RateLimitError, type REST } from 'discord.js'
import { type Clock, KikimimiError, sleep } from 'kikimimi'
import { isTemporary, sentence } from './errors.ts'
import type { RequestLimit } from './limit.ts'

export interface CallsOptions {
  readonly clock: Clock
  readonly random: () => number
}

/** Milliseconds before the second attempt. Each further wait is twice as long. */
const FIRST_WAIT = 250
const ATTEMPTS = 6
/** A longer wait would exceed the kernel's deadline for one message. */
export const LONGEST_WAIT = 20_000
/** Reads of messages that take longer come too late for an answer. */
const SHORT_WAIT = 1_000
/** Milliseconds that a request waits for its turn among all requests of the bot. */
const LONGEST_TURN = 60_000

/**
 * Runs a call, at most six times within about eight seconds. Only for calls that may be repeated, or with `done`.
 * Rejects with an Error whose message has neither token nor text. Its cause is Discord's error.
 */
export type Calls = <T>(run: (signal: AbortSignal) => Promise<T>, signal: AbortSignal, options?: CallOptions<T>) => Promise<T>

export interface CallOptions<T> {
  /**
   * For a call that may not be done twice: looks for what an attempt without a result has done, before the next attempt. Rejects when
   * that cannot be known; the call then rejects with PLATFORM_UNAVAILABLE.
   */
  done?(): Promise<T | undefined>
  /**
   * The longest rate limit to wait for, in milliseconds, besides the wait of discord.js. An error for a longer one has
   * `retryAfterMs`. Default 0.
   */
  readonly longestWait?: number
}

export function createCalls({ clock, random }: CallsOptions): Calls {
  return async (run, signal, { longestWait = 0, done } = {}) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await run(signal)
      } catch (error) {
        signal.throwIfAborted()
        const wait = error instanceof RateLimitError ? error.retryAfter : 0
        if (attempt === ATTEMPTS || wait > longestWait || !isTemporary(error)) {
          // After a failure that may pass, whether Discord did it is unknown.
          const kind = wait === 0 && isTemporary(error) ? 'PLATFORM_UNAVAILABLE' : 'PLATFORM_REFUSED'
          const refused = new KikimimiError(kind, sentence(error), { cause: error })
          throw wait > 0 ? Object.assign(refused, { retryAfterMs: wait }) : refused
        }
        if (wait === 0 && done) {
          const found = await done().catch((cause: unknown) => {
            signal.throwIfAborted()
            throw new KikimimiError('PLATFORM_UNAVAILABLE', `${sentence(error)}; ${sentence(cause)}`, { cause: error })
          })
          if (found !== undefined) return found
        }
        await sleep(clock, wait || FIRST_WAIT * 2 ** (attempt - 1) * (0.75 + random() / 2), signal)
      }
    }
  }
}

/**
 * Settings of discord.js: it waits as long as Discord asks, and leaves retries to {@link Calls}, because its own come
 * within milliseconds, or never after a broken socket.
 */
export function restOptions(
  timeoutMs: number,
  apiUrl: string | undefined,
  limit?: Pick<RequestLimit, 'makeRequest'>,
): Partial<REST['options']> {
  return {
    retries: 0,
    timeout: timeoutMs,
    // The limit counts the time of the request itself, and all clients of the process together.
    ...(limit && { timeout: timeoutMs + LONGEST_TURN, makeRequest: limit.makeRequest, globalRequestsPerSecond: Infinity }),
    // Without Retry-After, a 429 would be repeated at once, without end.
    rejectOnRateLimit: ({ retryAfter, method, route }) =>
      retryAfter <= 0 || retryAfter > (method === 'GET' && route.includes('/messages') ? SHORT_WAIT : LONGEST_WAIT),
    ...(apiUrl && { api: apiUrl.replace(/\/$/, '') }),
  }
}
