/**
 * From a message to a turn.
 * An arriving message is filtered, and recorded once together with the time of its turn: at once when it addresses the bot, otherwise
 * when the conversation has been quiet. The row of the conversation is its place in the queue of turns, so at most one turn waits, at
 * most one runs, and none is lost in a crash. A turn takes the batch of messages since the last turn through the pipeline. The process
 * that claims a batch sends its answer; a batch is claimed once.
 */

import { sanitizeConversation, sanitizeEdit, sanitizeEmoji, sanitizeId, sanitizeMessage } from '../../api/checks/sanitize.ts'
import type {
  Address,
  Arrival,
  Conversation,
  Drop,
  IncomingMessage,
  Message,
  MessageEdit,
  Person,
  Platform,
  ReactionChange,
  Slot,
} from '../../api/index.ts'
import { inBackground } from '../../base/background.ts'
import { KikimimiError } from '../../base/errors.ts'
import type { ReloadBarrier } from '../../base/reload-barrier.ts'
import type { TurnState } from '../../storage/store/store.ts'
import { toDrop, toMessage } from '../../storage/store/to-message.ts'
import type { LeasedTurn, NextTurn } from '../../storage/store/turn-store.ts'
import type { TurnQueue } from '../../storage/turns/turn-queue.ts'
import { accountIn } from './own-account.ts'
import type { CallGuard, TurnSettings } from './turn-settings.ts'
import { Turns, type TurnsOptions } from './turns.ts'

export interface ConversationsOptions extends TurnsOptions {
  readonly queue: Pick<TurnQueue, 'expect' | 'schedule'>
  readonly platforms: ReadonlyMap<string, Platform>
  /** Asked about each message that addresses the bot. A call that it refuses is talk. Absent: everybody may call it. */
  readonly callers?: CallGuard
  /** Every arriving message passes through this barrier. */
  readonly barrier: ReloadBarrier
  /** Finds a place for an arriving event, or why there is none. */
  enter(platform: Platform, arrival: Arrival): Slot | { readonly why: string }
}

/** A message has another text now, or was deleted. */
export type MessageChange = MessageEdit | 'deleted'

/** The name of arriving messages at the reload barrier. */
export const ARRIVAL = 'arrival'
const REPORT = 'report'

/** Largest number of dropped and recorded messages that plugins have not handled yet. They do not see further ones. */
const REPORTS = 1_000

export class Conversations {
  readonly #options: ConversationsOptions
  readonly #turns: Turns
  readonly #changeListeners: ((conversation: Conversation, message: string, to: MessageChange) => void)[] = []
  readonly #reactionListeners: ((conversation: Conversation, message: string, change: ReactionChange) => void)[] = []
  #reporting = 0

  constructor(options: ConversationsOptions) {
    this.#options = options
    this.#turns = new Turns(options)
  }

  get #settings(): TurnSettings {
    return this.#options.settings.current.turns
  }

  /** Runs after each reaction is recorded. */
  onReaction(run: (conversation: Conversation, message: string, change: ReactionChange) => void): void {
    this.#reactionListeners.push(run)
  }

  /** Runs before each edit and removal is recorded. */
  onChange(run: (conversation: Conversation, message: string, to: MessageChange) => void): void {
    this.#changeListeners.push(run)
  }

  // -------------------------------------------------------------- arrival

  /** See `PlatformContext.admit`. */
  admit(platform: Platform, arrival: Arrival): Slot | undefined {
    const { enter, clock } = this.#options
    const slot = enter(platform, arrival)
    if (!('why' in slot)) return slot
    this.#reportDrop(toDrop(arrival, sanitizeConversation(arrival.conversation), slot, new Date(clock.now())))
    return undefined
  }

  /** See `PlatformContext.handleStopCommand`. `receive` reports what is wrong with the message. */
  handleStopCommand(platform: Platform, message: IncomingMessage): void {
    const observe = async () => {
      const conversation = sanitizeConversation(message.conversation)
      const me = (await accountIn(platform, conversation)) ?? platform.me
      this.#options.guard.observe(conversation, sanitizeMessage(message), me)
    }
    if (message.admin) void observe().catch(() => {})
  }

  /**
   * Resolves when the message is recorded or dropped; with `false` when it was dropped or is known already.
   * @param how a place from `admit`; or `missed`: read later from the platform's history, and answered only when it addresses the bot
   *   and is recent
   * @throws OVERLOADED
   */
  async receive(platform: Platform, given: IncomingMessage, how?: Slot | 'missed'): Promise<boolean> {
    const { guard, store, clock, barrier, observer } = this.#options
    const message = sanitizeMessage(given)
    const conversation = sanitizeConversation(given.conversation)
    const me = (await accountIn(platform, conversation)) ?? platform.me
    const isOwn = message.author.id === me.id
    const takeIn = () => this.#takeIn(me, conversation, message, how === 'missed')
    const recordOwn = () => store.record(conversation, toMessage(message, { own: true }), new Date(clock.now()))
    if (how === 'missed') return isOwn ? recordOwn() : barrier.pass(ARRIVAL, takeIn)
    if (message.admin) guard.observe(conversation, message, me)
    let recorded: boolean
    if (isOwn) recorded = await recordOwn()
    else {
      using slot = how ?? this.admit(platform, { ...message, conversation, kind: isCall(message, me) ? 'call' : 'talk' })
      if (!slot) throw new KikimimiError('OVERLOADED', `${platform.name} delivers more messages than the bot can record.`)
      await slot.begin()
      // Not in the background: a filter that waits too long for the database drops its message.
      recorded = await barrier.pass(ARRIVAL, takeIn)
    }
    observer?.message(platform.name, recorded)
    return recorded
  }

  /** Calls the plugins. No wait: a handler must not delay the conversation. */
  #report(call: () => Promise<void>): void {
    if (this.#reporting >= REPORTS) return
    this.#reporting++
    void inBackground(() => this.#options.barrier.pass(REPORT, call)).finally(() => this.#reporting--)
  }

  #reportDrop(drop: Drop): void {
    this.#report(() => this.#settings.pipeline.onDropped(drop, this.#options.stopping))
  }

  #reportRecorded(message: Message, conversation: Conversation): void {
    // A reload can replace the plugins before the report passes the barrier.
    if (this.#settings.pipeline.has('onRecorded'))
      this.#report(() => this.#settings.pipeline.onRecorded(message, conversation, this.#options.stopping))
  }

  async #takeIn(me: Person, conversation: Conversation, message: IncomingMessage, missed: boolean): Promise<boolean> {
    const { clock, stopping, log, observer, callers, guard, store } = this.#options
    const { ignores, pipeline, missedMs } = this.#settings
    const now = clock.now()
    const ignored = ignores(message, conversation)
    const unwanted = ignored === undefined ? await pipeline.filter(message, stopping) : { why: ignored }
    stopping.throwIfAborted()
    if (unwanted) {
      log.debug(`dropped: ${unwanted.why}`, { conversation: conversation.id, messageId: message.id })
      const drop = toDrop(message, conversation, unwanted, new Date(now))
      observer?.dropped(drop)
      this.#reportDrop(drop)
      return false
    }
    const called = await this.#addressedBy(me, message, conversation)
    let refused = called && callers?.refuses(conversation, message.author)
    // Without a wait for an answer that is there: talk that arrives after a call must not be recorded before it.
    if (typeof refused === 'object') refused = await refused
    const addressed = refused === undefined ? called : undefined
    // An interrupted plugin gave no answer: the platform must not take the message as received.
    stopping.throwIfAborted()
    const isLeft = missed && (!addressed || guard.isCommand(conversation, message, me) || now - message.at.getTime() > missedMs)
    if (!isLeft) return this.#record(conversation, toMessage(message, { own: false, addressed, refused }), now)
    const left = toMessage(message, { own: false, missed: true })
    const isNew = await store.record(conversation, left, new Date(now))
    if (isNew) this.#reportRecorded(left, conversation)
    return isNew
  }

  async #addressedBy(me: Person, message: IncomingMessage, conversation: Conversation): Promise<Address | undefined> {
    const { store, stopping } = this.#options
    const { mentions, replyTo } = message
    if (mentions?.some(({ id }) => id === me.id)) return 'mention'
    const isReply =
      replyTo && (replyTo.author === undefined ? await store.isOwn(conversation, replyTo.id) : replyTo.author === me.id)
    if (isReply) return 'reply'
    if (conversation.visibility === 'direct') return 'direct'
    return this.#settings.pipeline.address(message, stopping)
  }

  /** How a message addresses the bot since it was edited. */
  async #addressedNow(message: Message, conversation: Conversation): Promise<Address | undefined> {
    const platform = this.#options.platforms.get(conversation.platform)
    const { replyTo: _, addressed, ...rest } = message
    if (!platform || message.own || message.missed || addressed === 'reply' || addressed === 'direct') return addressed
    return this.#addressedBy((await accountIn(platform, conversation)) ?? platform.me, { ...rest, conversation }, conversation)
  }

  async #record(conversation: Conversation, message: Message, now: number): Promise<boolean> {
    const { store, queue } = this.#options
    const { pacing } = this.#settings
    const vary = pacing.vary(conversation)
    // A turn that runs too early is scheduled again.
    const debounceMs = message.addressed ? 0 : Math.round(pacing.shortestMs(conversation) * vary)
    const recorded = await store.receive(conversation, message, new Date(now), {
      due: new Date(now + debounceMs),
      latest: new Date(now + pacing.maxWaitMs(conversation)),
      urgent: message.addressed !== undefined,
      vary,
      movesSince: new Date(now - pacing.partnersMs(conversation)),
    })
    if (!recorded) return false
    if (recorded.dueAt) queue.expect(conversation.id, recorded.dueAt)
    // Only after recording: an event that is delivered twice is one message.
    this.#reportRecorded(message, conversation)
    pacing.heard(conversation, message.author.id, now)
    // The newer message cancels an unasked answer.
    this.#turns.overtaken(conversation.id, message.id)
    return true
  }

  // -------------------------------------------------------------- a turn

  /** Takes a turn, and returns the one that follows. Rejects when it must be taken again. */
  async turn(leased: LeasedTurn, signal: AbortSignal): Promise<NextTurn | undefined> {
    const { guard, platforms, log, store, delivery, stopping } = this.#options
    const { conversation, vary, delayed, state } = leased
    await guard.refresh()
    const platform = platforms.get(state.conversation.platform)
    if (!platform) {
      log.warn(`no plugin provides the platform "${state.conversation.platform}" any more`, { conversation })
      return
    }
    const me = await accountIn(platform, state.conversation)
    if (!me) {
      log.info('ends a turn, because the bot was removed there', { conversation })
      // What was said before is not answered when the bot comes back.
      await store.markProcessed(conversation, state.lastSeq)
      return
    }
    const left = state.unfinished ? await delivery.resume(platform, state.conversation, stopping) : undefined
    const urgent = state.batch.some(({ message }) => message.addressed)
    const later = left && { at: left.at, vary, urgent, ...(delayed && { delayed }) }
    // The platform would not take the next answer either.
    if (left?.isRefused) return later
    const next = await this.#judge(platform, me, leased, signal)
    if (!next || !later) return next ?? later
    const { at, latest: _, ...rest } = next
    return at <= later.at ? next : { ...rest, at: later.at }
  }

  /** Takes the batch through the pipeline, when its time has come. */
  async #judge(platform: Platform, me: Person, leased: LeasedTurn, signal: AbortSignal): Promise<NextTurn | undefined> {
    const { vary, delayed, state } = leased
    const trigger = state.batch.at(-1)?.message
    if (!trigger) return
    // A newer message cancels a delayed answer, and judging starts over.
    const decided = delayed?.lastSeq === state.lastSeq ? delayed : undefined
    const wait = decided ? { at: decided.at, delayed: decided } : this.#waitOf(state, vary)
    if (wait && wait.at > this.#options.clock.now()) return { ...wait, vary }
    const next = await this.#turns.take(platform, me, state, trigger, decided?.decision, signal)
    if (!next && !state.followedBy) return
    const urgent = state.followedBy === 'call'
    return { ...(next ?? { at: this.#options.clock.now() }), vary: this.#settings.pacing.vary(state.conversation), urgent }
  }

  /** When the batch may be judged: after its wait or the longest wait. Nothing: at once, because it addresses the bot. */
  #waitOf(state: TurnState, vary: number): Pick<NextTurn, 'at' | 'latest'> | undefined {
    const { batch, waitingSince, conversation } = state
    if (!waitingSince || batch.some(({ message }) => message.addressed)) return undefined
    const { pacing } = this.#settings
    const latest = waitingSince.getTime() + pacing.maxWaitMs(conversation)
    return { at: Math.min(pacing.dueAt(state, vary), latest), latest }
  }

  /** Aborts the turn that answers the batch ending with `lastSeq`, if it runs here. */
  cancelled(conversation: string, lastSeq: number): void {
    this.#turns.cancelled(conversation, lastSeq)
  }

  // -------------------------------------------------------------- changes

  /** See `PlatformContext.edit`. */
  async edit(given: Omit<Conversation, 'id'>, id: string, edit: MessageEdit): Promise<void> {
    const { clock, store, callers, queue } = this.#options
    const conversation = sanitizeConversation(given)
    const now = clock.now()
    const change = sanitizeEdit(edit)
    for (const run of this.#changeListeners) run(conversation, id, change)
    const edited = await store.edit(conversation, sanitizeId(id), change, new Date(now))
    this.#turns.withdrawn(conversation.id, id, change.text)
    if (!edited) return
    const called = await this.#addressedNow(edited.message, conversation)
    const isNow = called !== edited.message.addressed
    const refused = isNow && called ? await callers?.refuses(conversation, edited.message.author) : undefined
    const addressed = refused === undefined ? called : undefined
    if (isNow) await store.readdress(conversation, id, addressed, refused)
    if (!edited.waits && !(isNow && addressed)) return
    // A decision about the old words is made again once the person has finished editing.
    const { pacing } = this.#settings
    const vary = pacing.vary(conversation)
    const at = now + Math.round(pacing.shortestMs(conversation) * vary)
    await queue.schedule(conversation.id, { at, vary }, 'instead')
  }

  /** See `PlatformContext.describe`. */
  async describe(given: Omit<Conversation, 'id'>): Promise<void> {
    await this.#options.store.describe(sanitizeConversation(given))
  }

  /** See `PlatformContext.remove`. */
  async remove(given: Omit<Conversation, 'id'>, message: string): Promise<void> {
    const { store, clock, queue } = this.#options
    const conversation = sanitizeConversation(given)
    for (const run of this.#changeListeners) run(conversation, message, 'deleted')
    await store.remove(conversation, sanitizeId(message), new Date(clock.now()))
    // The rest of the batch may still want an answer.
    if (this.#turns.withdrawn(conversation.id, message))
      await queue.schedule(conversation.id, { at: clock.now(), vary: 0 }, 'sooner')
  }

  /** See `PlatformContext.reaction`. */
  async reaction(given: Omit<Conversation, 'id'>, message: string, { emoji, by, removed }: ReactionChange): Promise<void> {
    const change = { emoji: sanitizeEmoji(emoji), by: sanitizeId(by), ...(removed && { removed }) }
    const conversation = sanitizeConversation(given)
    await this.#options.store.react(conversation, sanitizeId(message), change)
    for (const run of this.#reactionListeners) run(conversation, message, change)
  }
}

/** Whether a message certainly addresses the bot. */
function isCall({ mentions, replyTo, conversation }: IncomingMessage, me: Person): boolean {
  return conversation.visibility === 'direct' || replyTo?.author === me.id || mentions?.some(({ id }) => id === me.id) === true
}
