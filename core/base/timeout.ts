import type { Clock } from './clock.ts'

/** A time limit for one call. */
export interface Deadline {
  /** The clock that measures the limit. */
  readonly clock: Clock
  /** The limit in milliseconds. Time in which the process stands still hardly counts: what has arrived meanwhile is read first. */
  readonly ms: number
  /** The error of the rejection when the time is over. */
  readonly late: () => Error
  /** Aborts the call before its limit. Absent: only the limit ends it. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs until the call is done, late or cancelled, whichever is first. It works for calls that ignore their signal. A
 * promise that settles after that has no effect. Unlike `AbortSignal.timeout` it follows the clock of the bot, which a test moves.
 *
 * @example
 * const late = () => new Error('the weather service does not answer')
 * const answer = await withTimeout({ clock: ctx.clock, ms: 2_000, late, signal: turn.signal }, signal => fetch(url, { signal }))
 */
export async function withTimeout<T>(deadline: Deadline, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ended = new AbortController()
  return limited(
    deadline,
    () => run(ended.signal),
    error => ended.abort(error),
  )
}

/** The same without a signal for the call. @param over runs when the call is late or cancelled */
export async function limited<T>(
  { clock, ms, late, signal }: Deadline,
  run: () => PromiseLike<T>,
  over: (error: unknown) => void,
): Promise<T> {
  signal?.throwIfAborted()
  const { promise: ending, reject } = Promise.withResolvers<never>()
  const end = (error: unknown) => {
    over(error)
    reject(error)
  }
  const cancel = afterRunning(clock, ms, () => end(late()))
  const aborted = () => end(signal?.reason)
  signal?.addEventListener('abort', aborted, { once: true })
  try {
    return await Promise.race([run(), ending])
  } finally {
    cancel()
    signal?.removeEventListener('abort', aborted)
  }
}

/** The steps in which a limit is counted. */
const STEPS = 20

/**
 * Runs once after `ms` milliseconds in which the process ran. A process that stands still, because others have its processor or because it
 * collects garbage, finds its timers due before it reads the answers that have arrived meanwhile. So the time is counted in steps, and what
 * has arrived is read between two of them: a pause counts as one step, however long it is.
 *
 * @returns cancels it
 */
export function afterRunning(clock: Clock, ms: number, run: () => void): () => void {
  const longest = Math.ceil(ms / STEPS)
  let left = ms
  let timer: unknown
  const next = () => {
    const step = Math.min(longest, left)
    left -= step
    timer = clock.setTimeout(left > 0 ? next : run, step)
  }
  next()
  return () => clock.clearTimeout(timer)
}
