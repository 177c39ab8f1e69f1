/** Keeps a platform connected. */
import type { PlatformContext } from '../../api/index.ts'
import { sleep } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import { retryAfterMs } from '../../base/retry-after.ts'

/** Milliseconds before the second attempt, and the longest before another one. */
const [AGAIN, LONGEST] = [1_000, 60_000]

/** A connection that {@link keepConnected} keeps: `start` and `unready` of a {@link Platform}. */
export interface KeptConnection {
  /** For `Platform.start`: begins to connect. Resolves when the first attempt has connected or failed. */
  start(stopping: AbortSignal): Promise<void>
  /** For `Platform.unready`: why it is not connected. */
  unready(): string | undefined
}

/**
 * Connects again and again, from `start` until its signal aborts: after 1 s, 2 s, up to a minute, or later when the error of an attempt
 * says so with `retryAfterMs`. An error with the code PLATFORM_LOST ends the bot. The scope of the plugin ends the last attempt and waits
 * for it. It logs when the connection begins and why it ends. Call it in `setup`, and return its `start` and `unready` with the platform.
 * @example
 * const { start, unready } = keepConnected(ctx, async (connected, signal) => {
 *   const socket = await connect(signal)
 *   connected()
 *   await ended(socket)
 * })
 * return { platform: { ...platform, start, unready } }
 * @param attempt connects, calls `connected` each time it knows that events arrive, and settles when the connection has ended: its error
 *   is the reason. Its signal aborts when it must end
 */
export function keepConnected(
  { clock, log, fail, scope }: Pick<PlatformContext, 'clock' | 'log' | 'fail' | 'scope'>,
  attempt: (connected: () => void, signal: AbortSignal) => Promise<void>,
): KeptConnection {
  const closed = new AbortController()
  const tried = Promise.withResolvers<void>()
  let problem: string | undefined = 'not connected yet'
  let wait = AGAIN

  function connected(): void {
    if (problem !== undefined) log.info('connected')
    problem = undefined
    wait = AGAIN
    tried.resolve()
  }

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const error: unknown = await attempt(connected, signal).then(
        () => 'the connection ended',
        (thrown: unknown) => thrown,
      )
      if (signal.aborted) return
      problem = reason(error)
      tried.resolve()
      if (error instanceof KikimimiError && error.code === 'PLATFORM_LOST') return fail(error)
      log.warn(`no messages arrive: ${problem}`)
      await sleep(clock, Math.max(wait, retryAfterMs(error) ?? 0), signal).catch(() => {})
      wait = Math.min(2 * wait, LONGEST)
    }
  }

  return {
    start(stopping) {
      const running = run(AbortSignal.any([stopping, closed.signal]))
      scope.defer(() => {
        closed.abort()
        return running
      })
      return tried.promise
    },
    unready: () => problem,
  }
}
