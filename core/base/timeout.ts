import type { Clock } from './clock.ts'

/** A limit of time for one call. */
export interface Deadline {
  /** The clock that measures the limit. */
  readonly clock: Clock
  /** The limit in milliseconds. */
  readonly ms: number
  /** What it rejects with when the time is up. */
  readonly late: () => Error
  /** Aborts the call before its limit. Absent: only the limit ends it. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs until done, late or called off, whichever is first. For callees that ignore their signal: the promise they
 * leave behind may still settle, and nobody hears of it.
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
