/**
 * From a message to a turn.
 *
 * An arriving message is filtered, recorded once, and leads to a look at its conversation: at once when it
 * addresses the bot, otherwise when the talk has settled. A look is a durable job under the conversation's id,
 * so at most one waits and at most one runs, and a crash loses none. It takes the batch of messages since the
 * last look through the pipeline. Whoever claims a batch owns its answer; a batch is claimed once.
 */
import type { Clock } from './clock.ts'
import type { Deliverer } from './deliver.ts'
import { reason } from './errors.ts'
import { cleanConversation, cleanMessage } from './incoming.ts'
import type { Jobs } from './jobs.ts'
import { ignored, type Listen } from './listen.ts'
import type { Logger } from './log.ts'
import type { Pipeline } from './pipeline.ts'
import type { Address, Conversation, DecisionToSpeak, IncomingMessage, Message, Platform, Turn } from './plugin.ts'
import type { Entry, Look, Store } from './store.ts'
import { currentTrace, startTrace, type TraceDraft } from './trace.ts'

export interface ConversationsOptions {
  readonly store: Store
  readonly jobs: Jobs
  readonly pipeline: Pipeline
  readonly deliverer: Deliverer
  readonly platforms: ReadonlyMap<string, Platform>
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  readonly listen: Listen
  readonly pacing: Pacing
  /** Working memory: how many messages, and how long they are remembered. */
  readonly memory: { readonly size: number; readonly ttlMs: number }
  /** Said when answering somebody who addressed the bot fails; nothing when absent. */
  readonly apology?: string
  /** Aborted when the bot stops and will wait no longer. */
  readonly stopping: AbortSignal
}

export interface Pacing {
  /** How long a conversation must be quiet before it is judged. */
  readonly minWaitMs: number
  /** The share by which that wait varies, so that the bot is no clockwork: 0.3 is ±30 %. */
  readonly jitter: number
  /** After this long it is judged even when it never becomes quiet. */
  readonly maxWaitMs: number
}

export interface Conversations {
  /** Resolves once the message is recorded or dropped; with `false` when it was dropped or is known already. */
  receive(platform: Platform, message: IncomingMessage): Promise<boolean>
  edit(conversation: Omit<Conversation, 'id'>, message: string, text: string): Promise<void>
  remove(conversation: Omit<Conversation, 'id'>, message: string): Promise<void>
}

/** What a look job carries. */
interface LookPayload {
  readonly conversation: string
  readonly settleMs: number
  /** A decision that was delayed, for the batch that ends with `upto`. */
  readonly decision?: DecisionToSpeak
  readonly upto?: number
}

/** A look this process has scheduled and not yet begun. */
interface Awaited {
  readonly due: number
  /** The transaction that should have scheduled it failed. */
  failed: boolean
}

/** Forgetting an awaited look costs a statement, no more. */
const AWAITED = 10_000

export function createConversations(options: ConversationsOptions): Conversations {
  const { store, jobs, pipeline, deliverer, platforms, clock, random, log, listen, pacing, memory, apology, stopping } = options
  const awaited = new Map<string, Awaited>()
  const running = new Map<string, { readonly controller: AbortController; readonly turn: Turn }>()

  jobs.define('look', { lane: 'turn', retries: 3, run: (payload, signal) => look(payload as LookPayload, signal) })

  // -------------------------------------------------------------- arrival

  async function receive(platform: Platform, given: IncomingMessage): Promise<boolean> {
    const conversation = cleanConversation(given.conversation)
    const message = cleanMessage(given)
    const now = clock.now()
    if (message.author.id === platform.me.id) {
      return store.record(conversation, recorded(message, { own: true }), new Date(now))
    }
    const why = ignored(message, conversation, listen) ?? (await pipeline.filter(message, stopping))
    if (why !== undefined) {
      log.debug(`dropped: ${why}`, { conversation: conversation.id, message: message.id })
      return false
    }
    const addressed = await addressedBy(platform, message, conversation)
    return record(conversation, recorded(message, { own: false, addressed }), now)
  }

  async function addressedBy(
    platform: Platform,
    message: IncomingMessage,
    conversation: Conversation,
  ): Promise<Address | undefined> {
    if (message.mentions?.some(({ id }) => id === platform.me.id)) return 'mention'
    const { replyTo } = message
    if (replyTo) {
      const { author } = replyTo
      if (author === undefined ? await store.isOwn(conversation, replyTo.id) : author === platform.me.id) return 'reply'
    }
    if (conversation.visibility === 'direct') return 'direct'
    return pipeline.address(message, stopping)
  }

  async function record(conversation: Conversation, message: Message, now: number): Promise<boolean> {
    const settleMs = message.addressed ? 0 : Math.round(pacing.minWaitMs * (1 + pacing.jitter * (2 * random() - 1)))
    const known = awaited.get(conversation.id)
    // The first message of a batch schedules its look; a look that comes too early moves itself.
    const alreadyAwaited = known !== undefined && known.due > now && !message.addressed
    const wanted: Awaited = alreadyAwaited ? known : { due: now + settleMs, failed: false }
    const schedule = () => scheduleLook({ conversation: conversation.id, settleMs }, wanted.due, message.addressed !== undefined)
    if (!alreadyAwaited) expect(conversation.id, wanted)

    let isNew = false
    try {
      isNew = await store.record(conversation, message, new Date(now), alreadyAwaited ? undefined : schedule)
    } finally {
      if (!isNew && !alreadyAwaited) {
        wanted.failed = true
        if (awaited.get(conversation.id) === wanted) awaited.delete(conversation.id)
      }
    }
    // The awaited look was never scheduled, or began before the message was there to be seen.
    if (isNew && alreadyAwaited && (wanted.failed || awaited.get(conversation.id) !== wanted)) await schedule()
    // What an unasked turn was about to say was meant for an older state of the talk.
    const turn = running.get(conversation.id)
    if (isNew && turn && !turn.turn.addressed) turn.controller.abort(new Error('something newer was said'))
    return isNew
  }

  function expect(conversation: string, look: Awaited): void {
    awaited.delete(conversation)
    awaited.set(conversation, look)
    if (awaited.size > AWAITED) awaited.delete(awaited.keys().next().value ?? '')
  }

  const scheduleLook = (payload: LookPayload, due: number, urgent = false) =>
    jobs.schedule('look', payload, { at: new Date(due), key: payload.conversation, unlessSooner: true, urgent })

  // -------------------------------------------------------------- a look

  async function look(payload: LookPayload, signal: AbortSignal): Promise<void> {
    // Before reading: whatever is recorded from here on schedules a look of its own.
    awaited.delete(payload.conversation)
    const state = await store.look(payload.conversation, memory.size, new Date(clock.now() - memory.ttlMs))
    if (!state) return
    const platform = platforms.get(state.conversation.platform)
    if (!platform) {
      log.warn(`no plugin provides the platform "${state.conversation.platform}" any more`, {
        conversation: state.conversation.id,
      })
      return
    }
    await deliverer.resume(platform, state.conversation, stopping)

    const last = state.batch.at(-1)
    if (!last) return
    const decision = payload.upto === last.seq ? payload.decision : undefined
    const due = decision ? 0 : settledAt(state.batch, payload.settleMs)
    if (due > clock.now()) {
      expect(payload.conversation, { due, failed: false })
      await scheduleLook({ conversation: payload.conversation, settleMs: payload.settleMs }, due)
      return
    }
    await takeTurn(platform, state, last, decision, signal)
  }

  /** When the batch may be judged: at once when somebody calls, else when the talk has been quiet, or never is. */
  function settledAt(batch: readonly Entry[], settleMs: number): number {
    const [first] = batch
    const last = batch.at(-1)
    if (!first || !last || batch.some(({ message }) => message.addressed)) return 0
    return Math.min(last.receivedAt.getTime() + settleMs, first.receivedAt.getTime() + pacing.maxWaitMs)
  }

  async function takeTurn(
    platform: Platform,
    { conversation, batch, history, lastReplyAt }: Look,
    last: Entry,
    delayed: DecisionToSpeak | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const controller = new AbortController()
    const calling = batch.findLast(({ message }) => message.addressed)
    const message = (calling ?? last).message
    const turn: Turn = {
      id: `${clock.now().toString(36)}-${Math.floor(random() * 36 ** 8).toString(36)}`,
      conversation,
      messages: batch.map(entry => entry.message),
      message,
      history,
      ...(message.addressed && { addressed: message.addressed }),
      ...(lastReplyAt && { lastReplyAt }),
      me: platform.me,
      signal: AbortSignal.any([controller.signal, signal]),
    }
    const trace = startTrace(turn, new Date(clock.now()))
    running.set(conversation.id, { controller, turn })
    try {
      await currentTrace.run(trace, () => go(platform, turn, last.seq, delayed, trace))
    } finally {
      running.delete(conversation.id)
    }
    // The bot is stopping: the job must fail, so that the next start takes it up again.
    signal.throwIfAborted()
    await store.keepTrace(trace)
    await pipeline.after(turn, trace)
  }

  async function go(
    platform: Platform,
    turn: Turn,
    upto: number,
    delayed: DecisionToSpeak | undefined,
    trace: TraceDraft,
  ): Promise<void> {
    const decision = delayed ?? (await pipeline.judge(turn, trace))
    trace.decision ??= decision
    if (turn.signal.aborted) return cancel(trace, turn.signal.reason)
    if (decision.kind === 'silent') return store.settle(turn.conversation.id, upto)
    if (decision.delayMs && !delayed) {
      trace.outcome = 'delayed'
      const { delayMs, ...rest } = decision
      const payload: LookPayload = { conversation: turn.conversation.id, settleMs: 0, decision: rest, upto }
      return jobs.schedule('look', payload, {
        at: new Date(clock.now() + delayMs),
        key: turn.conversation.id,
        unlessSooner: true,
      })
    }
    const endTyping = decision.kind === 'react' ? undefined : beginTyping(platform, turn)
    try {
      await answer(platform, turn, upto, decision, trace)
    } finally {
      endTyping?.()
    }
  }

  async function answer(
    platform: Platform,
    turn: Turn,
    upto: number,
    decision: DecisionToSpeak,
    trace: TraceDraft,
  ): Promise<void> {
    const made = await pipeline.answer(turn, decision, trace)
    if (turn.signal.aborted) return cancel(trace, turn.signal.reason)
    if (!made) fail(trace, 'no responder had an answer')
    const reply = made ?? (turn.addressed && apology ? { kind: 'text' as const, text: apology } : undefined)
    const deliveries = reply ? deliverer.prepare(platform, turn.id, reply, turn.message.id) : []
    if (deliveries.length === 0) {
      if (made) fail(trace, `${platform.name} cannot show a ${made.kind}`)
      return store.settle(turn.conversation.id, upto)
    }
    const claimed = await store.claim({
      conversation: turn.conversation,
      turn: turn.id,
      upto,
      unlessNewer: !turn.addressed,
      trigger: turn.message.id,
      deliveries,
      at: new Date(clock.now()),
    })
    if (claimed !== 'mine') {
      cancel(trace, CLAIM_LOST[claimed])
      // The rest of the batch may still want something.
      if (claimed === 'deleted') await scheduleLook({ conversation: turn.conversation.id, settleMs: 0 }, clock.now())
      return
    }
    const { ids, problem } = await deliverer.send(platform, turn.conversation, deliveries, stopping)
    trace.sent.push(...ids)
    if (problem !== undefined) fail(trace, problem)
    else if (made) trace.outcome = 'replied'
  }

  /** Never waited for: a platform that is slow to show it must not slow the answer. */
  function beginTyping(platform: Platform, turn: Turn): () => void {
    const begun = (async () => platform.typing?.(turn.conversation, turn.signal))().catch((error: unknown) => {
      log.debug(`typing could not be shown: ${reason(error)}`, { conversation: turn.conversation.id })
    })
    return () => void begun.then(end => end?.())
  }

  return {
    receive,

    async edit(given, message, text) {
      await store.edit(cleanConversation(given), message, text, new Date(clock.now()))
    },

    async remove(given, message) {
      const conversation = cleanConversation(given)
      await store.remove(conversation, message, new Date(clock.now()))
      const answering = running.get(conversation.id)
      if (answering?.turn.message.id !== message) return
      answering.controller.abort(new Error('the message was deleted'))
      // The rest of the batch may still want something.
      await scheduleLook({ conversation: conversation.id, settleMs: 0 }, clock.now())
    },
  }
}

const CLAIM_LOST = {
  taken: 'another process has answered',
  newer: 'something newer was said',
  deleted: 'the message was deleted',
} as const

function cancel(trace: TraceDraft, why: unknown): void {
  trace.outcome = 'cancelled'
  trace.why = reason(why)
}

function fail(trace: TraceDraft, why: string): void {
  trace.outcome = 'failed'
  trace.why = why
}

function recorded(message: IncomingMessage, { own, addressed }: { own: boolean; addressed?: Address | undefined }): Message {
  const { id, author, text, at, mentions = [], replyTo, attachments = [] } = message
  return {
    id,
    author,
    text,
    at,
    mentions,
    ...(replyTo && { replyTo: replyTo.id }),
    attachments,
    own,
    ...(addressed && { addressed }),
  }
}
