/** One turn: takes the batch through the pipeline and carries out the decision. */

import {
  type Decision,
  type DecisionToSpeak,
  type Drop,
  inThread,
  type Message,
  type Person,
  type Platform,
  type PluginContext,
  type Reply,
  type Silence,
  type Surroundings,
  type Trace,
  type Turn,
} from '../../api/index.ts'
import type { Awaitable } from '../../base/awaitable.ts'
import type { Clock } from '../../base/clock.ts'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { inSpan } from '../../base/telemetry.ts'
import type { Claim, Delivery, SentAnswer, Store, TurnState } from '../../storage/store/store.ts'
import type { NextTurn } from '../../storage/store/turn-store.ts'
import type { Reason } from '../pipeline/pipeline.ts'
import { askedBy, currentTurn, FAILURE, startTrace, type TraceDraft } from '../pipeline/trace.ts'
import type { Deliverer, Draft, Sent } from './deliverer.ts'
import { ownAccount } from './own-account.ts'
import type { CurrentSettings, SpeakingGuard } from './turn-settings.ts'

export interface TurnsOptions {
  readonly store: Store
  readonly settings: CurrentSettings
  readonly delivery: Deliverer
  readonly guard: SpeakingGuard
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  /** The persona of a place now. */
  readonly personaIn: PluginContext['personaIn']
  /** Counts messages and turns. */
  readonly observer?: TurnObserver
  /** Reads what people see around the conversation. Never rejects. */
  readonly surround?: (turn: Turn, trace: TraceDraft) => Awaitable<Surroundings | undefined>
  /** What to answer when a call cannot be answered, and in `trace.why` the reason. Nothing: stay silent. */
  readonly apologize: (trace: TraceDraft) => Promise<Reply | undefined>
  /** Aborted when the bot stops and will wait no longer. */
  readonly stopping: AbortSignal
}

/** Counts messages and turns for metrics. */
export interface TurnObserver {
  message(platform: string, recorded: boolean): void
  dropped(drop: Drop): void
  turn(platform: string, trace: Trace): void
}

/** The turn that follows a turn. */
export type Next = Pick<NextTurn, 'at' | 'delayed'>

export interface Turns {
  /**
   * Takes the next batch of a conversation through the pipeline. Rejects when `signal` aborts or the store fails: then the turn
   * must run again.
   *
   * @param trigger the last message of the batch
   * @param decided what was decided for this batch in an earlier turn, and delayed
   */
  take(
    platform: Platform,
    state: TurnState,
    trigger: Message,
    decided: DecisionToSpeak | undefined,
    signal: AbortSignal,
  ): Promise<Next | undefined>
  /** Reports a newer message. It cancels an unasked turn. */
  overtaken(conversation: string, message: string): void
  /** Cancels the answer to the batch that ends with `lastSeq`. */
  cancelled(conversation: string, lastSeq: number): void
  /** A message was deleted, or its text is `text` now. Whether that cancels the turn that answers it. */
  withdrawn(conversation: string, message: string, text?: string): boolean
}

interface Running {
  readonly turn: Turn
  readonly trace: TraceDraft
  readonly lastSeq: number
  readonly controller: AbortController
  /** The batch is done, without an answer. */
  isProcessed: boolean
  /** The responder answers additions too. */
  joins: boolean
  /** The batch is claimed, or about to be, for an answer that people see while it is written. */
  isShown: boolean
  /** Whether the call is answered anew, when its answer was aborted. */
  isWanted(): boolean
  /** The answer that is replaced. */
  readonly revised?: SentAnswer
}

export function createTurns(options: TurnsOptions): Turns {
  const { store, settings, delivery, guard, clock, random, log, observer, apologize, stopping } = options
  const running = new Map<string, Running>()

  async function take(
    platform: Platform,
    { conversation, batch, lastSeq, history, lastReplyAt, revises }: TurnState,
    message: Message,
    decided: DecisionToSpeak | undefined,
    signal: AbortSignal,
  ): Promise<Next | undefined> {
    const me = await ownAccount(platform, conversation)
    using watched = guard.watch(conversation)
    const controller = new AbortController()
    const added: Message[] = []
    const isNew = (one: Message) => isAddition(one, message, me) && added.every(({ id }) => id !== one.id)
    const before = revises && (await store.answer(conversation, revises))
    const revised = revises && before && { ...before, how: revises.how }
    const base: Turn = {
      id: `${clock.now().toString(36)}-${Math.floor(random() * 36 ** 8).toString(36)}`,
      conversation,
      messages: batch.map(entry => entry.message),
      message,
      history,
      added,
      async takeAdditions() {
        const now = running.get(conversation.id)
        if (!message.addressed || !now) return []
        now.joins = true
        const news: Message[] = []
        for (const one of (await store.since(conversation.id, lastSeq)).filter(isNew))
          if (!(await settings.current.pipeline.isSeparate(base, one, trace))) news.push(one)
        if (now.isShown) return []
        added.push(...news)
        return news
      },
      ...(revised && { revises: { how: revised.how, text: revised.text } }),
      ...(message.addressed && { addressed: message.addressed }),
      ...(lastReplyAt && { lastReplyAt }),
      me,
      persona: options.personaIn(conversation),
      sources: [],
      signal: AbortSignal.any([controller.signal, signal, watched.signal]),
    }
    let turn = base
    const trace = startTrace(turn, new Date(clock.now()))
    const isWanted = () => signal.aborted || reason(controller.signal.reason) === CLAIM_LOST.edited
    const now: Running = {
      turn,
      trace,
      lastSeq,
      controller,
      isProcessed: false,
      joins: false,
      isShown: false,
      isWanted,
      ...(revised && { revised }),
    }
    running.set(conversation.id, now)
    let next: Next | undefined
    try {
      next = await inSpan('turn', { 'kikimimi.platform': platform.name, 'kikimimi.turn': turn.id }, async span => {
        const followed = await currentTurn.run({ trace, conversation, ...askedBy(turn) }, async () => {
          const stopped: Silence = { kind: 'silent', why: reason(watched.signal.reason) }
          if (watched.signal.aborted) return decide(platform, turn, lastSeq, stopped, trace)
          if (revises && !revised) return decide(platform, turn, lastSeq, GONE, trace)
          const surroundings = await options.surround?.(turn, trace)
          if (surroundings) turn = { ...base, surroundings }
          return decide(platform, turn, lastSeq, decided, trace)
        })
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
    // What it was about to say when it was stopped is not said when it may speak again.
    const processed = now.isProcessed || watched.signal.aborted ? lastSeq : undefined
    observer?.turn(platform.name, trace)
    try {
      await store.keepTrace(trace, processed)
    } catch (error) {
      // The turn is done. A trace that cannot be stored must not repeat it.
      log.warn(`could not store a trace: ${reason(error)}`, { turn: turn.id })
      if (processed !== undefined) await store.markProcessed(conversation.id, processed)
    }
    await settings.current.pipeline.after(about(turn, trace.trigger), trace, stopping)
    return next
  }

  async function decide(
    platform: Platform,
    judged: Turn,
    lastSeq: number,
    decided: Decision | undefined,
    trace: TraceDraft,
  ): Promise<Next | undefined> {
    const decision = decided ?? revision(judged) ?? (await settings.current.pipeline.judge(judged, trace))
    trace.decision ??= decision
    const { message = '' } = decision
    if (!judged.addressed && judged.messages.some(({ id }) => id === message)) trace.trigger = message
    const turn = about(judged, trace.trigger)
    if (turn.signal.aborted && decided?.kind !== 'silent') return cancel(trace, turn.signal.reason)
    if (decision.kind === 'silent') {
      processed(turn)
      return
    }
    if (decision.delayMs && !decided) {
      trace.outcome = 'delayed'
      const { delayMs, ...rest } = decision
      const at = clock.now() + delayMs
      return { at, delayed: { decision: rest, lastSeq, at } }
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
    attempt = 1,
  ): Promise<Next | undefined> {
    const { conversation } = turn
    const covers = () => [turn.message, ...turn.added]
    const claim = (deliveries: readonly Delivery[], unlessNewer?: Claim['unlessNewer']) =>
      store.claim({ conversation, turn: turn.id, lastSeq, unlessNewer, covers: covers(), deliveries, at: new Date(clock.now()) })
    // Once a tool has acted, or after so many attempts, what the author adds gets a turn of its own.
    const joins = () => running.get(conversation.id)?.joins && !trace.tools && attempt < ATTEMPTS
    const draft = await drafted(platform, turn, decision, async deliveries => {
      const [{ body: text = '' } = {}] = deliveries
      if (await unwanted(turn, lastSeq, { kind: 'text', text }, trace)) return false
      return (await claim(deliveries, joins() ? 'author' : undefined)) === 'mine'
    })
    const answering = settings.current.pipeline.answer(draft ? { ...turn, show: draft.show } : turn, decision, trace)
    const made = await answering.finally(() => draft?.end())
    if (draft && (await draft.end())) return finish(turn, draft, made, trace)
    if (turn.signal.aborted) return cancel(trace, turn.signal.reason)
    if (made?.kind === 'silent') {
      trace.why = made.why
      processed(turn)
      return
    }
    if (!made) fail(trace, FAILURE.unanswered)
    if (made) {
      const withdrawn = await unwanted(turn, lastSeq, made, trace)
      if (turn.signal.aborted) return cancel(trace, turn.signal.reason)
      if (withdrawn) {
        cancel(trace, withdrawn.why)
        trace.by = withdrawn.plugin
        processed(turn)
        return
      }
    }
    const { revised } = running.get(conversation.id) ?? {}
    const apology = made || !turn.addressed || revised ? undefined : await apologize(trace)
    const reply = made ?? apology
    const answers = { message: turn.message.id, isCall: turn.addressed !== undefined }
    const parts = reply ? delivery.prepare(platform, conversation, turn.id, reply, answers) : []
    const deliveries = revised ? replacing(revised, parts) : parts
    if (deliveries.length === 0) {
      if (made) fail(trace, `${platform.name} cannot show a ${made.kind}`)
      processed(turn)
      return
    }
    let claimed = await claim(deliveries, turn.addressed ? (joins() ? 'author' : undefined) : 'anyone')
    if (claimed === 'newer' && turn.addressed) {
      if ((await turn.takeAdditions()).length > 0) return answer(platform, turn, lastSeq, decision, trace, attempt + 1)
      claimed = await claim(deliveries)
    }
    if (claimed !== 'mine') {
      cancel(trace, CLAIM_LOST[claimed])
      // The rest of the batch may still need an answer.
      return claimed === 'taken' || claimed === 'newer' ? undefined : { at: clock.now() }
    }
    trace.answers = covers().map(({ id }) => id)
    const where = revised?.thread === undefined ? conversation : inThread(conversation, revised.thread)
    const next = conclude(trace, made, await delivery.send(platform, where, deliveries, stopping))
    const surplus = revised?.messages.slice(deliveries.length) ?? []
    if (surplus.length > 0 && trace.outcome === 'replied')
      await delivery.remove(platform, where, surplus, store.retract, stopping)
    return next
  }

  function conclude(trace: TraceDraft, made: Reply | undefined, { ids, problem, retryAt }: Sent): Next | undefined {
    trace.sent.push(...ids)
    if (problem !== undefined) fail(trace, problem)
    else if (made) trace.outcome = 'replied'
    if (problem !== undefined && retryAt !== undefined) trace.outcome = 'delayed'
    return at(retryAt)
  }

  /** An answer that people see while it is written. Nothing where they see it when it is whole. */
  async function drafted(
    platform: Platform,
    turn: Turn,
    decision: DecisionToSpeak,
    claim: (deliveries: readonly Delivery[]) => Promise<boolean>,
  ): Promise<Draft | undefined> {
    const now = running.get(turn.conversation.id)
    if (!now || now.revised || !turn.addressed || decision.kind !== 'full' || !platform.edit || !platform.delete) return undefined
    if (!(await platform.streams?.(turn.conversation, turn.message.id))) return undefined
    const claimed = async (deliveries: readonly Delivery[]) => {
      now.isShown = true
      now.isShown = await claim(deliveries)
      return now.isShown
    }
    return delivery.draft(platform, turn, claimed, stopping)
  }

  /** Ends an answer of which people have seen a part. */
  async function finish(
    turn: Turn,
    draft: Draft,
    made: Reply | Silence | undefined,
    trace: TraceDraft,
  ): Promise<Next | undefined> {
    if (draft.shown) trace.shown = draft.shown
    if (turn.signal.aborted) {
      cancel(trace, turn.signal.reason)
      const isAnsweredAnew = running.get(turn.conversation.id)?.isWanted() === true
      if (isAnsweredAnew) await store.reopen(turn.conversation, turn.id)
      const retryAt = await draft.withdraw()
      return isAnsweredAnew ? { at: retryAt ?? clock.now() } : at(retryAt)
    }
    if (made?.kind === 'silent') trace.why = made.why
    if (!made) fail(trace, FAILURE.unanswered)
    const text = made ?? (await apologize(trace)) ?? { kind: 'text' as const, text: '' }
    if (text.kind !== 'text') return at(await draft.withdraw())
    trace.answers = [turn.message, ...turn.added].map(({ id }) => id)
    const sent = await draft.complete(text)
    if (draft.shown) trace.shown = draft.shown
    return conclude(trace, made?.kind === 'text' ? made : undefined, sent)
  }

  /** The batch is marked as processed when the trace is stored. */
  function processed({ conversation }: Turn): void {
    const now = running.get(conversation.id)
    if (now) now.isProcessed = true
  }

  /** Why an answer to a mention is no longer needed. An unasked answer is cancelled without asking plugins. */
  async function unwanted(turn: Turn, lastSeq: number, made: Reply, trace: TraceDraft): Promise<Reason | undefined> {
    const news = turn.addressed ? await store.since(turn.conversation.id, lastSeq) : []
    return news.length > 0 ? settings.current.pipeline.beforeSend(turn, news, made, trace) : undefined
  }

  /** Never waited for: a platform that is slow to show it must not slow the answer. */
  function beginTyping(platform: Platform, { conversation, message, signal }: Turn): () => void {
    const begun = Promise.try(() => platform.typing?.(conversation, signal, message.id))
    begun.catch(error => log.debug(`typing could not be shown: ${reason(error)}`, { conversation: conversation.id }))
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

    withdrawn(conversation, message, text) {
      const now = running.get(conversation)
      if (now?.trace.trigger !== message || now.turn.messages.some(one => one.id === message && one.text === text)) return false
      now.controller.abort(new Error(CLAIM_LOST[text === undefined ? 'deleted' : 'edited']))
      return true
    },
  }
}

/** How often a responder is asked about one call, when its author keeps adding to it. */
const ATTEMPTS = 4

/** Whether the author of a call goes on about it: not what the author says to other people. */
function isAddition({ author, addressed, mentions, replyTo }: Message, trigger: Message, me: Person): boolean {
  if (author.id !== trigger.author.id) return false
  return addressed !== undefined || (replyTo === undefined && mentions.every(({ id }) => id === me.id))
}

const CLAIM_LOST = {
  taken: 'another process has answered, or it was cancelled',
  newer: 'a newer message arrived',
  deleted: 'the message was deleted',
  edited: 'the message was edited',
  readers: 'other people can read the conversation now',
} as const

/** The answer that a person wanted again. */
const GONE: Silence = { kind: 'silent', why: 'the answer was deleted' }

/** A person wants another answer: nothing is left to decide. */
function revision({ revises }: Turn): DecisionToSpeak | undefined {
  return revises && { kind: 'full', why: `asked for another answer (${revises.how})` }
}

/** The parts of an answer that takes the place of an earlier one. */
function replacing({ messages, thread }: SentAnswer, parts: readonly Delivery[]): readonly Delivery[] {
  const where = thread !== undefined && { thread }
  return parts.map((part, index) => {
    const message = part.kind === 'text' ? messages[index] : undefined
    return message === undefined ? part : { ...part, message, ...where }
  })
}

const at = (time: number | undefined): Next | undefined => (time === undefined ? undefined : { at: time })

function cancel(trace: TraceDraft, why: unknown): undefined {
  trace.outcome = 'cancelled'
  trace.why = reason(why)
}

function fail(trace: TraceDraft, why: string): void {
  trace.outcome = 'failed'
  trace.why = why
}

/** The turn with another message of its batch as the one that it answers. */
function about(turn: Turn, trigger: string): Turn {
  const message = turn.messages.find(({ id }) => id === trigger)
  return message ? { ...turn, message } : turn
}
