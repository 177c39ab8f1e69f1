import { type Breaker, createBreaker } from '../base/breaker.ts'
import { type Clock, sleep } from '../base/clock.ts'
import { type ErrorCode, KikimimiError } from '../base/errors.ts'
import type { Logger } from '../base/log.ts'
import { createSemaphore } from '../base/semaphore.ts'
import { withTimeout } from '../base/timeout.ts'
import { modelError, retryAfter } from './model-errors.ts'

/** One model of a provider, as the bot calls it: with a concurrency limit, retries, a breaker and a deadline. */
export interface Endpoint {
  readonly name: string
  readonly breaker: Breaker
  /**
   * Runs `run`. Runs it again after a pause while the model is unavailable. Rejects with a MODEL_… error, or with the
   * reason of `signal` as soon as that aborts. The signal that `run` gets also aborts at the deadline.
   */
  call<T>(run: (signal: AbortSignal) => Promise<T>, limits: Limits): Promise<T>
}

export interface Limits {
  /** Milliseconds for all attempts together. Waiting for a free place does not count. */
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
}

export interface EndpointOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  /** The number of attempts after the first. */
  readonly retries: number
  readonly concurrency: number
}

/** The first pause before another attempt; it doubles with each. */
const PAUSE_MS = 1_000

/** Errors that count against a model. A model that refuses or returns an invalid answer is available. */
const DOWN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['MODEL_UNAVAILABLE', 'MODEL_TIMEOUT'])

export function createEndpoint(name: string, { clock, random, log, retries, concurrency }: EndpointOptions): Endpoint {
  const breaker = createBreaker()
  const semaphore = createSemaphore(concurrency)

  async function attempt<T>(run: (signal: AbortSignal) => Promise<T>, signal: AbortSignal, until: number): Promise<T> {
    for (let failures = 0; ; ) {
      try {
        return await run(signal)
      } catch (error) {
        signal.throwIfAborted()
        const coded = modelError(name, error)
        // Half to one and a half times the pause, so that callers that failed together do not return together.
        const pause = Math.max(retryAfter(coded) ?? 0, PAUSE_MS * 2 ** failures * (0.5 + random()))
        failures++
        if (coded.code !== 'MODEL_UNAVAILABLE' || failures > retries || clock.now() + pause >= until) throw coded
        await sleep(clock, pause, signal)
      }
    }
  }

  async function tried<T>(run: (signal: AbortSignal) => Promise<T>, { deadlineMs, signal }: Limits): Promise<T> {
    if (!breaker.allows(clock.now())) {
      const until = new Date(breaker.retryAt ?? clock.now()).toISOString()
      throw new KikimimiError('MODEL_BREAKER_OPEN', `[models] ${name} failed repeatedly and is paused until ${until}.`)
    }
    const late = () => new KikimimiError('MODEL_TIMEOUT', `[models] ${name} gave no answer within ${deadlineMs / 1000} s.`)
    const until = clock.now() + deadlineMs
    try {
      const value = await withTimeout({ clock, ms: deadlineMs, late, signal }, ended => attempt(run, ended, until))
      breaker.succeeded()
      return value
    } catch (error) {
      if (signal?.aborted) {
        breaker.released()
        throw signal.reason
      }
      const coded = modelError(name, error)
      if (DOWN.has(coded.code)) breaker.failed(clock.now(), coded.message)
      else breaker.succeeded()
      if (breaker.state(clock.now()) === 'open') log.warn('model failed repeatedly, paused', { model: name, code: coded.code })
      throw coded
    }
  }

  return { name, breaker, call: (run, limits) => semaphore.run(() => tried(run, limits), limits.signal) }
}
