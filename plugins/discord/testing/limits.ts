/** Rate limits with buckets and headers. https://discord.com/developers/docs/topics/rate-limits */
import { type Answer, tooEarly } from './answers.ts'
import { patternOf } from './faults.ts'

export interface Limit {
  /** Calls of one channel in the given time. */
  readonly calls: number
  readonly ms: number
}

export interface Limits {
  planAll(limit: Limit): void
  plan(route: string, limit: Limit): void
  /** The headers of a call, and its refusal. Nothing for a route without a limit. */
  take(
    method: string,
    path: string,
  ): { readonly headers: Readonly<Record<string, string>>; readonly refusal?: Answer } | undefined
}

export function createLimits(): Limits {
  const planned: { readonly route: string; readonly pattern: RegExp; readonly limit: Limit }[] = []
  const buckets = new Map<string, { left: number; readonly until: number }>()
  let whole: Limit | undefined
  /** When the latest calls came, oldest first. */
  let taken: number[] = []

  /** The refusal of a call that exceeds the limit of all calls, in any second. */
  function takeWhole(path: string): ReturnType<Limits['take']> {
    if (!whole || /^\/(?:interactions|webhooks)\//.test(path)) return undefined
    const now = Date.now()
    const { calls, ms } = whole
    taken = taken.filter(at => now - at < ms)
    const first = taken.at(-calls)
    if (first === undefined) {
      taken.push(now)
      return undefined
    }
    const refusal = tooEarly(first + ms - now, { message: 'You are being rate limited.' })
    const body = { ...(refusal.body as object), global: true }
    return { headers: { 'X-RateLimit-Global': 'true', 'X-RateLimit-Scope': 'global' }, refusal: { ...refusal, body } }
  }

  return {
    planAll(limit) {
      whole = limit
    },

    plan: (route, limit) => void planned.push({ route, pattern: patternOf(route), limit }),

    take(method, path) {
      const refused = takeWhole(path)
      if (refused) return refused
      const found = planned.find(({ pattern }) => pattern.test(`${method} ${path}`))
      if (!found) return undefined
      const { route, limit } = found
      const [, major = ''] = /^\/\w+\/(\w+)/.exec(path) ?? []
      const key = `${route} ${major}`
      const known = buckets.get(key)
      const bucket = known && known.until > Date.now() ? known : { left: limit.calls, until: Date.now() + limit.ms }
      buckets.set(key, bucket)
      const isRefused = bucket.left === 0
      if (!isRefused) bucket.left--
      const left = Math.max(1, bucket.until - Date.now())
      const headers = {
        'X-RateLimit-Limit': String(limit.calls),
        'X-RateLimit-Remaining': String(bucket.left),
        'X-RateLimit-Reset': String(bucket.until / 1_000),
        'X-RateLimit-Reset-After': String(left / 1_000),
        'X-RateLimit-Bucket': route.replace(/\W+/g, '-'),
      }
      if (!isRefused) return { headers }
      const { headers: more, ...refusal } = tooEarly(left, { message: 'You are being rate limited.' })
      return { headers: { ...headers, ...more, 'X-RateLimit-Scope': 'user' }, refusal }
    },
  }
}
