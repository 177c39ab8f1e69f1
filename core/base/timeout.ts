import type { Clock } from './clock.ts'

export interface Deadline {
  readonly clock: Clock
  readonly ms: number
  /** What it rejects with when the time is up. */
  readonly late: () => Error
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
