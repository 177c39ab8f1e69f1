/** Turns: each takes a batch through the pipeline and carries out the decision. */

import {
  type BotIdentity,
  type Decision,
  type DecisionToSpeak,
  type Drop,
  inThread,
  type Message,
  type Person,
  type Platform,
  type Reply,
  type Silence,
  type Surroundings,
  type Trace,
  type Turn,
} from '../../api/index.ts'
import { abortWith } from '../../base/abort-with.ts'
import type { Awaitable } from '../../base/awaitable.ts'
import type { Clock } from '../../base/clock.ts'
import { reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { inSpan } from '../../base/telemetry.ts'
import type { Claim, Delivery, SentAnswer, Store, TurnState } from '../../storage/store/store.ts'
import type { NextTurn } from '../../storage/store/turn-store.ts'
import type { Pipeline, Reason } from '../pipeline/pipeline.ts'
import { askedBy, currentTurn, FAILURE, startTrace, type TraceDraft } from '../pipeline/trace.ts'
import type { Deliverer, Draft, Sent } from './deliverer.ts'
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
  readonly personaIn: BotIdentity['personaIn']
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

/** A turn that runs. */
interface RunningTurn {
  readonly platform: Platform
  turn: Turn
  readonly trace: TraceDraft
  readonly lastSeq: number
  readonly controller: AbortController
  /** The turn runs again when this aborts. */
  readonly job: AbortSignal
  /** The answer that is replaced. */
  readonly revised?: SentAnswer | undefined
  /** The batch is done, without an answer. It is marked as processed when the trace is stored. */
  isProcessed: boolean
  /** The responder answers additions too. */
  joins: boolean
  /** The batch is claimed, or about to be, for an answer that people see while it is written. */
  isShown: boolean
}

export class Turns {
  readonly #options: TurnsOptions
  /** By conversation. */
  readonly #running = new Map<string, RunningTurn>()

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  get #pipeline(): Pipeline {
    return this.#options.settings.current.turns.pipeline
  }

  /**
   * Takes the next batch of a conversation through the pipeline. Rejects when `signal` aborts or the store fails: then the turn
   * must run again.
   *
   * @param trigger the last message of the batch
   * @param delayed what was decided for this batch in an earlier turn
   */
  async take(
    platform: Platform,
    me: Person,
    state: TurnState,
    trigger: Message,
    delayed: DecisionToSpeak | undefined,
    signal: AbortSignal,
  ): Promise<Next | undefined> {
    const { store, guard, log, observer, stopping } = this.#options
    const { conversation, lastSeq, revises } = state
    using watched = guard.watch(conversation)
    const answer = revises && (await store.answer(conversation, revises))
    const now = this.#begin(platform, state, trigger, me, answer, signal)
    const { trace } = now
    const work = { trace, conversation, ...askedBy(now.turn) }
    using _following = abortWith(now.controller, [signal, watched.signal])
    this.#running.set(conversation.id, now)
    const decided = watched.signal.aborted
      ? ({ kind: 'silent', why: reason(watched.signal.reason) } as const)
      : revises
        ? revision(now.turn)
        : delayed
    const running = inSpan('turn', { 'kikimimi.platform': platform.name, 'kikimimi.turn': trace.turn }, async span => {
      const followed = await currentTurn.run(work, () => this.#run(now, decided))
      span.setAttributes({
        'kikimimi.addressed': trace.addressed ?? 'no',
        'kikimimi.decision': trace.decision?.kind ?? 'none',
        'kikimimi.outcome': trace.outcome,
      })
      return followed
    })
    const next = await running.finally(() => this.#running.delete(conversation.id))
    // The bot is stopping: the job must fail, so that the next start runs the turn again.
    signal.throwIfAborted()
    // What it was about to say when it was stopped is not said when it may speak again.
    const processed = now.isProcessed || watched.signal.aborted ? lastSeq : undefined
    observer?.turn(platform.name, trace)
    try {
      await store.keepTrace(trace, processed)
    } catch (error) {
      // The turn is done. A trace that cannot be stored must not repeat it.
      log.warn(`could not store a trace: ${reason(error)}`, { turn: trace.turn })
      if (processed !== undefined) await store.markProcessed(conversation.id, processed)
    }
    await this.#pipeline.after(now.turn, trace, stopping)
    return next
  }

  /** Reports a newer message. It cancels an unasked turn. */
  overtaken(conversation: string, message: string): void {
    const now = this.#running.get(conversation)
    // The turn may have begun directly after the message was recorded, and contain it.
    const isNewer = now?.turn.messages.every(({ id }) => id !== message)
    if (now && isNewer && !now.turn.addressed) now.controller.abort(new Error('a newer message arrived'))
  }

  /** Cancels the answer to the batch that ends with `lastSeq`. */
  cancelled(conversation: string, lastSeq: number): void {
    const now = this.#running.get(conversation)
    if (now?.lastSeq === lastSeq) now.controller.abort(new Error('it was cancelled'))
  }

  /** A message was deleted, or its text is `text` now. Whether that cancels the turn that answers it. */
  withdrawn(conversation: string, message: string, text?: string): boolean {
    const now = this.#running.get(conversation)
    if (now?.trace.trigger !== message || now.turn.messages.some(one => one.id === message && one.text === text)) return false
    now.controller.abort(new Error(CLAIM_LOST[text === undefined ? 'deleted' : 'edited']))
    return true
  }

  #begin(
    platform: Platform,
    { conversation, batch, lastSeq, history, lastReplyAt, revises }: TurnState,
    message: Message,
    me: Person,
    answer: SentAnswer | undefined,
    job: AbortSignal,
  ): RunningTurn {
    const { clock, random, personaIn } = this.#options
    const controller = new AbortController()
    const turn: Turn = {
      id: `${clock.now().toString(36)}-${Math.floor(random() * 36 ** 8).toString(36)}`,
      conversation,
      messages: batch.map(entry => entry.message),
      message,
      history,
      added: [],
      takeAdditions: () => this.#takeAdditions(now),
      ...(revises && answer && { revises: { how: revises.how, text: answer.text } }),
      ...(message.addressed && { addressed: message.addressed }),
      ...(lastReplyAt && { lastReplyAt }),
      me,
      persona: personaIn(conversation),
      sources: [],
      signal: controller.signal,
    }
    const trace = startTrace(turn, new Date(clock.now()))
    const state = { isProcessed: false, joins: false, isShown: false }
    const now: RunningTurn = { platform, turn, trace, lastSeq, controller, job, revised: answer, ...state }
    return now
  }

  /** See `Turn.takeAdditions`. */
  async #takeAdditions(now: RunningTurn): Promise<readonly Message[]> {
    const { conversation, message, me } = now.turn
    const added = now.turn.added as Message[]
    if (!message.addressed || this.#running.get(conversation.id) !== now) return []
    now.joins = true
    const news: Message[] = []
    for (const one of await this.#options.store.since(conversation.id, now.lastSeq)) {
      const isNew = isAddition(one, message, me) && added.every(({ id }) => id !== one.id)
      if (isNew && !(await this.#pipeline.isSeparate(now.turn, one, now.trace))) news.push(one)
    }
    if (now.isShown) return []
    added.push(...news)
    return news
  }

  async #run(now: RunningTurn, decided: Decision | undefined): Promise<Next | undefined> {
    const { surround, clock } = this.#options
    const { trace, lastSeq } = now
    const surroundings = decided?.kind === 'silent' ? undefined : await surround?.(now.turn, trace)
    if (surroundings) now.turn = { ...now.turn, surroundings }
    const decision = decided ?? (await this.#pipeline.judge(now.turn, trace))
    trace.decision ??= decision
    const named = now.turn.messages.find(({ id }) => id === decision.message)
    if (named && !now.turn.addressed) {
      trace.trigger = named.id
      now.turn = { ...now.turn, message: named }
    }
    const { signal } = now.turn
    if (signal.aborted && decided?.kind !== 'silent') return end(trace, 'cancelled', signal.reason)
    if (decision.kind === 'silent') return done(now)
    if (decision.delayMs && !decided) {
      trace.outcome = 'delayed'
      const { delayMs, ...rest } = decision
      const at = clock.now() + delayMs
      return { at, delayed: { decision: rest, lastSeq, at } }
    }
    const endTyping = decision.kind === 'react' ? undefined : this.#beginTyping(now)
    try {
      return await this.#answer(now, decision)
    } finally {
      endTyping?.()
    }
  }

  async #answer(now: RunningTurn, decision: DecisionToSpeak, attempt = 1): Promise<Next | undefined> {
    const { delivery, clock, apologize } = this.#options
    const { platform, turn, trace, revised } = now
    const { conversation, signal } = turn
    // Once a tool has acted, or after so many attempts, what the author adds gets a turn of its own.
    const joins = () => (now.joins && !trace.tools && attempt < ATTEMPTS ? 'author' : undefined)
    const draft = await this.#draft(now, decision, joins)
    const answering = this.#pipeline.answer(draft ? { ...turn, show: draft.show } : turn, decision, trace)
    const made = await answering.finally(() => draft?.end())
    if (draft && (await draft.end())) return this.#finish(now, draft, made)
    if (signal.aborted) return end(trace, 'cancelled', signal.reason)
    if (made?.kind === 'silent') return done(now, made.why)
    if (!made) end(trace, 'failed', FAILURE.unanswered)
    const withdrawn = made && (await this.#unwanted(now, made))
    if (made && signal.aborted) return end(trace, 'cancelled', signal.reason)
    if (withdrawn) {
      trace.by = withdrawn.plugin
      end(trace, 'cancelled', withdrawn.why)
      return done(now)
    }
    const reply = made ?? (turn.addressed && !revised ? await apologize(trace) : undefined)
    const answers = { message: turn.message.id, isCall: turn.addressed !== undefined }
    const parts = reply ? delivery.prepare(platform, conversation, turn.id, reply, answers) : []
    const deliveries = revised ? replacing(revised, parts) : parts
    if (deliveries.length === 0) {
      if (made) end(trace, 'failed', `${platform.name} cannot show a ${made.kind}`)
      return done(now)
    }
    let claimed = await this.#claim(now, deliveries, turn.addressed ? joins() : 'anyone')
    if (claimed === 'newer' && turn.addressed) {
      if ((await turn.takeAdditions()).length > 0) return this.#answer(now, decision, attempt + 1)
      claimed = await this.#claim(now, deliveries)
    }
    if (claimed !== 'mine') {
      end(trace, 'cancelled', CLAIM_LOST[claimed])
      // The rest of the batch may still need an answer.
      return claimed === 'taken' || claimed === 'newer' ? undefined : { at: clock.now() }
    }
    return this.#send(now, deliveries, made)
  }

  async #send(now: RunningTurn, deliveries: readonly Delivery[], made: Reply | undefined): Promise<Next | undefined> {
    const { delivery, store, stopping } = this.#options
    const { platform, turn, trace, revised } = now
    trace.answers = covered(turn).map(({ id }) => id)
    const where = revised?.thread === undefined ? turn.conversation : inThread(turn.conversation, revised.thread)
    const next = conclude(trace, made, await delivery.send(platform, where, deliveries, stopping))
    const surplus = revised?.messages.slice(deliveries.length) ?? []
    if (surplus.length > 0 && trace.outcome === 'replied')
      await delivery.remove(platform, where, surplus, store.retract, stopping)
    return next
  }

  async #claim({ turn, lastSeq }: RunningTurn, deliveries: readonly Delivery[], unlessNewer?: Claim['unlessNewer']) {
    const { store, clock } = this.#options
    const { conversation, id } = turn
    const at = new Date(clock.now())
    return store.claim({ conversation, turn: id, lastSeq, unlessNewer, covers: covered(turn), deliveries, at })
  }

  /** An answer that people see while it is written. Nothing where they see it when it is whole. */
  async #draft(now: RunningTurn, { kind }: DecisionToSpeak, joins: () => Claim['unlessNewer']): Promise<Draft | undefined> {
    const { platform, turn } = now
    const canShow = kind === 'full' && turn.addressed && !now.revised && platform.edit && platform.delete
    if (!canShow || !(await platform.streams?.(turn.conversation, turn.message.id))) return undefined
    const claim = async (deliveries: readonly Delivery[]) => {
      const [{ body: text = '' } = {}] = deliveries
      now.isShown = true
      now.isShown =
        !(await this.#unwanted(now, { kind: 'text', text })) && (await this.#claim(now, deliveries, joins())) === 'mine'
      return now.isShown
    }
    return this.#options.delivery.draft(platform, turn, claim, this.#options.stopping)
  }

  /** Ends an answer of which people have seen a part. */
  async #finish(now: RunningTurn, draft: Draft, made: Reply | Silence | undefined): Promise<Next | undefined> {
    const { store, clock, apologize } = this.#options
    const { turn, trace } = now
    if (draft.shown) trace.shown = draft.shown
    if (turn.signal.aborted) {
      end(trace, 'cancelled', turn.signal.reason)
      const isAnsweredAgain = now.job.aborted || reason(now.controller.signal.reason) === CLAIM_LOST.edited
      if (isAnsweredAgain) await store.reopen(turn.conversation, turn.id)
      const retryAt = await draft.withdraw()
      return isAnsweredAgain ? { at: retryAt ?? clock.now() } : at(retryAt)
    }
    if (made?.kind === 'silent') trace.why = made.why
    if (!made) end(trace, 'failed', FAILURE.unanswered)
    const text = made ?? (await apologize(trace)) ?? { kind: 'text' as const, text: '' }
    if (text.kind !== 'text') return at(await draft.withdraw())
    trace.answers = covered(turn).map(({ id }) => id)
    const sent = await draft.complete(text)
    if (draft.shown) trace.shown = draft.shown
    return conclude(trace, made?.kind === 'text' ? made : undefined, sent)
  }

  /** Why an answer to a mention is no longer needed. An unasked answer is cancelled without asking plugins. */
  async #unwanted({ turn, lastSeq, trace }: RunningTurn, made: Reply): Promise<Reason | undefined> {
    if (!turn.addressed || !this.#pipeline.has('beforeSend')) return undefined
    const news = await this.#options.store.since(turn.conversation.id, lastSeq)
    return news.length > 0 ? this.#pipeline.beforeSend(turn, news, made, trace) : undefined
  }

  /** Never waited for: a platform that is slow to show it must not slow the answer. */
  #beginTyping({ platform, turn: { conversation, message, signal } }: RunningTurn): (() => void) | undefined {
    if (!platform.typing) return undefined
    const begun = Promise.try(() => platform.typing?.(conversation, signal, message.id))
    begun.catch(error =>
      this.#options.log.debug(`typing could not be shown: ${reason(error)}`, { conversation: conversation.id }),
    )
    return () => void begun.then(end => end?.()).catch(() => {})
  }
}

/** The messages that an answer answers. */
function covered({ message, added }: Turn): readonly Message[] {
  return [message, ...added]
}

/** Ends a turn without an answer. */
function done(now: RunningTurn, why?: string): undefined {
  now.isProcessed = true
  if (why !== undefined) now.trace.why = why
}

function end(trace: TraceDraft, outcome: 'cancelled' | 'failed', why: unknown): undefined {
  trace.outcome = outcome
  trace.why = reason(why)
}

function conclude(trace: TraceDraft, made: Reply | undefined, { ids, problem, retryAt }: Sent): Next | undefined {
  trace.sent.push(...ids)
  if (problem !== undefined) end(trace, 'failed', problem)
  else if (made) trace.outcome = 'replied'
  if (problem !== undefined && retryAt !== undefined) trace.outcome = 'delayed'
  return at(retryAt)
}

/** A person wants another answer: nothing is left to decide, unless the answer was deleted. */
function revision({ revises }: Turn): Decision {
  return revises ? { kind: 'full', why: `asked for another answer (${revises.how})` } : GONE
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

/** The parts of an answer that takes the place of an earlier one. */
function replacing({ messages, thread }: SentAnswer, parts: readonly Delivery[]): readonly Delivery[] {
  const where = thread !== undefined && { thread }
  return parts.map((part, index) => {
    const message = part.kind === 'text' ? messages[index] : undefined
    return message === undefined ? part : { ...part, message, ...where }
  })
}

const at = (time: number | undefined): Next | undefined => (time === undefined ? undefined : { at: time })
