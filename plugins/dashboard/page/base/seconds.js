/** The current time. */
import { useEffect, useState } from './html.js'

/** The time, updated each second while `isWaiting` is true. @param {(now: number) => boolean} isWaiting */
export function useSeconds(isWaiting) {
  const [now, setNow] = useState(Date.now())
  const waits = isWaiting(now)
  useEffect(() => {
    if (!waits) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [waits])
  return now
}
