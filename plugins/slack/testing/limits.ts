/** Slack's rate limits: https://docs.slack.dev/apis/web-api/rate-limits */
import type { Arguments } from './methods.ts'

export interface LimitOptions {
  /** Posts in one channel at once, before there is one a second. */
  readonly burst: number
  /** Seconds between two calls of a method that reads history, for distributed apps. Absent: no limit. */
  readonly historyEvery?: number | undefined
}

/** Messages per call for distributed apps. */
export const DISTRIBUTED_PAGE = 15

/** Seconds that the call has to wait; nothing when Slack takes it. Each workspace has its own limits. */
export type Limits = (method: string, args: Arguments, team: string) => number | undefined

const HISTORY: ReadonlySet<string> = new Set(['conversations.history', 'conversations.replies'])

export function createLimits({ burst, historyEvery }: LimitOptions): Limits {
  /** When each bucket is full again, in milliseconds. */
  const full = new Map<string, number>()

  function take(bucket: string, size: number, everyMs: number): number | undefined {
    const now = Date.now()
    const at = Math.max(full.get(bucket) ?? 0, now) + everyMs
    const late = at - now - size * everyMs
    if (late > 0) return Math.ceil(late / 1_000)
    full.set(bucket, at)
    return undefined
  }

  return (method, { channel = '' }, team) => {
    if (method === 'chat.postMessage') return take(`${team} ${method} ${channel}`, burst, 1_000)
    if (historyEvery !== undefined && HISTORY.has(method)) return take(`${team} ${method}`, 1, historyEvery * 1_000)
    return undefined
  }
}
