import type { Clock } from './clock.ts'

/** A time limit for one call. */
export interface Deadline {
  /** The clock that measures the limit. */
  readonly clock: Clock
  /** The limit in milliseconds. */
  readonly ms: number
  /** The error of the rejection when the time is over. */
  readonly late: () => Error
  /** Aborts the call before its limit. Absent: only the limit ends it. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs until the call is done, late or cancelled, whichever is first. It works for calls that ignore their signal. A
 * promise that settles after that has no effect.
 */
export async function withTimeout<T>(
  { clock, ms, late, signal }: Deadline,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  const ended = new AbortController()
  const { promise: ending, reject } = Promise.withResolvers<never>()
  const end = (error: unknown) => {
    ended.abort(error)
    reject(error)
  }
  const timer = clock.setTimeout(() => end(late()), ms)
  const aborted = () => end(signal?.reason)
  signal?.addEventListener('abort', aborted, { once: true })
  try {
    return await Promise.race([run(ended.signal), ending])
  } finally {
    clock.clearTimeout(timer)
    signal?.removeEventListener('abort', aborted)
  }
}
