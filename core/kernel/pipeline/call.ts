/** One call of one plugin in one stage, with a deadline, a signal, error handling and a breaker. */

import type { Call, Stage, Stages } from '../../api/index.ts'
import { type Awaitable, isPromise } from '../../base/awaitable.ts'
import type { Breaker } from '../../base/breaker.ts'
import { CallLimit } from '../../base/call-limit.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError } from '../../base/errors.ts'
import { isAway } from '../../storage/database/unavailable.ts'
import { type Parsed, STAGES } from './stages.ts'

/** The result of a failed call. The failure is reported already, unless the call was cancelled. */
export const FAILED = Symbol('failed')

/** A plugin's function for a stage. */
export interface StageHandler<S extends Stage = Stage> {
  readonly plugin: string
  readonly stage: S
  readonly run: NonNullable<Stages[S]>
  readonly breaker: Breaker
}

/** Reports a failure. Returns the reported text, which contains no words of people. */
export type Report = (plugin: string, stage: Stage, error: unknown) => string

/** Passes a handler its arguments. `limit` carries the signal of this call. */
export type Invoke<S extends Stage> = (run: NonNullable<Stages[S]>, limit: Call) => Awaitable<unknown>

export type Caller = <S extends Stage>(
  handler: StageHandler<S>,
  invoke: Invoke<S>,
  parent: AbortSignal,
  report: Report,
) => Awaitable<Parsed<S> | typeof FAILED>

/**
 * Makes the function that calls plugins. A handler that returns no promise needs no timer and no wait. Most handlers return
 * none for most messages.
 */
export function createCaller(clock: Clock): Caller {
  return function call<S extends Stage>(
    { plugin, stage, run, breaker }: StageHandler<S>,
    invoke: Invoke<S>,
    parent: AbortSignal,
    report: Report,
  ): Awaitable<Parsed<S> | typeof FAILED> {
    const rule = STAGES[stage]
    // The table has the result type of each stage; the compiler cannot follow it through a generic index.
    const parse = rule.parse as (result: unknown) => Parsed<S>
    if (!breaker.allows(clock.now())) {
      report(plugin, stage, new Error('paused after repeated failures'))
      return FAILED
    }
    const failed = (error: unknown): typeof FAILED => {
      // A cancelled call says nothing about the plugin.
      if (parent.aborted) {
        breaker.released()
        return FAILED
      }
      const why = report(plugin, stage, error)
      // A model has its own breaker: three prompts that it refuses must not pause the plugin everywhere. An unavailable
      // database is back before the breaker would try again.
      if (isOfModel(error) || isAway(error)) breaker.released()
      else breaker.failed(clock.now(), why)
      return FAILED
    }
    const inTime = async (limit: CallLimit, result: PromiseLike<unknown>): Promise<Parsed<S> | typeof FAILED> => {
      try {
        const value = parse(await limit.race(result, clock, rule.deadlineMs))
        breaker.succeeded()
        return value
      } catch (error) {
        if (!isAway(error) || !('waitsForDatabase' in rule) || parent.aborted) return failed(error)
        breaker.released()
        throw error
      }
    }
    try {
      const limit = new CallLimit(parent)
      const result = invoke(run, limit)
      if (isPromise(result)) return inTime(limit, result)
      const value = parse(result)
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
