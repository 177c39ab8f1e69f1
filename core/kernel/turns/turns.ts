/** One turn: the batch goes through the pipeline, and what is decided is carried out. */

import type { Decision, DecisionToSpeak, Platform, Reply, Silence, Trace, Turn } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { inSpan } from '../../base/telemetry.ts'
import { type EmergencyStop, halted } from '../../features/stop/emergency-stop.ts'
import type { Entry, Store, TurnState } from '../../storage/store/store.ts'
import type { Reason } from '../pipeline/arrival.ts'
import { currentTrace, FAILURE, startTrace, type TraceDraft } from '../pipeline/trace.ts'
import type { Deliverer } from './deliver.ts'
import type { TurnSettings } from './turn-settings.ts'

export interface TurnsOptions {
  readonly store: Store
  readonly manner: Readonly<TurnSettings>
  readonly deliverer: Deliverer
  readonly halt: EmergencyStop
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  /** Hears of every turn that is done. */
  readonly onTurn?: (platform: string, trace: Trace) => void
  /** Why a turn could not be paid for, and what to say then; nothing when it could. */
  readonly overspent?: (trace: TraceDraft) => Promise<{ readonly notice?: string } | undefined>
  /** Aborted when the bot stops and will wait no longer. */
  readonly stopping: AbortSignal
}

/** A decision to speak later, for the batch that ends with `lastSeq`. */
export interface Delayed {
  readonly decision: DecisionToSpeak
  readonly lastSeq: number
}

/** The look that has to follow a turn. */
export interface Next {
  readonly at: number
  readonly delayed?: Delayed
}

export interface Turns {
  /**
   * Takes the batch that ends with `last` through the pipeline. Rejects when `signal` aborts or the store fails:
   * then the turn has to be taken again.
   *
   * @param decided what was decided for this batch in an earlier turn, and delayed
   */
  take(
    platform: Platform,
    look: TurnState,
    last: Entry,
    decided: DecisionToSpeak | undefined,
    signal: AbortSignal,
  ): Promise<Next | undefined>
  /** Something newer was said: what an unasked turn is about to say was meant for an older state of the talk. */
  overtaken(conversation: string, message: string): void
  /** The answer to the batch that ends with `lastSeq` was called off. */
  cancelled(conversation: string, lastSeq: number): void
  /** A message was deleted, or says something else now. Whether it was the one being answered. */
  withdrawn(conversation: string, message: string, why: 'deleted' | 'edited'): boolean
}

export function createTurns(options: TurnsOptions): Turns {
  const { store, manner, deliverer, halt, clock, random, log, onTurn, overspent, stopping } = options
  const running = new Map<string, { readonly turn: Turn; readonly lastSeq: number; readonly controller: AbortController }>()

  async function take(
    platform: Platform,
    { conversation, batch, history, lastReplyAt }: TurnState,
    last: Entry,
    decided: DecisionToSpeak | undefined,
    signal: AbortSignal,
  ): Promise<Next | undefined> {
    using watched = halt.watch(conversation)
    const controller = new AbortController()
    const calling = batch.findLast(({ message }) => message.addressed)
    const { message } = calling ?? last
    const turn: Turn = {
      id: `${clock.now().toString(36)}-${Math.floor(random() * 36 ** 8).toString(36)}`,
      conversation,
      messages: batch.map(entry => entry.message),
      message,
      history,
      ...(message.addressed && { addressed: message.addressed }),
      ...(lastReplyAt && { lastReplyAt }),
      me: platform.me,
      signal: AbortSignal.any([controller.signal, signal, watched.signal]),
    }
    const trace = startTrace(turn, new Date(clock.now()))
    running.set(conversation.id, { turn, lastSeq: last.seq, controller })
    let next: Next | undefined
    try {
      next = await inSpan('turn', { 'kikimimi.platform': platform.name, 'kikimimi.turn': turn.id }, async span => {
        const followed = await currentTrace.run(trace, () =>
          decide(platform, turn, last.seq, watched.signal.aborted ? HALTED : decided, trace),
        )
        span.setAttributes({
          'kikimimi.addressed': trace.addressed ?? 'no',
          'kikimimi.decision': trace.decision?.kind ?? 'none',
          'kikimimi.outcome': trace.outcome,
        })
        return followed
      })
    } finally {
      running.delete(conversation.id)
    }
    // The bot is stopping: the job must fail, so that the next start takes it up again.
    signal.throwIfAborted()
    // What it was about to say when it was stopped is not said when it may speak again.
    if (watched.signal.aborted) await store.markProcessed(conversation.id, last.seq)
    onTurn?.(platform.name, trace)
    // The turn is done and must not be taken again because it cannot be told.
    await store
      .keepTrace(trace)
      .catch((error: unknown) => log.warn(`a trace could not be kept: ${reason(error)}`, { turn: turn.id }))
    await manner.pipeline.after(turn, trace, stopping)
    return next
  }

  async function decide(
    platform: Platform,
    turn: Turn,
    lastSeq: number,
    decided: Decision | undefined,
    trace: TraceDraft,
  ): Promise<Next | undefined> {
    const decision = decided ?? amongBots(turn) ?? (await manner.pipeline.judge(turn, trace))
    trace.decision ??= decision
    if (turn.signal.aborted && decision !== HALTED) return cancel(trace, turn.signal.reason)
    if (decision.kind === 'silent') {
      await store.markProcessed(turn.conversation.id, lastSeq)
      return
    }
    if (decision.delayMs && !decided) {
      trace.outcome = 'delayed'
      const { delayMs, ...rest } = decision
      return { at: clock.now() + delayMs, delayed: { decision: rest, lastSeq } }
    }
    const endTyping = decision.kind === 'react' ? undefined : beginTyping(platform, turn)
    try {
      return await answer(platform, turn, lastSeq, decision, trace)
    } finally {
      endTyping?.()
    }
  }

  async function answer(
    platform: Platform,
    turn: Turn,
    lastSeq: number,
    decision: DecisionToSpeak,
    trace: TraceDraft,
  ): Promise<Next | undefined> {
    const made = await manner.pipeline.answer(turn, decision, trace)
    if (turn.signal.aborted) return cancel(trace, turn.signal.reason)
    if (made?.kind === 'silent') {
      trace.why = made.why
      await store.markProcessed(turn.conversation.id, lastSeq)
      return
    }
    if (!made) fail(trace, FAILURE.unanswered)
    if (made) {
      const withdrawn = await unwanted(turn, lastSeq, made, trace)
      if (turn.signal.aborted) return cancel(trace, turn.signal.reason)
      if (withdrawn) {
        cancel(trace, withdrawn.why)
        trace.by = withdrawn.plugin
        await store.markProcessed(turn.conversation.id, lastSeq)
        return
      }
    }
    const reply = made ?? (turn.addressed && (await excuse(trace)))
    const deliveries = reply ? deliverer.prepare(platform, turn.id, reply, turn.message.id) : []
    if (deliveries.length === 0) {
      if (made) fail(trace, `${platform.name} cannot show a ${made.kind}`)
      await store.markProcessed(turn.conversation.id, lastSeq)
      return
    }
    const claimed = await store.claim({
      conversation: turn.conversation,
      turn: turn.id,
      lastSeq,
      unlessNewer: !turn.addressed,
      trigger: turn.message,
      deliveries,
      at: new Date(clock.now()),
    })
    if (claimed !== 'mine') {
      cancel(trace, CLAIM_LOST[claimed])
      // The rest of the batch may still want something.
      return claimed === 'deleted' || claimed === 'edited' ? { at: clock.now() } : undefined
    }
    const { ids, problem } = await deliverer.send(platform, turn.conversation, deliveries, stopping)
    trace.sent.push(...ids)
    if (problem !== undefined) fail(trace, problem)
    else if (made) trace.outcome = 'replied'
    return
  }

  /** What is said in the place of an answer that somebody asked for. */
  async function excuse(trace: TraceDraft): Promise<Reply | undefined> {
    const spent = await overspent?.(trace)
    if (spent) trace.why = FAILURE.budget
    const text = spent ? spent.notice : manner.apology
    return text === undefined ? undefined : { kind: 'text', text }
  }

  /** Why an answer that somebody asked for is not wanted any more. One that nobody asked for gives way without a question. */
  async function unwanted(turn: Turn, lastSeq: number, made: Reply, trace: TraceDraft): Promise<Reason | undefined> {
    if (!turn.addressed) return undefined
    const news = await store.since(turn.conversation.id, lastSeq)
    return news.length > 0 ? manner.pipeline.beforeSend(turn, news, made, trace) : undefined
  }

  /** Never waited for: a platform that is slow to show it must not slow the answer. */
  function beginTyping(platform: Platform, turn: Turn): () => void {
    const unshown = (error: unknown) =>
      log.debug(`typing could not be shown: ${reason(error)}`, { conversation: turn.conversation.id })
    const begun = (async () => platform.typing?.(turn.conversation, turn.signal))()
    begun.catch(unshown)
    return () => void begun.then(end => end?.()).catch(() => {})
  }

  return {
    take,

    overtaken(conversation, message) {
      const now = running.get(conversation)
      // The look at it may have begun as soon as it was recorded.
      const isNewer = now?.turn.messages.every(({ id }) => id !== message)
      if (now && isNewer && !now.turn.addressed) now.controller.abort(new Error('something newer was said'))
    },

    cancelled(conversation, lastSeq) {
      const now = running.get(conversation)
      if (now?.lastSeq === lastSeq) now.controller.abort(new Error('it was called off'))
    },

    withdrawn(conversation, message, why) {
      const now = running.get(conversation)
      if (now?.turn.message.id !== message) return false
      now.controller.abort(new Error(CLAIM_LOST[why]))
      return true
    },
  }
}

/** Two bots that listen to each other would talk for ever: so often in a row the bot speaks where no person does. */
const AMONG_BOTS = 5

function amongBots({ messages, history }: Turn): Silence | undefined {
  if (!messages.every(({ author }) => author.bot)) return undefined
  const person = history.findLastIndex(({ own, author }) => !own && !author.bot)
  const spoken = history.slice(person + 1).filter(({ own }) => own)
  return spoken.length < AMONG_BOTS ? undefined : { kind: 'silent', why: 'bots have talked enough among themselves' }
}

const HALTED: Silence = { kind: 'silent', why: reason(halted()) }

const CLAIM_LOST = {
  taken: 'another process has answered, or it was called off',
  newer: 'something newer was said',
  deleted: 'the message was deleted',
  edited: 'the message was edited',
} as const

function cancel(trace: TraceDraft, why: unknown): undefined {
  trace.outcome = 'cancelled'
  trace.why = reason(why)
}

function fail(trace: TraceDraft, why: string): void {
  trace.outcome = 'failed'
  trace.why = why
}
