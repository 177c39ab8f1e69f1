/** The time as it passes. */
import { useEffect, useState } from './html.js'

/** The time, each second, while something is being waited for. @param {(now: number) => boolean} isWaiting */
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
