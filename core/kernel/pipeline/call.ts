/** One call of one plugin in one stage, with a deadline, a signal, error handling and a breaker. */

import type { Call, Stage, Stages } from '../../api/index.ts'
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

  return function call<S extends Stage>(
    handler: StageHandler<S>,
    invoke: Invoke<S>,
    parent: AbortSignal,
    report: Report,
  ): Awaitable<Parsed<S> | typeof FAILED> {
    const { plugin, stage, run, breaker } = handler
    const rule = STAGES[stage]
    // The table says for each stage what its results are; the compiler cannot follow that through a generic index.
    const parse = rule.parse as Parse<Parsed<S>>
    if (!breaker.allows(clock.now())) {
      report(plugin, stage, new Paused('paused after repeated failures'))
      return FAILED
    }
    try {
      const limit = new CallLimit(parent)
      const result = invoke(run, limit)
      if (isPromise(result)) return inTime(handler, limit.race(result, clock, rule.deadlineMs), parse, parent, report)
      const value = parse(result)
      breaker.succeeded()
      return value
    } catch (error) {
      return failed(handler, error, parent, report)
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
