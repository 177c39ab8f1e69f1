/** Calls the plugins of a stage. Each call has a deadline, a signal, error handling and a breaker. */

import { sanitizeText } from '../../api/checks/sanitize.ts'
import type { Call, OpenBreaker, Stage, Stages, Turn } from '../../api/index.ts'
import { type Awaitable, isPromise } from '../../base/awaitable.ts'
import { type Breaker, createBreaker, openBreaker } from '../../base/breaker.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { redactError } from '../../base/redact-error.ts'
import { limited } from '../../base/timeout.ts'
import type { RetryWhileUnavailable } from '../../storage/database/retry-while-unavailable.ts'
import { isStage, type Parsed, STAGES, type StageRule } from './stages.ts'
import { endPart, type TraceDraft } from './trace.ts'

/** A plugin that is set up, as the pipeline sees it. */
export interface PluginStages {
  readonly name: string
  readonly stages: Stages
}

export interface CallOptions {
  readonly clock: Clock
  readonly log: Logger
  /** Whether a call failed because the database is unavailable. */
  readonly isAway: (error: unknown) => boolean
  /** Repeats the calls of a stage that waits for an unavailable database. */
  readonly retryWhileUnavailable: RetryWhileUnavailable
}

/** What the handlers of a stage are called for: a message or a turn. */
export interface Work {
  /** Ends every call. */
  readonly signal: AbortSignal
  /** The texts of people that no error may show. */
  texts(): readonly string[]
  /** The first argument of every handler, with the signal of its call. Absent: the last argument has that signal. */
  readonly turn?: Turn
  /** Gets the failures and the time of the stage. Absent: only the log has the failures. */
  readonly trace?: TraceDraft
  /** Of the next call. Handlers that answer without a promise share one. */
  limit?: { readonly controller: AbortController; readonly args: readonly unknown[] } | undefined
}

/** The arguments of a handler, without what carries the signal. */
type Given<S extends Stage> =
  Parameters<NonNullable<Stages[S]>> extends [Turn, ...infer A]
    ? A
    : Parameters<NonNullable<Stages[S]>> extends [...infer A, Call]
      ? A
      : never

/** A value and the plugin that returned it. */
export interface From<T> {
  readonly plugin: string
  readonly value: T
}

/** A plugin's function for a stage. */
interface Handler {
  readonly plugin: string
  readonly stage: Stage
  readonly rule: StageRule<unknown>
  run(...given: unknown[]): Awaitable<unknown>
  /** It has returned a promise, so that each of its calls gets a signal of its own. */
  isAsync: boolean
  /** Absent: the last call did not fail. */
  breaker?: Breaker | undefined
}

/** The result of a failed call. The failure is reported already, unless the call was cancelled. */
const FAILED = Symbol('failed')

/** A call that was not made, because the breaker is open. */
class Paused extends Error {}

export class Calls {
  readonly #options: CallOptions
  readonly #handlers: ReadonlyMap<Stage, readonly Handler[]>

  constructor(plugins: readonly PluginStages[], options: CallOptions) {
    this.#options = options
    this.#handlers = Map.groupBy(plugins.flatMap(handlersOf), ({ stage }) => stage)
  }

  /** Whether a plugin fills the stage. */
  has(stage: Stage): boolean {
    return this.#handlers.has(stage)
  }

  /** Plugins that are paused in a stage. */
  get breakers(): readonly OpenBreaker[] {
    const handlers = [...this.#handlers.values()].flat()
    return handlers.flatMap(({ plugin, stage, breaker }) => (breaker ? openBreaker(breaker, { plugin, stage }) : []))
  }

  /**
   * Runs the handlers in order, until one returns a value. Rejects while the database stays unavailable, in a stage that waits for it.
   * @param onFailure the value for a failed call
   */
  async first<S extends Stage>(
    stage: S,
    work: Work,
    given: Given<S>,
    onFailure?: (plugin: string) => NonNullable<Parsed<S>> | undefined,
  ): Promise<From<NonNullable<Parsed<S>>> | undefined> {
    const start = work.trace ? this.#options.clock.now() : 0
    try {
      for (const handler of this.#handlers.get(stage) ?? []) {
        // A cancelled turn needs nothing more.
        if (work.turn && work.signal.aborted) break
        let result = this.#ask(handler, work, given)
        if (result instanceof Promise) result = await result
        if (result === FAILED) result = onFailure?.(handler.plugin)
        if (result !== undefined) return { plugin: handler.plugin, value: result as NonNullable<Parsed<S>> }
      }
      return undefined
    } finally {
      this.#end(stage, work, start)
    }
  }

  /** Runs all handlers at once. Failed calls and those without a value are left out. Never rejects. */
  async all<S extends Stage>(stage: S, work: Work, given: Given<S>): Promise<readonly From<NonNullable<Parsed<S>>>[]> {
    const start = work.trace ? this.#options.clock.now() : 0
    const made: { plugin: string; value: unknown }[] = []
    for (const handler of this.#handlers.get(stage) ?? []) {
      const value = this.#ask(handler, work, given)
      if (value === undefined) continue
      // Once it has waited for the database long enough.
      const failed = (error: unknown) => void this.report(handler, work, error)
      made.push({ plugin: handler.plugin, value: value instanceof Promise ? value.catch(failed) : value })
    }
    for (const one of made) if (one.value instanceof Promise) one.value = await one.value
    const valid = made.filter(({ value }) => value !== undefined && value !== FAILED)
    this.#end(stage, work, start)
    return valid as From<NonNullable<Parsed<S>>>[]
  }

  #ask(handler: Handler, work: Work, given: readonly unknown[]): unknown {
    const result = this.#call(handler, work, given)
    if (!handler.rule.waitsForDatabase || !(result instanceof Promise)) return result
    return this.#options.retryWhileUnavailable(() => this.#call(handler, work, given), result)
  }

  /** A handler that answers without a promise costs no timer and no wait: most do, for most messages. */
  #call(handler: Handler, work: Work, given: readonly unknown[]): unknown {
    const { rule, breaker } = handler
    if (breaker && !breaker.allows(this.#options.clock.now())) {
      this.report(handler, work, new Paused('paused after repeated failures'))
      return FAILED
    }
    if (handler.isAsync) work.limit = undefined
    work.limit ??= limitOf(work, given)
    const { controller, args } = work.limit
    if (work.signal.aborted) controller.abort(work.signal.reason)
    try {
      const result = handler.run(...args)
      if (result !== undefined && result !== null && isPromise(result)) {
        handler.isAsync = true
        work.limit = undefined
        return this.#inTime(handler, work, controller, result)
      }
      const value = result === undefined || result === null ? undefined : rule.parse(result)
      if (breaker) handler.breaker = undefined
      return value
    } catch (error) {
      return this.#failed(handler, work, error)
    }
  }

  async #inTime(handler: Handler, work: Work, controller: AbortController, result: PromiseLike<unknown>): Promise<unknown> {
    const { clock, isAway } = this.#options
    const { deadlineMs: ms, waitsForDatabase, parse } = handler.rule
    const late = () => new KikimimiError('STAGE_TIMEOUT', `no answer within ${ms} ms`)
    try {
      const value = await limited(
        { clock, ms, late, signal: work.signal },
        () => result,
        reason => controller.abort(reason),
      )
      const parsed = value === undefined || value === null ? undefined : parse(value)
      handler.breaker = undefined
      return parsed
    } catch (error) {
      if (!waitsForDatabase || !isAway(error) || work.signal.aborted) return this.#failed(handler, work, error)
      handler.breaker?.released()
      throw error
    }
  }

  #failed(handler: Handler, work: Work, error: unknown): typeof FAILED {
    // A cancelled call says nothing about the plugin.
    const why = work.signal.aborted ? undefined : this.report(handler, work, error)
    // A model has a breaker of its own: three prompts that it refuses must not silence the bot everywhere. An unavailable
    // database is available again before a breaker would try.
    if (why === undefined || isOfModel(error) || this.#options.isAway(error)) handler.breaker?.released()
    else {
      handler.breaker ??= createBreaker()
      handler.breaker.failed(this.#options.clock.now(), why)
    }
    return FAILED
  }

  /** Logs a failure without the words of people, and writes it into the trace. Returns its text. */
  report({ plugin, stage }: Pick<Handler, 'plugin' | 'stage'>, { texts, turn, trace }: Work, error: unknown): string {
    const message = sanitizeText(redactError(error, texts()), 500)
    trace?.problems.push({ plugin, stage, message })
    // The log has the failures before the pause. A line for each message meanwhile would fill it.
    const level = error instanceof Paused ? 'debug' : 'warn'
    this.#options.log.child(plugin)[level](`${stage} failed: ${message}`, turn && { turn: turn.id })
    return message
  }

  #end(stage: Stage, { trace }: Work, start: number): void {
    if (!trace) return
    const now = this.#options.clock.now()
    trace.ms[stage] = now - start
    endPart(trace, { what: 'stage', name: stage, ms: now - start }, now)
  }
}

function limitOf({ turn }: Work, given: readonly unknown[]): NonNullable<Work['limit']> {
  const controller = new AbortController()
  const { signal } = controller
  return { controller, args: turn ? [{ ...turn, signal }, ...given] : [...given, { signal }] }
}

function handlersOf({ name: plugin, stages }: PluginStages): Handler[] {
  return Object.keys(stages).flatMap(stage => {
    const run = isStage(stage) ? stages[stage] : undefined
    // A plugin may return an object whose stages use each other through `this`.
    return isStage(stage) && run
      ? [{ plugin, stage, rule: STAGES[stage], run: run.bind(stages) as Handler['run'], isAsync: false }]
      : []
  })
}

function isOfModel(error: unknown): boolean {
  return error instanceof KikimimiError && error.code.startsWith('MODEL_')
}
