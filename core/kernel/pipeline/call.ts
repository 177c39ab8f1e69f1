/** One call of one plugin in one stage: with a deadline, a signal, a catch and a breaker. */

import type { Call, Stage, Stages, Turn } from '../../api/index.ts'
import { type Awaitable, isPromise } from '../../base/awaitable.ts'
import type { Breaker } from '../../base/breaker.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError } from '../../base/errors.ts'
import { withTimeout } from '../../base/timeout.ts'
import { isAway } from '../../storage/database/unavailable.ts'

/** Stands for whatever went wrong. `problem` has been told, unless the call was called off. */
export const FAILED = Symbol('failed')

/** Here a message waits for a database that is away: the call rejects, for whoever asks again. */
const WAITING: ReadonlySet<Stage> = new Set<Stage>(['filter', 'address'])

/** A plugin's place in a stage. */
export interface Place {
  readonly name: string
  readonly stage: Stage
  readonly breaker: Breaker
}

export interface StageHandler<S extends Stage> extends Place {
  readonly stages: Stages & Required<Pick<Stages, S>>
}

/** Tells what went wrong, and returns what was told: nobody's words are in it. */
export type Problem = (plugin: string, stage: Stage, error: unknown) => string

/**
 * Makes the function that calls plugins. One that answers without a promise costs no timer and no wait: most do,
 * for most messages.
 *
 * @param deadlines milliseconds that a plugin has in each stage
 */
export function createCaller(clock: Clock, deadlines: Readonly<Record<Stage, number>>) {
  return function call<T, R>(
    { name, stage, breaker }: Place,
    run: (call: Call) => Awaitable<T>,
    check: (result: T) => R,
    parent: AbortSignal,
    problem: Problem,
  ): Awaitable<R | typeof FAILED> {
    const now = clock.now()
    if (!breaker.allows(now)) {
      problem(name, stage, new Error('left out after repeated failures'))
      return FAILED
    }
    const failed = (error: unknown): typeof FAILED => {
      if (parent.aborted) {
        // Called off: that says nothing about the plugin.
        breaker.released()
        return FAILED
      }
      // A model has a breaker of its own: three prompts that it refuses must not silence the bot for everybody. A database
      // that is away is there again before a breaker would try.
      const why = problem(name, stage, error)
      if (isOfModel(error) || isAway(error)) breaker.released()
      else breaker.failed(clock.now(), why)
      return FAILED
    }
    const inTime = async (limit: Limit, result: PromiseLike<T>): Promise<R | typeof FAILED> => {
      try {
        const value = check(await limit.race(result, clock, deadlines[stage]))
        breaker.succeeded()
        return value
      } catch (error) {
        if (!isAway(error) || !WAITING.has(stage) || parent.aborted) return failed(error)
        breaker.released()
        throw error
      }
    }
    try {
      const limit = new Limit(parent)
      const result = run(limit)
      if (isPromise(result)) return inTime(limit, result)
      const value = check(result)
      breaker.succeeded()
      return value
    } catch (error) {
      return failed(error)
    }
  }
}

function isOfModel(error: unknown): boolean {
  return error instanceof KikimimiError && error.code.startsWith('MODEL_')
}

/** The deadline and the signal of one call. The signal is made when somebody asks for it. */
class Limit implements Call {
  readonly #parent: AbortSignal
  #controller: AbortController | undefined
  #over: unknown

  constructor(parent: AbortSignal) {
    this.#parent = parent
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#over !== undefined) this.#controller.abort(this.#over)
    else if (this.#parent.aborted) this.#controller.abort(this.#parent.reason)
    return this.#controller.signal
  }

  /** The result, or a rejection as soon as it is late or no longer wanted. */
  race<T>(result: PromiseLike<T>, clock: Clock, ms: number): Promise<T> {
    const late = () => new KikimimiError('STAGE_TIMEOUT', `no answer within ${ms} ms`)
    return withTimeout({ clock, ms, late, signal: this.#parent }, async ended => {
      const over = () => {
        this.#over = ended.reason
        this.#controller?.abort(ended.reason)
      }
      ended.addEventListener('abort', over, { once: true })
      return result
    })
  }
}

/** The turn as one call sees it: with the signal of that call. */
export function seenBy(turn: Turn, { signal }: Call): Turn {
  return { ...turn, signal }
}
