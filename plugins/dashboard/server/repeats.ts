/** Counts equal refused requests, so that an attacker cannot fill the list of changes. */
import type { Clock } from 'kikimimi'
import type { NewChange } from './changes.ts'

/** Milliseconds. Equal requests within this time are counted together. */
const TOGETHER = 60 * 60_000

export interface Repeats {
  /** Whether it is the first one of its kind in this hour. Others are counted, and kept as one change when the hour is over. */
  isFirst(kind: string, change: NewChange): boolean
  /** Keeps what was counted. */
  end(): Promise<void>
}

export function createRepeats(
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>,
  keep: (change: NewChange) => Promise<void>,
): Repeats {
  const open = new Map<string, { times: number; last: NewChange; readonly timer: ReturnType<Clock['setTimeout']> }>()

  async function close(kind: string): Promise<void> {
    const counted = open.get(kind)
    open.delete(kind)
    if (!counted) return
    clock.clearTimeout(counted.timer)
    if (counted.times > 0) await keep({ ...counted.last, times: counted.times })
  }

  return {
    isFirst(kind, change) {
      const counted = open.get(kind)
      if (counted) {
        counted.times++
        counted.last = change
        return false
      }
      open.set(kind, { times: 0, last: change, timer: clock.setTimeout(() => void close(kind), TOGETHER) })
      return true
    },
    async end() {
      await Promise.all([...open.keys()].map(close))
    },
  }
}
