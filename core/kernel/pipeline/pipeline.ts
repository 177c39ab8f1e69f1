/**
 * The stages of a turn and how plugins combine in them. Everything here holds for any plugin: a deadline, a
 * signal, a catch and a breaker around each call, and one rule per stage for what the answers make together.
 * The kernel has no opinion of its own beyond the last line of `judge`.
 */

import type { OpenBreaker } from '../../api/index.ts'
import {
  type Context,
  type Decision,
  type DecisionToSpeak,
  type Message,
  PLACES,
  type Reply,
  type Silence,
  type Stage,
  type Stages,
  type TotalScore,
  type Trace,
  type Turn,
} from '../../api/index.ts'
import { createBreaker, openBreaker } from '../../base/breaker.ts'
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log.ts'
import { redactError } from '../../base/redact-error.ts'
import { estimateTokens } from '../../base/tokens.ts'
import type { RetryWhileUnavailable } from '../../storage/database/retry-while-unavailable.ts'
import { sanitizeText } from '../turns/sanitize-input.ts'
import { type Arrival, createArrival, type Reason } from './arrival.ts'
import { createCaller, FAILED, type Place, type Problem, type StageHandler, seenBy } from './call.ts'
import { fit } from './fit.ts'
import { clamp, parseDecision, parseReason, parseReply, parseScores, parseSections } from './results.ts'
import type { TraceDraft } from './trace.ts'

/** A plugin that has been set up, as the pipeline sees it. */
export interface Member {
  readonly name: string
  readonly stages: Stages
}

export interface PipelineOptions {
  readonly clock: Clock
  readonly log: Logger
  /** How many tokens all sections of a prompt may take together. */
  readonly contextTokens: number
  /** Milliseconds that one plugin has in a stage. */
  readonly deadlines: Readonly<Record<Stage, number>>
  /** A message that arrives waits for a database that is away, whoever needs it. */
  readonly retryWhileUnavailable: RetryWhileUnavailable
}

/** How long one plugin may take in each stage, in milliseconds. */
export const DEADLINES: Readonly<Record<Stage, number>> = {
  filter: 5_000,
  onDropped: 5_000,
  address: 5_000,
  score: 5_000,
  decide: 30_000,
  context: 10_000,
  respond: 120_000,
  beforeSend: 5_000,
  after: 30_000,
}

export interface Pipeline extends Arrival {
  /** score → decide. */
  judge(turn: Turn, trace: TraceDraft): Promise<Decision>
  /** context → respond. Nothing when no responder had an answer. */
  answer(turn: Turn, decision: DecisionToSpeak, trace: TraceDraft): Promise<Reply | Silence | undefined>
  /** Why a reply is no longer wanted, now that people have said something else, or nothing. */
  beforeSend(turn: Turn, news: readonly Message[], reply: Reply, trace: TraceDraft): Promise<Reason | undefined>
  after(turn: Turn, trace: Trace, stopping: AbortSignal): Promise<void>
  /** Plugins that are left alone in a stage. */
  readonly breakers: readonly OpenBreaker[]
}

export function createPipeline(members: readonly Member[], options: PipelineOptions): Pipeline {
  const { clock, log, contextTokens, deadlines, retryWhileUnavailable } = options

  const handlersOf = <S extends Stage>(stage: S): StageHandler<S>[] =>
    members.flatMap(({ name, stages }) => {
      if (!stages[stage]) return []
      return [{ name, stage, stages: stages as Stages & Required<Pick<Stages, S>>, breaker: createBreaker() }]
    })
  const arriving = { filter: handlersOf('filter'), onDropped: handlersOf('onDropped'), address: handlersOf('address') }
  const scorers = handlersOf('score')
  const deciders = handlersOf('decide')
  const providers = handlersOf('context')
  const responders = handlersOf('respond')
  const senders = handlersOf('beforeSend')
  const observers = handlersOf('after')

  const later: readonly Place[] = [scorers, deciders, providers, responders, senders, observers].flat()
  const places: readonly Place[] = [...Object.values(arriving).flat(), ...later]

  const call = createCaller(clock, deadlines)
  const arrival = createArrival(arriving, { call, log, retryWhileUnavailable })
  const contexts = new WeakMap<Turn, Promise<Context>>()

  const onTurn =
    ({ history }: Turn, trace: TraceDraft): Problem =>
    (plugin, stage, error) => {
      const message = sanitizeText(
        redactError(
          error,
          history.map(({ text }) => text),
        ),
        500,
      )
      trace.problems.push({ plugin, stage, message })
      log.child(plugin).warn(`${stage} failed: ${message}`, { turn: trace.turn })
      return message
    }

  async function timed<T>(trace: TraceDraft, stage: Stage, run: () => Promise<T>): Promise<T> {
    const start = clock.now()
    try {
      return await run()
    } finally {
      trace.ms[stage] = clock.now() - start
    }
  }

  async function score(turn: Turn, trace: TraceDraft): Promise<TotalScore> {
    const problem = onTurn(turn, trace)
    const asked = scorers.map(handler =>
      call(
        handler,
        limit => handler.stages.score(seenBy(turn, limit)),
        result => parseScores(result).map(part => ({ ...part, plugin: handler.name })),
        turn.signal,
        problem,
      ),
    )
    const parts = (await Promise.all(asked)).filter(scores => scores !== FAILED).flat()
    return {
      points: clamp(
        parts.reduce((sum, { points }) => sum + points, 0),
        0,
        100,
      ),
      parts,
    }
  }

  async function decide(turn: Turn, total: TotalScore, trace: TraceDraft): Promise<NonNullable<Trace['decision']>> {
    for (const handler of deciders) {
      const decision = await call(
        handler,
        limit => handler.stages.decide(seenBy(turn, limit), total, { context: () => context(turn, UNDECIDED, trace) }),
        parseDecision,
        turn.signal,
        onTurn(turn, trace),
      )
      // Who cannot judge whether to join in does not; the next opinion might rely on this one's restraint. Who is asked, answers.
      if (decision === FAILED && turn.addressed) continue
      if (decision === FAILED) return { kind: 'silent', why: `${handler.name} failed to decide`, plugin: handler.name }
      if (decision) return { ...decision, plugin: handler.name }
    }
    return turn.addressed
      ? { kind: 'full', why: `addressed by ${turn.addressed}` }
      : { kind: 'silent', why: 'nobody decided to speak' }
  }

  /** Made once for a turn: what a decider has read is what the responders get. */
  function context(turn: Turn, decision: DecisionToSpeak, trace: TraceDraft): Promise<Context> {
    const made = contexts.get(turn) ?? timed(trace, 'context', () => collect(turn, decision, trace))
    contexts.set(turn, made)
    return made
  }

  async function collect(turn: Turn, decision: DecisionToSpeak, trace: TraceDraft): Promise<Context> {
    const problem = onTurn(turn, trace)
    const asked = providers.map(handler =>
      call(
        handler,
        limit => handler.stages.context(seenBy(turn, limit), decision),
        result => parseSections(result).map(section => ({ section, plugin: handler.name, tokens: estimateTokens(section.text) })),
        turn.signal,
        problem,
      ),
    )
    const offered = (await Promise.all(asked)).filter(sections => sections !== FAILED).flat()
    const kept = fit(offered, contextTokens)
    for (const one of offered) {
      const { section, plugin, tokens } = one
      trace.sections.push({ title: section.title, plugin, tokens, kept: kept.has(one) })
    }
    const sections = offered.filter(one => kept.has(one)).map(one => one.section)
    return { sections: sections.sort((a, b) => PLACES.indexOf(a.place) - PLACES.indexOf(b.place)) }
  }

  async function respond(
    turn: Turn,
    decision: DecisionToSpeak,
    made: Context,
    trace: TraceDraft,
  ): Promise<Reply | Silence | undefined> {
    for (const handler of responders) {
      const reply = await call(
        handler,
        limit => handler.stages.respond(seenBy(turn, limit), decision, made),
        parseReply,
        turn.signal,
        onTurn(turn, trace),
      )
      if (turn.signal.aborted) return undefined
      if (reply === FAILED || reply === undefined) continue
      if (reply.kind === 'silent') {
        trace.by = handler.name
        return reply
      }
      trace.reply = { kind: reply.kind, plugin: handler.name, length: reply.kind === 'text' ? reply.text.length : 0 }
      return reply
    }
    return undefined
  }

  return {
    get breakers() {
      return places.flatMap(({ name, stage, breaker }) => openBreaker(breaker, { plugin: name, stage }))
    },

    ...arrival,

    async judge(turn, trace) {
      trace.score = await timed(trace, 'score', () => score(turn, trace))
      const total = trace.score
      trace.decision = await timed(trace, 'decide', () => decide(turn, total, trace))
      return trace.decision
    },

    async answer(turn, decision, trace) {
      const made = await context(turn, decision, trace)
      return timed(trace, 'respond', () => respond(turn, decision, made, trace))
    },

    async beforeSend(turn, news, reply, trace) {
      return timed(trace, 'beforeSend', async () => {
        for (const handler of senders) {
          const why = await call(
            handler,
            limit => handler.stages.beforeSend(seenBy(turn, limit), news, reply),
            result => parseReason(result, 'beforeSend'),
            turn.signal,
            onTurn(turn, trace),
          )
          if (why !== FAILED && why !== undefined) return { plugin: handler.name, why }
        }
        return undefined
      })
    },

    async after(turn, trace, stopping) {
      const texts = turn.history.map(({ text }) => text)
      const problem: Problem = (plugin, stage, error) => {
        const message = redactError(error, texts)
        log.child(plugin).warn(`${stage} failed: ${message}`, { turn: trace.turn })
        return sanitizeText(message, 500)
      }
      await Promise.all(
        observers.map(handler =>
          call(
            handler,
            limit => handler.stages.after(seenBy(turn, limit), trace),
            () => undefined,
            stopping,
            problem,
          ),
        ),
      )
    },
  }
}

/** What context providers are told when a decider asks for them: it is read for an answer, if there will be one. */
const UNDECIDED: DecisionToSpeak = { kind: 'full', why: 'not decided yet' }
