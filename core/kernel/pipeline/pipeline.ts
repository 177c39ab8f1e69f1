/**
 * Runs the stages of a turn and combines the results of plugins. The rules are the table in stages.ts. Each call has a
 * deadline, a signal, error handling and a breaker. The kernel decides only in the last line of `decide`.
 */

import { totalOf } from '../../api/checks/results.ts'
import { sanitizeText } from '../../api/checks/sanitize.ts'
import {
  type Address,
  type Context,
  type Conversation,
  type Decision,
  type DecisionToSpeak,
  type Drop,
  type IncomingMessage,
  type Message,
  type OpenBreaker,
  PLACES,
  type Reply,
  type Section,
  type Silence,
  type Stage,
  type Stages,
  type TotalScore,
  type Trace,
  type Turn,
} from '../../api/index.ts'
import { type Awaitable, isPromise } from '../../base/awaitable.ts'
import { createBreaker, openBreaker } from '../../base/breaker.ts'
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import { redactError } from '../../base/redact-error.ts'
import { estimateTokens } from '../../base/text/tokens.ts'
import { fit } from '../../prompt/fit.ts'
import type { RetryWhileUnavailable } from '../../storage/database/retry-while-unavailable.ts'
import { Calls, createCaller, FAILED, type Invoke, Paused, type Report, type StageHandler } from './call.ts'
import { isStage, type Parsed } from './stages.ts'
import { endPart, type TraceDraft } from './trace.ts'

/** A plugin that is set up, as the pipeline sees it. */
export interface PluginStages {
  readonly name: string
  readonly stages: Stages
}

export interface PipelineOptions {
  readonly clock: Clock
  readonly log: Logger
  /** Largest number of tokens of all sections of a prompt together. */
  readonly contextTokens: number
  /** Whether a call failed because the database is unavailable. */
  readonly isAway: (error: unknown) => boolean
  /** Makes an arriving message wait for an unavailable database. */
  readonly retryWhileUnavailable: RetryWhileUnavailable
}

/** Why a message is dropped or an answer cancelled, and by which plugin. */
export interface Reason {
  readonly plugin: string
  readonly why: string
}

export interface Pipeline {
  /**
   * Why the message is dropped, or nothing. A failing filter drops it too. Rejects while the database stays unavailable.
   */
  filter(message: IncomingMessage, stopping: AbortSignal): Awaitable<Reason | undefined>
  /** Reports a dropped message to the plugins. Never rejects; the caller does not wait for it. */
  onDropped(drop: Drop, stopping: AbortSignal): Promise<void>
  /** How the message addresses the bot, according to the plugins. Rejects while the database stays unavailable. */
  address(message: IncomingMessage, stopping: AbortSignal): Awaitable<Address | undefined>
  /** Shows a recorded message to the plugins. Never rejects; the caller does not wait for it. Undefined: no plugin wants to see it. */
  readonly onRecorded: ((message: Message, conversation: Conversation, stopping: AbortSignal) => Promise<void>) | undefined
  /** Runs score → decide. */
  judge(turn: Turn, trace: TraceDraft): Promise<Decision>
  /** Runs context → respond. Returns nothing when no responder had an answer. */
  answer(turn: Turn, decision: DecisionToSpeak, trace: TraceDraft): Promise<Reply | Silence | undefined>
  /** Whether what the caller adds gets a turn of its own. */
  isSeparate(turn: Turn, added: Message, trace: TraceDraft): Promise<boolean>
  /** Why a reply is cancelled after the messages in `news`, or nothing. */
  beforeSend(turn: Turn, news: readonly Message[], reply: Reply, trace: TraceDraft): Promise<Reason | undefined>
  /** Tells the plugins how a turn ended. Waits while the database is unavailable. Never rejects. */
  after(turn: Turn, trace: Trace, stopping: AbortSignal): Promise<void>
  /** Plugins that are paused in a stage. */
  readonly breakers: readonly OpenBreaker[]
}

/** A value and the plugin that returned it. */
interface From<T> {
  readonly plugin: string
  readonly value: T
}

export function createPipeline(plugins: readonly PluginStages[], options: PipelineOptions): Pipeline {
  const { clock, log, contextTokens, isAway, retryWhileUnavailable } = options
  const handlers = plugins.flatMap(handlersOf)
  const byStage = Map.groupBy(handlers, ({ stage }) => stage)
  const call = createCaller(clock, isAway)
  /** By the batch, which all copies of a turn share. */
  const contexts = new WeakMap<Turn['messages'], Awaitable<Context>>()

  const of = <S extends Stage>(stage: S) => (byStage.get(stage) ?? []) as readonly StageHandler[] as readonly StageHandler<S>[]

  /** Runs the handlers in order. The first value is used; `onFailure` can give a value for a failed call. */
  function first<S extends Stage>(
    stage: S,
    calls: Calls<S>,
    onFailure?: (plugin: string) => NonNullable<Parsed<S>> | undefined,
    from = 0,
  ): Awaitable<From<NonNullable<Parsed<S>>> | undefined> {
    const handlers = of(stage)
    const found = ({ plugin }: StageHandler<S>, result: Parsed<S> | typeof FAILED) => {
      const value = result === FAILED ? onFailure?.(plugin) : result
      return value === undefined || value === null ? undefined : { plugin, value }
    }
    for (let at = from; at < handlers.length; at++) {
      const handler = handlers[at] as StageHandler<S>
      const result = call(handler, calls)
      if (isPromise(result)) {
        return Promise.resolve(retryWhileUnavailable(() => call(handler, calls), result)).then(late => {
          calls.renew()
          return found(handler, late) ?? first(stage, calls, onFailure, at + 1)
        })
      }
      if (result === undefined) continue
      const made = found(handler, result)
      if (made) return made
    }
    return undefined
  }

  /** Runs all handlers at once. Failed calls and those without a value are left out. */
  function all<S extends Stage>(stage: S, calls: Calls<S>): Awaitable<readonly From<NonNullable<Parsed<S>>>[]> {
    const handlers = of(stage)
    const results = handlers.map(handler => call(handler, calls))
    return results.some(isPromise) ? Promise.all(results).then(late => valuesOf(handlers, late)) : valuesOf(handlers, results)
  }

  /** Logs a failure without the words of people, and writes it into a trace that is still open. */
  function reporting(
    texts: () => readonly string[],
    about?: { readonly turn: string; readonly problems?: TraceDraft['problems'] },
  ): Report {
    return (plugin, stage, error) => {
      const message = sanitizeText(redactError(error, texts()), 500)
      about?.problems?.push({ plugin, stage, message })
      // The log has the failures before the pause. A line for each message meanwhile would fill it.
      log.child(plugin)[error instanceof Paused ? 'debug' : 'warn'](`${stage} failed: ${message}`, about && { turn: about.turn })
      return message
    }
  }

  const textsOf = ({ history }: Turn) => history.map(({ text }) => text)
  const onMessage = <S extends Stage>(invoke: Invoke<S>, signal: AbortSignal, ...texts: readonly string[]) =>
    new Calls(
      invoke,
      signal,
      reporting(() => texts),
    )
  const onTurn = <S extends Stage>(about: Turn, { turn, problems }: TraceDraft, invoke: Invoke<S>, signal = about.signal) =>
    new Calls(
      invoke,
      signal,
      reporting(() => textsOf(about), { turn, problems }),
    )

  function timed<T>(trace: TraceDraft, stage: Stage, run: () => Awaitable<T>): Awaitable<T> {
    const start = clock.now()
    const end = () => {
      const now = clock.now()
      trace.ms[stage] = now - start
      endPart(trace, { what: 'stage', name: stage, ms: now - start }, now)
    }
    const result = run()
    if (isPromise(result)) return Promise.resolve(result).finally(end)
    end()
    return result
  }

  function score(turn: Turn, trace: TraceDraft): Awaitable<TotalScore> {
    const made = all(
      'score',
      onTurn(turn, trace, (run, limit) => run(limit.own(turn))),
    )
    return isPromise(made) ? made.then(totalFrom) : totalFrom(made)
  }

  function decide(turn: Turn, total: TotalScore, trace: TraceDraft): Awaitable<NonNullable<Trace['decision']>> {
    const read = { context: async () => context(turn, UNDECIDED, trace) }
    const made = first(
      'decide',
      onTurn(turn, trace, (run, limit) => run(limit.own(turn), total, read)),
      // Without mention, a failed decider means silence: the next one may rely on its restraint. A mention is answered.
      plugin => (turn.addressed ? undefined : { kind: 'silent', why: `${plugin} failed to decide` }),
    )
    return isPromise(made) ? made.then(late => decisionOf(turn, total, late)) : decisionOf(turn, total, made)
  }

  /** Makes the context once per turn: the responders get the context that a decider read. */
  function context(turn: Turn, decision: DecisionToSpeak, trace: TraceDraft): Awaitable<Context> {
    const made = contexts.get(turn.messages) ?? timed(trace, 'context', () => collect(turn, decision, trace))
    contexts.set(turn.messages, made)
    return made
  }

  function collect(turn: Turn, decision: DecisionToSpeak, trace: TraceDraft): Awaitable<Context> {
    const calls = onTurn<'context'>(turn, trace, (run, limit) => run(limit.own(turn), decision))
    const made = all('context', calls)
    return isPromise(made) ? made.then(late => fitted(turn, trace, late, calls.report)) : fitted(turn, trace, made, calls.report)
  }

  function fitted(turn: Turn, trace: TraceDraft, made: readonly From<readonly Section[]>[], report: Report): Context {
    const offered = made.flatMap(({ plugin, value }) =>
      value.map(section => ({ section, plugin, tokens: estimateTokens(section.text) })),
    )
    const kept = fit(offered, contextTokens)
    for (const one of offered)
      trace.sections.push({ title: one.section.title, plugin: one.plugin, tokens: one.tokens, kept: kept.has(one) })
    const sections = offered.filter(one => kept.has(one)).map(({ section, plugin }) => guarded(section, plugin, report))
    turn.sources.push(...sections.flatMap(section => section.sources ?? []))
    return { sections: sections.sort((a, b) => PLACES.indexOf(a.place) - PLACES.indexOf(b.place)) }
  }

  /** The section with a `finish` that never throws. */
  function guarded({ finish, ...section }: Section, plugin: string, report: Report): Section {
    if (!finish) return section
    const guardedFinish = (answer: string) => {
      try {
        return finish(answer)
      } catch (error) {
        report(plugin, 'context', error)
        return answer
      }
    }
    return { ...section, finish: guardedFinish }
  }

  async function respond(
    turn: Turn,
    decision: DecisionToSpeak,
    context: Context,
    trace: TraceDraft,
  ): Promise<Reply | Silence | undefined> {
    const calls = onTurn<'respond'>(turn, trace, (run, limit) =>
      turn.signal.aborted ? undefined : run(limit.own(turn), decision, context),
    )
    let made = first('respond', calls)
    if (isPromise(made)) made = await made
    const reply = made ?? reactionOf(decision)
    if (turn.signal.aborted || !reply) return undefined
    const { plugin, value } = reply
    const finished = value.kind === 'text' ? { ...value, text: finish(value.text, context) } : value
    if (finished.kind === 'silent') trace.by = plugin
    else trace.reply = { kind: finished.kind, plugin, length: finished.kind === 'text' ? finished.text.length : 0 }
    return finished
  }

  /** Lets the sections rewrite the answer. One that leaves no text changes nothing. */
  function finish(answer: string, { sections }: Context): string {
    return sections.reduce((text, section) => section.finish?.(text).trim() || text, answer)
  }

  return {
    get breakers() {
      return handlers.flatMap(({ plugin, stage, breaker }) => openBreaker(breaker, { plugin, stage }))
    },

    filter(message, stopping) {
      const calls = onMessage<'filter'>((run, limit) => run(message, limit), stopping, message.text)
      const drop = first('filter', calls, () => 'the filter failed')
      return isPromise(drop) ? drop.then(reasonOf) : reasonOf(drop)
    },

    async onDropped(drop, stopping) {
      await all(
        'onDropped',
        onMessage((run, limit) => run(drop, limit), stopping),
      )
    },

    address(message, stopping) {
      const calls = onMessage<'address'>((run, limit) => run(message, limit), stopping, message.text)
      const found = first('address', calls)
      return isPromise(found) ? found.then(late => late?.value) : found?.value
    },

    onRecorded: byStage.has('onRecorded')
      ? async (message, conversation, stopping) => {
          await all(
            'onRecorded',
            onMessage((run, limit) => run(message, conversation, limit), stopping, message.text),
          )
        }
      : undefined,

    async judge(turn, trace) {
      let total = timed(trace, 'score', () => score(turn, trace))
      if (isPromise(total)) total = await total
      const sum = total
      trace.score = sum
      let decision = timed(trace, 'decide', () => decide(turn, sum, trace))
      if (isPromise(decision)) decision = await decision
      trace.decision = decision
      return decision
    },

    async answer(turn, decision, trace) {
      const made = await context(turn, decision, trace)
      return timed(trace, 'respond', () => respond(turn, decision, made, trace))
    },

    async isSeparate(turn, added, { problems }) {
      const report = reporting(() => [added.text], { turn: turn.id, problems })
      const calls = new Calls<'separate'>((run, limit) => run(limit.own(turn), added), turn.signal, report)
      return (await first('separate', calls)) !== undefined
    },

    async beforeSend(turn, news, reply, trace) {
      const calls = onTurn<'beforeSend'>(turn, trace, (run, limit) => run(limit.own(turn), news, reply))
      return reasonOf(await timed(trace, 'beforeSend', () => first('beforeSend', calls)))
    },

    async after(turn, trace, stopping) {
      const report = reporting(() => textsOf(turn), { turn: trace.turn })
      const calls = new Calls<'after'>((run, limit) => run(limit.own(turn), trace), stopping, report)
      const late = of('after').flatMap(handler => {
        const result = call(handler, calls)
        return isPromise(result)
          ? [
              ended(
                handler,
                retryWhileUnavailable(() => call(handler, calls), result),
              ),
            ]
          : []
      })
      if (late.length > 0) await Promise.all(late)

      async function ended({ plugin }: StageHandler, result: Awaitable<unknown>): Promise<void> {
        try {
          await result
        } catch (error) {
          // The turn is done: the failure of one handler must not repeat it.
          report(plugin, 'after', error)
        }
      }
    },
  }
}

function handlersOf({ name, stages }: PluginStages): StageHandler[] {
  return Object.keys(stages).flatMap(stage => {
    const run = isStage(stage) ? stages[stage] : undefined
    // A plugin may return an object whose stages use each other through `this`.
    return isStage(stage) && run
      ? [{ plugin: name, stage, run: run.bind(stages) as typeof run, breaker: createBreaker(), isAsync: false }]
      : []
  })
}

/** The reply of a decision that names an emoji, for the case that no responder has one. */
function reactionOf({ kind, emoji, plugin = '' }: DecisionToSpeak): From<Reply> | undefined {
  return kind === 'react' && emoji !== undefined ? { plugin, value: { kind: 'reaction', emoji } } : undefined
}

function valuesOf<S extends Stage>(
  handlers: readonly StageHandler<S>[],
  results: readonly unknown[],
): readonly From<NonNullable<Parsed<S>>>[] {
  const values: From<NonNullable<Parsed<S>>>[] = []
  for (const [at, { plugin }] of handlers.entries()) {
    const value = results[at]
    if (value !== FAILED && value !== undefined) values.push({ plugin, value: value as NonNullable<Parsed<S>> })
  }
  return values
}

const totalFrom = (made: readonly From<Parsed<'score'>>[]): TotalScore =>
  totalOf(made.flatMap(({ plugin, value }) => value.map(part => ({ ...part, plugin }))))

const reasonOf = (found: From<string> | undefined): Reason | undefined => found && { plugin: found.plugin, why: found.value }

function decisionOf(turn: Turn, total: TotalScore, made: From<Decision> | undefined): NonNullable<Trace['decision']> {
  if (!made)
    return turn.addressed
      ? { kind: 'full', why: `addressed by ${turn.addressed}` }
      : { kind: 'silent', why: 'no plugin decided to speak' }
  const { message } = total
  return { ...(!turn.addressed && message !== undefined && { message }), ...made.value, plugin: made.plugin }
}

/** The decision that context providers get while a decider reads the context. */
const UNDECIDED: DecisionToSpeak = { kind: 'full', why: 'not decided yet' }
