/** One call of one plugin in one stage, with a deadline, a signal, error handling and a breaker. */

import type { Stage, Stages } from '../../api/index.ts'
import { type Awaitable, isPromise } from '../../base/awaitable.ts'
import type { Breaker } from '../../base/breaker.ts'
import { CallLimit } from '../../base/call-limit.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError } from '../../base/errors.ts'
import { type Parsed, STAGES } from './stages.ts'

/** The result of a failed call. The failure is reported already, unless the call was cancelled. */
export const FAILED = Symbol('failed')

/** A plugin's function for a stage. */
export interface StageHandler<S extends Stage = Stage> {
  readonly plugin: string
  readonly stage: S
  readonly run: NonNullable<Stages[S]>
  readonly breaker: Breaker
  /** It has returned a promise, so each of its calls gets a limit of its own. */
  isAsync: boolean
}

/** Reports a failure. Returns the reported text, which contains no words of people. */
export type Report = (plugin: string, stage: Stage, error: unknown) => string

/** Passes a handler its arguments. `limit` carries the signal of this call. */
export type Invoke<S extends Stage> = (run: NonNullable<Stages[S]>, limit: CallLimit) => Awaitable<unknown>

/** The calls of one stage for one message or turn. */
export class Calls<S extends Stage> {
  readonly invoke: Invoke<S>
  readonly parent: AbortSignal
  readonly report: Report
  #shared: CallLimit | undefined

  constructor(invoke: Invoke<S>, parent: AbortSignal, report: Report) {
    this.invoke = invoke
    this.parent = parent
    this.report = report
  }

  /** Handlers that answer at once share a limit, which nothing ends. */
  limitFor({ isAsync }: StageHandler<S>): CallLimit {
    if (isAsync) return new CallLimit(this.parent)
    this.#shared ??= new CallLimit(this.parent)
    return this.#shared
  }

  /** A handler keeps the limit, or time has passed. */
  renew(): void {
    this.#shared = undefined
  }
}

export type Caller = <S extends Stage>(handler: StageHandler<S>, calls: Calls<S>) => Awaitable<Parsed<S> | typeof FAILED>

/**
 * Makes the function that calls plugins. A handler that answers without a promise costs no timer, no wait and no closure:
 * most do, for most messages.
 *
 * @param isAway whether a call failed because the database is unavailable
 */
export function createCaller(clock: Clock, isAway: (error: unknown) => boolean): Caller {
  function failed({ plugin, stage, breaker }: Called, error: unknown, parent: AbortSignal, report: Report): typeof FAILED {
    // A cancelled call says nothing about the plugin.
    const why = parent.aborted ? undefined : report(plugin, stage, error)
    // A model has a breaker of its own: three prompts that it refuses must not silence the bot everywhere. An unavailable
    // database is available again before a breaker would try.
    if (why === undefined || isOfModel(error) || isAway(error)) breaker.released()
    else breaker.failed(clock.now(), why)
    return FAILED
  }

  async function inTime<R>(handler: Called, result: Promise<unknown>, parse: Parse<R>, parent: AbortSignal, report: Report) {
    try {
      const value = parse(await result)
      handler.breaker.succeeded()
      return value
    } catch (error) {
      const isAwaited = isAway(error) && 'waitsForDatabase' in STAGES[handler.stage] && !parent.aborted
      if (!isAwaited) return failed(handler, error, parent, report)
      handler.breaker.released()
      throw error
    }
  }

  return function call<S extends Stage>(handler: StageHandler<S>, calls: Calls<S>): Awaitable<Parsed<S> | typeof FAILED> {
    const { breaker } = handler
    const rule = STAGES[handler.stage]
    // The table says for each stage what its results are; the compiler cannot follow that through a generic index.
    const parse = rule.parse as Parse<Parsed<S>>
    if (breaker.opened && !breaker.allows(clock.now())) {
      calls.report(handler.plugin, handler.stage, new Paused('paused after repeated failures'))
      return FAILED
    }
    try {
      const limit = calls.limitFor(handler)
      const result = calls.invoke(handler.run, limit)
      if (isPromise(result)) {
        handler.isAsync = true
        calls.renew()
        return inTime(handler, limit.race(result, clock, rule.deadlineMs), parse, calls.parent, calls.report)
      }
      const value = parse(result)
      breaker.succeeded()
      return value
    } catch (error) {
      return failed(handler, error, calls.parent, calls.report)
    }
  }
}

/** A call that was not made, because the breaker is open. */
export class Paused extends Error {}

type Called = Pick<StageHandler, 'plugin' | 'stage' | 'breaker'>
type Parse<R> = (result: unknown) => R

function isOfModel(error: unknown): boolean {
  return error instanceof KikimimiError && error.code.startsWith('MODEL_')
}
