/** Asks a model that may be late. */
import { type Clock, sleep } from 'kikimimi'

/**
 * What `ask` resolves with, or undefined if that takes longer. The signal that it gets is aborted then, and with the signal of the
 * caller. Rejects if `ask` does.
 */
export async function withDeadline<T>(
  clock: Clock,
  deadlineMs: number,
  ask: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const late = new AbortController()
  const ended = signal ? AbortSignal.any([signal, late.signal]) : late.signal
  const deadline = sleep(clock, deadlineMs, late.signal).then(
    () => undefined,
    () => undefined,
  )
  try {
    return await Promise.race([ask(ended), deadline])
  } finally {
    late.abort()
  }
}
