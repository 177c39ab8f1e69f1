import type { Clock } from 'kikimimi'

/** Discord shows typing for ten seconds. */
const RENEW_MS = 8_000

/** Shows typing until the returned function is called or the signal aborts. A failed call ends it, without a retry. */
export function keepTyping(clock: Clock, show: () => Promise<unknown>, signal: AbortSignal): () => void {
  const timer = clock.setInterval(() => void begin(), RENEW_MS)
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
