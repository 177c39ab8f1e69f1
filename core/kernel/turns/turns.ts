/** One turn: takes the batch through the pipeline and carries out the decision. */

import type { Decision, DecisionToSpeak, Drop, Platform, Reply, Silence, Trace, Turn } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { inSpan } from '../../base/telemetry.ts'
import type { Entry, Store, TurnState } from '../../storage/store/store.ts'
import type { Reason } from '../pipeline/pipeline.ts'
import { currentTrace, FAILURE, startTrace, type TraceDraft } from '../pipeline/trace.ts'
import type { Deliverer } from './delivery.ts'
import type { CurrentSettings, SpeakingGuard } from './turn-settings.ts'

export interface TurnsOptions {
  readonly store: Store
  readonly settings: CurrentSettings
  readonly delivery: Deliverer
  readonly guard: SpeakingGuard
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  /** Counts messages and turns. */
  readonly observer?: TurnObserver
  /**
   * Whether the budget refused a model call of the turn, and the notice to post. Nothing: the budget was not the reason.
   */
  readonly overspent?: (trace: TraceDraft) => Promise<{ readonly notice?: string } | undefined>
  /** Aborts when the bot stops and no longer waits. */
  readonly stopping: AbortSignal
}

/** Counts messages and turns for metrics. */
export interface TurnObserver {
  message(platform: string, recorded: boolean): void
  dropped(drop: Drop): void
  turn(platform: string, trace: Trace): void
}

/** A decision to speak later, for the batch that ends with `lastSeq`. */
export interface Delayed {
  readonly decision: DecisionToSpeak
  readonly lastSeq: number
}

/** The turn that follows a turn. */
export interface Next {
  readonly at: number
  readonly delayed?: Delayed
}

export interface Turns {
  /**
   * Takes the batch that ends with `last` through the pipeline. Rejects when `signal` aborts or the store fails: then the
   * turn must run again.
   * @param decided the delayed decision of an earlier turn for this batch
   *
   */
  take(
    platform: Platform,
    state: TurnState,
    last: Entry,
    decided: DecisionToSpeak | undefined,
    signal: AbortSignal,
  ): Promise<Next | undefined>
  /** Reports a newer message. It cancels an unasked turn. */
  overtaken(conversation: string, message: string): void
  /** Cancels the answer to the batch that ends with `lastSeq`. */
  cancelled(conversation: string, lastSeq: number): void
  /** Reports that a message was deleted or edited. Returns whether the running turn was answering it. */
  withdrawn(conversation: string, message: string, why: 'deleted' | 'edited'): boolean
}

export function createTurns(options: TurnsOptions): Turns {
  const { store, settings, delivery, guard, clock, random, log, observer, overspent, stopping } = options
  const running = new Map<string, { readonly turn: Turn; readonly lastSeq: number; readonly controller: AbortController }>()

  async function take(
    platform: Platform,
    { conversation, batch, history, lastReplyAt }: TurnState,
    last: Entry,
    decided: DecisionToSpeak | undefined,
    signal: AbortSignal,
  ): Promise<Next | undefined> {
    using watched = guard.watch(conversation)
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
          decide(platform, turn, last.seq, watched.signal.aborted ? stopped(watched.signal) : decided, trace),
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
    // The bot is stopping: the job must fail, so that the next start runs the turn again.
    signal.throwIfAborted()
    // STOP ends this batch: the bot must not answer it after START.
    if (watched.signal.aborted) await store.markProcessed(conversation.id, last.seq)
    observer?.turn(platform.name, trace)
    // The turn is done. A trace that cannot be stored must not repeat it.
    await store
      .keepTrace(trace)
      .catch((error: unknown) => log.warn(`could not store a trace: ${reason(error)}`, { turn: turn.id }))
    await settings.current.pipeline.after(turn, trace, stopping)
    return next
  }

  async function decide(
    platform: Platform,
    turn: Turn,
    lastSeq: number,
    decided: Decision | undefined,
    trace: TraceDraft,
  ): Promise<Next | undefined> {
    const decision = decided ?? amongBots(turn) ?? (await settings.current.pipeline.judge(turn, trace))
    trace.decision ??= decision
    if (turn.signal.aborted && decided?.kind !== 'silent') return cancel(trace, turn.signal.reason)
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
    const made = await settings.current.pipeline.answer(turn, decision, trace)
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
    const deliveries = reply ? delivery.prepare(platform, turn.id, reply, turn.message.id) : []
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
      // The rest of the batch may still need an answer.
      return claimed === 'deleted' || claimed === 'edited' ? { at: clock.now() } : undefined
    }
    const { ids, problem } = await delivery.send(platform, turn.conversation, deliveries, stopping)
    trace.sent.push(...ids)
    if (problem !== undefined) fail(trace, problem)
    else if (made) trace.outcome = 'replied'
    return
  }

  /** The apology or the notice of the budget, instead of an answer to a mention. */
  async function excuse(trace: TraceDraft): Promise<Reply | undefined> {
    const spent = await overspent?.(trace)
    if (spent) trace.why = FAILURE.budget
    const text = spent ? spent.notice : settings.current.apology
    return text === undefined ? undefined : { kind: 'text', text }
  }

  /** Why an answer to a mention is no longer needed. An unasked answer is cancelled without asking plugins. */
  async function unwanted(turn: Turn, lastSeq: number, made: Reply, trace: TraceDraft): Promise<Reason | undefined> {
    if (!turn.addressed) return undefined
    const news = await store.since(turn.conversation.id, lastSeq)
    return news.length > 0 ? settings.current.pipeline.beforeSend(turn, news, made, trace) : undefined
  }

  /** No wait: a slow typing indicator must not delay the answer. */
  function beginTyping(platform: Platform, turn: Turn): () => void {
    const unshown = (error: unknown) =>
      log.debug(`could not show typing: ${reason(error)}`, { conversation: turn.conversation.id })
    const begun = (async () => platform.typing?.(turn.conversation, turn.signal))()
    begun.catch(unshown)
    return () => void begun.then(end => end?.()).catch(() => {})
  }

  return {
    take,

    overtaken(conversation, message) {
      const now = running.get(conversation)
      // The turn may have begun directly after the message was recorded, and contain it.
      const isNewer = now?.turn.messages.every(({ id }) => id !== message)
      if (now && isNewer && !now.turn.addressed) now.controller.abort(new Error('a newer message arrived'))
    },

    cancelled(conversation, lastSeq) {
      const now = running.get(conversation)
      if (now?.lastSeq === lastSeq) now.controller.abort(new Error('it was cancelled'))
    },

    withdrawn(conversation, message, why) {
      const now = running.get(conversation)
      if (now?.turn.message.id !== message) return false
      now.controller.abort(new Error(CLAIM_LOST[why]))
      return true
    },
  }
}

/** Replies to bots in a row without a message of a person. Without a limit, two bots would answer each other for ever. */
const AMONG_BOTS = 5

function amongBots({ messages, history }: Turn): Silence | undefined {
  if (!messages.every(({ author }) => author.bot)) return undefined
  const person = history.findLastIndex(({ own, author }) => !own && !author.bot)
  const spoken = history.slice(person + 1).filter(({ own }) => own)
  return spoken.length < AMONG_BOTS ? undefined : { kind: 'silent', why: 'the limit of replies to bots in a row is reached' }
}

/** The silent decision where STOP is active. */
function stopped({ reason: why }: AbortSignal): Silence {
  return { kind: 'silent', why: reason(why) }
}

const CLAIM_LOST = {
  taken: 'another process has answered, or it was cancelled',
  newer: 'a newer message arrived',
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
