/**
 * Discord's limits of requests, for all processes of a bot. Within one process discord.js keeps the limits of routes, but each of
 * its clients on its own counts the global limit. https://discord.com/developers/docs/topics/rate-limits
 */
import { DefaultRestOptions, type REST } from 'discord.js'
import { type Clock, RecentMap, sleep } from 'kikimimi'

type MakeRequest = REST['options']['makeRequest']

export interface RequestLimit {
  /** Makes a request as soon as the limits allow it. For the options of every REST client of this process. */
  readonly makeRequest: MakeRequest
  /** Sets how many requests a second this process may make. */
  allow(perSecond: number): void
  /** Another process has used up the limit of a route for some milliseconds. */
  hold(route: string, ms: number): void
}

export interface RequestLimitOptions {
  readonly clock: Clock
  /** Time limit of one request, without its wait for the limits, in milliseconds. */
  readonly timeoutMs: number
  /** How many requests a second this process may make at first. */
  readonly perSecond: number
  /** Tells other processes that the limit of a route is used up. */
  usedUp?(route: string, ms: number): void
}

/** Requests a second of one bot. */
export const PER_SECOND = 50
/** A second, with room for rounded times, in milliseconds. */
const SECOND = 1_010
/** Other processes learn of a limit that lasts at least this long, in milliseconds. */
const WORTH_TELLING = 500
const REMEMBERED = 1_000

/** @param send makes one request. Default: that of discord.js */
export function createRequestLimit(
  { clock, timeoutMs, perSecond, usedUp }: RequestLimitOptions,
  send: MakeRequest = DefaultRestOptions.makeRequest,
): RequestLimit {
  let allowed = perSecond
  /** Requests without an answer. Discord receives a request at some time before its answer, so it counts until a second after that. */
  let running = 0
  /** When the latest answers came, oldest first. */
  let answered: number[] = []
  /** Answers go before reads of the history and typing indicators. */
  const waiting: { readonly first: (() => void)[]; readonly later: (() => void)[] } = { first: [], later: [] }
  let pausedUntil = 0
  let timer: unknown
  const heldUntil = new RecentMap<number>(REMEMBERED)

  function msToNext(now: number): number {
    // A clock that was set back does not stop the bot.
    answered = answered.filter(at => at <= now && now - at < SECOND)
    const first = answered.at(running - allowed)
    return Math.max(pausedUntil - now, first === undefined ? 0 : first + SECOND - now)
  }

  function release(): void {
    clock.clearTimeout(timer)
    while (running < allowed && waiting.first.length + waiting.later.length > 0) {
      const now = clock.now()
      const ms = msToNext(now)
      if (ms > 0) {
        timer = clock.setTimeout(release, ms)
        return
      }
      running++
      const next = waiting.first.shift() ?? waiting.later.shift()
      next?.()
    }
  }

  function turn(isLater: boolean, signal: AbortSignal): Promise<void> {
    const queue = isLater ? waiting.later : waiting.first
    return new Promise((resolve, reject) => {
      const leave = () => {
        const index = queue.indexOf(enter)
        if (index >= 0) queue.splice(index, 1)
        reject(signal.reason)
      }
      const enter = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      signal.throwIfAborted()
      signal.addEventListener('abort', leave, { once: true })
      queue.push(enter)
      release()
    })
  }

  function leave(): void {
    running--
    answered.push(clock.now())
    release()
  }

  async function untilFree(route: string, signal: AbortSignal): Promise<void> {
    for (let until = heldUntil.get(route); until !== undefined; until = heldUntil.get(route)) {
      const ms = until - clock.now()
      if (ms <= 0) heldUntil.delete(route)
      else await sleep(clock, ms, signal)
    }
  }

  async function inTime(url: string, init: Parameters<MakeRequest>[1], signal: AbortSignal): ReturnType<MakeRequest> {
    const late = new AbortController()
    const timeout = clock.setTimeout(() => late.abort(), timeoutMs)
    try {
      return await send(url, { ...init, signal: AbortSignal.any([signal, late.signal]) })
    } finally {
      clock.clearTimeout(timeout)
    }
  }

  function learn(route: string, headers: Awaited<ReturnType<MakeRequest>>['headers'], status: number): void {
    if (status === 429 && headers.get('x-ratelimit-scope') === 'global') {
      pausedUntil = clock.now() + 1_000 * Number(headers.get('retry-after') ?? 1)
    }
    const ms = 1_000 * Number(headers.get('x-ratelimit-reset-after') ?? 0)
    if (headers.get('x-ratelimit-remaining') === '0' && ms >= WORTH_TELLING) usedUp?.(route, ms)
  }

  return {
    async makeRequest(url, init) {
      const { pathname } = new URL(url)
      // https://discord.com/developers/docs/interactions/receiving-and-responding#endpoints
      const isLimited = !/\/(?:interactions|webhooks)\//.test(pathname)
      const signal = (init.signal as AbortSignal | null | undefined) ?? new AbortController().signal
      const route = `${init.method ?? 'GET'} ${pathname}`
      if (isLimited) {
        await untilFree(route, signal)
        await turn(pathname.endsWith('/typing') || (route.startsWith('GET ') && pathname.includes('/messages')), signal)
      }
      try {
        const response = await inTime(url, init, signal)
        if (isLimited) learn(route, response.headers, response.status)
        return response
      } finally {
        if (isLimited) leave()
      }
    },

    allow(perSecond) {
      allowed = perSecond
      release()
    },

    hold(route, ms) {
      heldUntil.set(route, clock.now() + ms)
    },
  }
}
