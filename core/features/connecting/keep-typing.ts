import type { Clock } from '../../base/clock.ts'

/**
 * For {@link Platform.typing} where an indicator ends by itself: shows it again until the returned function is called or the signal
 * aborts. A failed call ends it, without a retry.
 * @param everyMs shorter than the platform shows it
 */
export function keepTyping(clock: Clock, everyMs: number, show: () => Promise<unknown>, signal: AbortSignal): () => void {
  const timer = clock.setInterval(() => void begin(), everyMs)
  const end = () => {
    clock.clearInterval(timer)
    signal.removeEventListener('abort', end)
  }
  const begin = () => show().catch(end)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  else void begin()
  return end
}
