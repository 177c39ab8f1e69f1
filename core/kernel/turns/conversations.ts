/**
 * From a message to a turn.
 *
 * An arriving message is filtered, recorded once, and leads to a look at its conversation: at once when it
 * addresses the bot, otherwise when the talk has settled. A look is a durable job under the conversation's id,
 * so at most one waits and at most one runs, and a crash loses none. It takes the batch of messages since the
 * last look through the pipeline. Whoever claims a batch owns its answer; a batch is claimed once.
 */

import type { Address, Conversation, Drop, IncomingMessage, Message, Platform, ReactionChange, Reply } from '../../api/index.ts'
import { milliseconds } from '../../base/duration.ts'
import { KikimimiError } from '../../base/errors.ts'
import type { ReloadBarrier } from '../../base/reload-barrier.ts'
import { createCatchUp, type Some } from '../../features/catch-up/catch-up.ts'
import { halted } from '../../features/stop/emergency-stop.ts'
import type { TurnJob } from '../../features/upcoming/upcoming.ts'
import type { Jobs } from '../../storage/jobs/jobs.ts'
import type { TurnState } from '../../storage/store/store.ts'
import { toDrop } from './drop.ts'
import { ignored } from './listen.ts'
import { sanitizeConversation, sanitizeEmoji, sanitizeId, sanitizeMessage, sanitizeText } from './sanitize-input.ts'
import { recorded } from './to-message.ts'
import { createTurns, type TurnsOptions } from './turns.ts'

export interface ConversationsOptions extends TurnsOptions {
  readonly jobs: Jobs
  readonly platforms: ReadonlyMap<string, Platform>
  /** Other processes may look at the same conversations. */
  readonly shared: boolean
  /** Hears of every message that a platform hands in. */
  readonly onMessage?: (platform: string, recorded: boolean) => void
  /** Hears of every message that is dropped. */
  readonly onDrop?: (drop: Drop) => void
  /** What every message that arrives passes through. */
  readonly gate: ReloadBarrier
}

export interface Conversations {
  /** Resolves once the message is recorded or dropped; with `false` when it was dropped or is known already. */
  receive(platform: Platform, message: IncomingMessage): Promise<boolean>
  /** See `PluginContext.heed`. */
  heed(platform: Platform, message: IncomingMessage): void
  /** An answer that had been delayed was called off; its turn may have begun. */
  cancelled(conversation: string, lastSeq: number): void
  /** See `PluginContext.trackPosition`. */
  trackPosition(platform: Platform, only?: Some): Promise<() => Promise<void>>
  /** Says something unasked; rejects when it could not be sent. Returns the ids of what was posted. */
  send(platform: Platform, conversation: Omit<Conversation, 'id'>, reply: Reply): Promise<readonly string[]>
  edit(conversation: Omit<Conversation, 'id'>, message: string, text: string): Promise<void>
  remove(conversation: Omit<Conversation, 'id'>, message: string): Promise<void>
  reaction(conversation: Omit<Conversation, 'id'>, message: string, change: ReactionChange): Promise<void>
}

/** A look this process has scheduled and not yet begun. */
interface Awaited {
  readonly due: number
  /** The transaction that should have scheduled it failed. */
  failed: boolean
}

/** What is being sent is sent by then, or never will be by who began it. */
const SENT_BY_THEN = 2 * 60_000

/** Forgetting an awaited look costs a statement, no more. */
const AWAITED = 10_000

/** What a message that arrives is called at the gate. */
export const ARRIVAL = 'arrival'

/** That those who want to know hear of a drop. */
const DROP = 'drop'

export function createConversations(options: ConversationsOptions): Conversations {
  const { store, jobs, manner, gate, deliverer, halt, platforms, clock, random, log, shared, stopping } = options
  const awaited = new Map<string, Awaited>()
  const turns = createTurns(options)
  const catchUp = createCatchUp({ store, clock, log, stopping, take: (platform, message) => receive(platform, message, true) })

  // A look that ends as failed is taken up by the next message there: many tries, for each kill of the process costs one.
  jobs.define('turn', { lane: 'turn', retries: 10, run: (payload, signal) => look(payload as TurnJob, signal) })

  // -------------------------------------------------------------- arrival

  /** @param missed read later, from the platform's history */
  async function receive(platform: Platform, given: IncomingMessage, missed = false): Promise<boolean> {
    const conversation = sanitizeConversation(given.conversation)
    const message = sanitizeMessage(given)
    const now = clock.now()
    // Before anything that could fail or take time.
    if (!missed) heed(platform, message)
    if (message.author.id === platform.me.id) {
      return store.record(conversation, recorded(message, { own: true }), new Date(now))
    }
    // While a reload puts other plugins in their places it waits: it is not received until it is recorded.
    return gate.pass(ARRIVAL, () => takeIn(platform, conversation, message, missed))
  }

  async function takeIn(
    platform: Platform,
    conversation: Conversation,
    message: IncomingMessage,
    missed: boolean,
  ): Promise<boolean> {
    const now = clock.now()
    const left = ignored(message, conversation, manner.listen)
    const unwanted = left === undefined ? await manner.pipeline.filter(message, stopping) : { why: left }
    stopping.throwIfAborted()
    if (unwanted) {
      log.debug(`dropped: ${unwanted.why}`, { conversation: conversation.id, message: message.id })
      const drop = toDrop(message, conversation, unwanted, new Date(now))
      options.onDrop?.(drop)
      // Never waited for: who listens must not hold up what people say.
      void gate.pass(DROP, () => manner.pipeline.onDropped(drop, stopping))
      return false
    }
    const addressed = await addressedBy(platform, message, conversation)
    // A plugin that was interrupted has said nothing: the platform must not take this for received.
    stopping.throwIfAborted()
    // An order may have been taken back since, and to one there is nothing to say.
    const isLeft = () =>
      !addressed || halt.isOrder(message, platform.me) || now - message.at.getTime() > milliseconds(manner.listen.missed ?? '10m')
    if (missed && isLeft()) {
      return store.record(conversation, recorded(message, { own: false, missed }), new Date(now))
    }
    return record(conversation, recorded(message, { own: false, addressed }), now)
  }

  function heed(platform: Platform, message: IncomingMessage): void {
    if (message.admin) halt.heed(sanitizeConversation(message.conversation), sanitizeMessage(message), platform.me)
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
    return manner.pipeline.address(message, stopping)
  }

  async function record(conversation: Conversation, message: Message, now: number): Promise<boolean> {
    manner.pacing.heard(conversation, message.author.id, now)
    const debounceMs = message.addressed ? 0 : manner.pacing.debounceMs(conversation)
    const known = awaited.get(conversation.id)
    // What is awaited for later than that was meant for another time: the clock has been set back.
    const latest = now + Math.max(debounceMs, manner.pacing.maxWaitMs(conversation))
    // The first message of a batch schedules its look; a look that comes too early moves itself. Where another process
    // may have taken that look, only the database knows.
    const alreadyAwaited = !shared && known !== undefined && known.due > now && known.due <= latest && !message.addressed
    const wanted: Awaited = alreadyAwaited ? known : { due: now + debounceMs, failed: false }
    const schedule = () =>
      scheduleTurn({ conversation: conversation.id, debounceMs }, wanted.due, message.addressed !== undefined)
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
    if (isNew) turns.overtaken(conversation.id, message.id)
    return isNew
  }

  function expect(conversation: string, look: Awaited): void {
    awaited.delete(conversation)
    awaited.set(conversation, look)
    if (awaited.size > AWAITED) awaited.delete(awaited.keys().next().value ?? '')
  }

  const scheduleTurn = (payload: TurnJob, due: number, urgent = false) =>
    jobs.schedule('turn', payload, { at: new Date(due), key: payload.conversation, unlessSooner: true, urgent })

  // -------------------------------------------------------------- a look

  async function look(payload: TurnJob, signal: AbortSignal): Promise<void> {
    // Before reading: whatever is recorded from here on schedules a look of its own.
    awaited.delete(payload.conversation)
    await halt.refresh()
    const state = await store.loadTurn(payload.conversation, manner.memory.size, new Date(clock.now() - manner.memory.ttlMs))
    if (!state) return
    const platform = platforms.get(state.conversation.platform)
    if (!platform) {
      log.warn(`no plugin provides the platform "${state.conversation.platform}" any more`, {
        conversation: state.conversation.id,
      })
      return
    }
    const again = state.unfinished ? await deliverer.resume(platform, state.conversation, stopping) : undefined
    if (again !== undefined) await scheduleTurn({ conversation: payload.conversation, debounceMs: payload.debounceMs }, again)

    const last = state.batch.at(-1)
    if (!last) return
    // A newer message calls a delayed answer off, and judging starts over.
    const decided = payload.delayed?.lastSeq === last.seq ? payload.delayed.decision : undefined
    const due = decided ? 0 : dueAt(state, payload.debounceMs)
    if (due > clock.now()) {
      expect(payload.conversation, { due, failed: false })
      await scheduleTurn({ conversation: payload.conversation, debounceMs: payload.debounceMs }, due)
      return
    }
    const next = await turns.take(platform, state, last, decided, signal)
    if (!next) return
    const { at, delayed } = next
    await scheduleTurn(
      {
        conversation: payload.conversation,
        debounceMs: manner.pacing.debounceMs(state.conversation),
        ...(delayed && { delayed }),
      },
      at,
    )
  }

  /** When the batch may be judged: at once when somebody calls, else when the talk has been quiet, or never is. */
  function dueAt({ batch, waitingSince, conversation }: TurnState, debounceMs: number): number {
    const last = batch.at(-1)
    if (!waitingSince || !last || batch.some(({ message }) => message.addressed)) return 0
    return Math.min(last.receivedAt.getTime() + debounceMs, waitingSince.getTime() + manner.pacing.maxWaitMs(conversation))
  }

  return {
    async receive(platform, message) {
      const recorded = await receive(platform, message)
      options.onMessage?.(platform.name, recorded)
      return recorded
    },

    heed,
    cancelled: turns.cancelled,
    trackPosition: catchUp.trackPosition,

    async send(platform, given, reply) {
      const conversation = sanitizeConversation(given)
      if (halt.of(conversation)) throw halted()
      const now = clock.now()
      const id = `send-${now.toString(36)}-${Math.floor(random() * 36 ** 8).toString(36)}`
      const deliveries = deliverer.prepare(platform, id, reply, undefined)
      if (deliveries.length === 0) throw new KikimimiError('SEND_FAILED', `${platform.name} cannot show a ${reply.kind} there.`)
      // What a crash leaves of it is finished by a look.
      const check = () =>
        scheduleTurn({ conversation: conversation.id, debounceMs: manner.pacing.debounceMs(conversation) }, now + SENT_BY_THEN)
      await store.enqueue(conversation, deliveries, new Date(now), check)
      const { ids, problem } = await deliverer.send(platform, conversation, deliveries, stopping)
      if (problem !== undefined) throw new KikimimiError('SEND_FAILED', `${platform.name} did not take the message: ${problem}`)
      return ids
    },

    async edit(given, message, text) {
      const conversation = sanitizeConversation(given)
      const now = clock.now()
      catchUp.changed(conversation, message, { text: sanitizeText(text) })
      const waits = await store.edit(conversation, sanitizeId(message), sanitizeText(text), new Date(now))
      turns.withdrawn(conversation.id, message, 'edited')
      // What was decided for the old words is decided anew, once the person has finished editing.
      if (!waits) return
      const debounceMs = manner.pacing.debounceMs(conversation)
      const payload: TurnJob = { conversation: conversation.id, debounceMs }
      await jobs.schedule('turn', payload, { at: new Date(now + debounceMs), key: conversation.id })
    },

    async remove(given, message) {
      const conversation = sanitizeConversation(given)
      catchUp.changed(conversation, message, 'deleted')
      await store.remove(conversation, sanitizeId(message), new Date(clock.now()))
      // The rest of the batch may still want something.
      if (turns.withdrawn(conversation.id, message, 'deleted'))
        await scheduleTurn({ conversation: conversation.id, debounceMs: 0 }, clock.now())
    },

    async reaction(given, message, { emoji, by, removed }) {
      const conversation = sanitizeConversation(given)
      await store.react(conversation, sanitizeId(message), {
        emoji: sanitizeEmoji(emoji),
        by: sanitizeId(by),
        ...(removed && { removed }),
      })
    },
  }
}
