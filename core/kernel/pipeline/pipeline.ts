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
import { isPromise } from '../../base/awaitable.ts'
import { createBreaker, openBreaker } from '../../base/breaker.ts'
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import { redactError } from '../../base/redact-error.ts'
import { estimateTokens } from '../../base/text/tokens.ts'
import { fit } from '../../prompt/fit.ts'
import type { RetryWhileUnavailable } from '../../storage/database/retry-while-unavailable.ts'
import { createCaller, FAILED, type Invoke, Paused, type Report, type StageHandler } from './call.ts'
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
  filter(message: IncomingMessage, stopping: AbortSignal): Promise<Reason | undefined>
  /** Reports a dropped message to the plugins. Never rejects; the caller does not wait for it. */
  onDropped(drop: Drop, stopping: AbortSignal): Promise<void>
  /** How the message addresses the bot, according to the plugins. Rejects while the database stays unavailable. */
  address(message: IncomingMessage, stopping: AbortSignal): Promise<Address | undefined>
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
  const contexts = new WeakMap<Turn['messages'], Promise<Context>>()

  const of = <S extends Stage>(stage: S) => (byStage.get(stage) ?? []) as readonly StageHandler[] as readonly StageHandler<S>[]

  /** Runs the handlers in order. The first value is used; `onFailure` can give a value for a failed call. */
  async function first<S extends Stage>(
    stage: S,
    invoke: Invoke<S>,
    signal: AbortSignal,
    report: Report,
    onFailure?: (plugin: string) => NonNullable<Parsed<S>> | undefined,
  ): Promise<From<NonNullable<Parsed<S>>> | undefined> {
    for (const handler of of(stage)) {
      const { plugin } = handler
      let result = retryWhileUnavailable(() => call(handler, invoke, signal, report))
      if (isPromise(result)) result = await result
      const value = result === FAILED ? onFailure?.(plugin) : result
      if (value !== undefined && value !== null) return { plugin, value }
    }
    return undefined
  }

  /** Runs all handlers at once. Failed calls are left out. */
  async function all<S extends Stage>(
    stage: S,
    invoke: Invoke<S>,
    signal: AbortSignal,
    report: Report,
  ): Promise<readonly From<Parsed<S>>[]> {
    const handlers = of(stage)
    let results = handlers.map(handler => call(handler, invoke, signal, report))
    if (results.some(isPromise)) results = await Promise.all(results)
    return handlers.flatMap(({ plugin }, at) => (results[at] === FAILED ? [] : [{ plugin, value: results[at] as Parsed<S> }]))
  }

  /** Logs a failure without the words of people, and writes it into a trace that is still open. */
  function reporting(
    texts: readonly string[],
    about?: { readonly turn: string; readonly problems?: TraceDraft['problems'] },
  ): Report {
    return (plugin, stage, error) => {
      const message = sanitizeText(redactError(error, texts), 500)
      about?.problems?.push({ plugin, stage, message })
      // The log has the failures before the pause. A line for each message meanwhile would fill it.
      log.child(plugin)[error instanceof Paused ? 'debug' : 'warn'](`${stage} failed: ${message}`, about && { turn: about.turn })
      return message
    }
  }

  const textsOf = ({ history }: Turn) => history.map(({ text }) => text)
  const onTurn = (about: Turn, { turn, problems }: TraceDraft) => reporting(textsOf(about), { turn, problems })

  async function timed<T>(trace: TraceDraft, stage: Stage, run: () => Promise<T>): Promise<T> {
    const start = clock.now()
    try {
      return await run()
    } finally {
      const now = clock.now()
      trace.ms[stage] = now - start
      endPart(trace, { what: 'stage', name: stage, ms: now - start }, now)
    }
  }

  async function score(turn: Turn, trace: TraceDraft): Promise<TotalScore> {
    const scores = await all('score', (run, limit) => run(seenBy(turn, limit)), turn.signal, onTurn(turn, trace))
    return totalOf(scores.flatMap(({ plugin, value }) => value.map(part => ({ ...part, plugin }))))
  }

  async function decide(turn: Turn, total: TotalScore, trace: TraceDraft): Promise<NonNullable<Trace['decision']>> {
    const made = await first(
      'decide',
      (run, limit) => run(seenBy(turn, limit), total, { context: () => context(turn, UNDECIDED, trace) }),
      turn.signal,
      onTurn(turn, trace),
      // Without mention, a failed decider means silence: the next one may rely on its restraint. A mention is answered.
      plugin => (turn.addressed ? undefined : { kind: 'silent', why: `${plugin} failed to decide` }),
    )
    if (made)
      return {
        ...(!turn.addressed && total.message !== undefined && { message: total.message }),
        ...made.value,
        plugin: made.plugin,
      }
    return turn.addressed
      ? { kind: 'full', why: `addressed by ${turn.addressed}` }
      : { kind: 'silent', why: 'no plugin decided to speak' }
  }

  /** Makes the context once per turn: the responders get the context that a decider read. */
  function context(turn: Turn, decision: DecisionToSpeak, trace: TraceDraft): Promise<Context> {
    const made = contexts.get(turn.messages) ?? timed(trace, 'context', () => collect(turn, decision, trace))
    contexts.set(turn.messages, made)
    return made
  }

  async function collect(turn: Turn, decision: DecisionToSpeak, trace: TraceDraft): Promise<Context> {
    const made = await all('context', (run, limit) => run(seenBy(turn, limit), decision), turn.signal, onTurn(turn, trace))
    const offered = made.flatMap(({ plugin, value }) =>
      value.map((section: Section) => ({ section, plugin, tokens: estimateTokens(section.text) })),
    )
    const kept = fit(offered, contextTokens)
    for (const one of offered)
      trace.sections.push({ title: one.section.title, plugin: one.plugin, tokens: one.tokens, kept: kept.has(one) })
    const report = onTurn(turn, trace)
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
    const ask: Invoke<'respond'> = (run, limit) => (turn.signal.aborted ? undefined : run(seenBy(turn, limit), decision, context))
    const made = await first('respond', ask, turn.signal, onTurn(turn, trace))
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

    async filter(message, stopping) {
      const failed = () => 'the filter failed'
      const drop = await first('filter', (run, limit) => run(message, limit), stopping, reporting([message.text]), failed)
      return drop && { plugin: drop.plugin, why: drop.value }
    },

    async onDropped(drop, stopping) {
      await all('onDropped', (run, limit) => run(drop, limit), stopping, reporting([]))
    },

    async address(message, stopping) {
      return (await first('address', (run, limit) => run(message, limit), stopping, reporting([message.text])))?.value
    },

    onRecorded: byStage.has('onRecorded')
      ? async (message, conversation, stopping) => {
          await all('onRecorded', (run, limit) => run(message, conversation, limit), stopping, reporting([message.text]))
        }
      : undefined,

    async judge(turn, trace) {
      const total = await timed(trace, 'score', () => score(turn, trace))
      trace.score = total
      trace.decision = await timed(trace, 'decide', () => decide(turn, total, trace))
      return trace.decision
    },

    async answer(turn, decision, trace) {
      const made = await context(turn, decision, trace)
      return timed(trace, 'respond', () => respond(turn, decision, made, trace))
    },

    async isSeparate(turn, added, { problems }) {
      const report = reporting([added.text], { turn: turn.id, problems })
      return (await first('separate', (run, limit) => run(seenBy(turn, limit), added), turn.signal, report)) !== undefined
    },

    async beforeSend(turn, news, reply, trace) {
      const ask = () =>
        first('beforeSend', (run, limit) => run(seenBy(turn, limit), news, reply), turn.signal, onTurn(turn, trace))
      const cancelled = await timed(trace, 'beforeSend', ask)
      return cancelled && { plugin: cancelled.plugin, why: cancelled.value }
    },

    async after(turn, trace, stopping) {
      const report = reporting(textsOf(turn), { turn: trace.turn })
      const run = async (handler: StageHandler<'after'>) => {
        try {
          await retryWhileUnavailable(() => call(handler, (run, limit) => run(seenBy(turn, limit), trace), stopping, report))
        } catch (error) {
          // The turn is done: the failure of one handler must not repeat it.
          report(handler.plugin, 'after', error)
        }
      }
      await Promise.all(of('after').map(run))
    },
  }
}

function handlersOf({ name, stages }: PluginStages): StageHandler[] {
  return Object.keys(stages).flatMap(stage => {
    const run = isStage(stage) ? stages[stage] : undefined
    // A plugin may return an object whose stages use each other through `this`.
    return isStage(stage) && run ? [{ plugin: name, stage, run: run.bind(stages) as typeof run, breaker: createBreaker() }] : []
  })
}

/** The reply of a decision that names an emoji, for the case that no responder has one. */
function reactionOf({ kind, emoji, plugin = '' }: DecisionToSpeak): From<Reply> | undefined {
  return kind === 'react' && emoji !== undefined ? { plugin, value: { kind: 'reaction', emoji } } : undefined
}

/** The turn as one call gets it: with the signal of that call. */
function seenBy(turn: Turn, { signal }: { readonly signal: AbortSignal }): Turn {
  return { ...turn, signal }
}

/** The decision that context providers get while a decider reads the context. */
const UNDECIDED: DecisionToSpeak = { kind: 'full', why: 'not decided yet' }
