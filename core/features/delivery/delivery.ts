/**
 * Sends answers, at most once each. The transaction that claims the batch stores all parts first. A part waits when the platform
 * does not take it now, when its result is unknown, or when the process ends while it sends. The next turn of the conversation
 * continues, until the answer is as old as `sendWithin` in bot.config.ts. A part whose result is unknown is sent again only where
 * the platform refuses doubles, or says that it was not posted.
 */
import { randomUUID } from 'node:crypto'
import { parsePosted } from '../../api/checks/results.ts'
import { sanitizeText } from '../../api/checks/sanitize.ts'
import type { Settings } from '../../api/config.ts'
import {
  type Conversation,
  type Handle,
  inThread,
  type Message,
  type Outgoing,
  type Platform,
  type Posted,
  type Trace,
} from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { retryAfterMs } from '../../base/retry-after.ts'
import { splitText } from '../../base/text/split.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { Deliverer, Left, Sent } from '../../kernel/turns/deliverer.ts'
import { accountIn } from '../../kernel/turns/own-account.ts'
import type { SpeakingGuard } from '../../kernel/turns/turn-settings.ts'
import type { Personas } from '../../prompt/persona.ts'
import type { Delivery, Store, Unfinished } from '../../storage/store/store.ts'
import { createDrafts, createFixedPlaces, type Part } from './draft.ts'
import { isResultUnknown, MessageDeleted, mayPass } from './failures.ts'
import { NO_REPLY } from './send.ts'
import { createTakeBack } from './take-back.ts'
import { traceOfEnded } from './trace.ts'

/** How long a platform knows a nonce. Discord: "in the past few minutes". */
const KNOWN = 2 * 60_000

/** The characters that a mention of a person needs, at most, where a platform writes it in the text. */
const MENTION = 32

/** Milliseconds a platform has to take one message. */
const DEADLINE = 30_000

/** A living process may still be sending a message that was begun more recently than this. */
const ALIVE = 1.5 * DEADLINE

/** Milliseconds before a part whose result is unknown is tried again. Platforms repeat a call several times themselves. */
const RETRY = 10_000

/** What bot.config.ts decides now about sending. */
interface DeliverySettings {
  readonly current: {
    readonly identity: { readonly personas: Pick<Personas, 'speaker'> }
    readonly plan: { readonly settings: Pick<Settings, 'sendWithin'> }
  }
}

export interface DelivererOptions {
  readonly store: Store
  readonly guard: SpeakingGuard
  readonly clock: Clock
  readonly log: Logger
  readonly settings: DeliverySettings
  /** True: other processes may send to the same conversations. */
  readonly shared: boolean
  /** The buttons of an answer, in the language of its text. */
  readonly handles: (text: string) => readonly Handle[]
}

export function createDeliverer({ store, guard, clock, log, settings, shared, handles }: DelivererOptions): Deliverer {
  const fixed = createFixedPlaces(clock)
  /** Turns whose parts this process is sending now. */
  const inHand = new Set<string>()

  const prepare: Deliverer['prepare'] = (platform, conversation, turn, reply, answers, how = {}) => {
    // A message that is not a reply is sent later only if its plugin says so: the plugin gets the error otherwise.
    const end = answers === undefined ? how.until : new Date(clock.now() + settings.current.plan.settings.sendWithin)
    const until = end && { until: end }
    if (reply.kind === 'reaction') {
      const target = reply.to ?? answers?.message
      if (!platform.react || target === undefined) return []
      return [{ nonce: newNonce(), turn, kind: 'reaction', body: sanitizeText(reply.emoji), target, ...until }]
    }
    const hasHandles = answers?.isCall === true && platform.showsHandles?.(conversation) === true
    const said = sanitizeText(reply.text)
    // Only one person reads a direct message, and is notified of it anyway.
    const notify = conversation.visibility === 'direct' ? [] : (how.notify ?? [])
    const room = platform.limits.textLength - MENTION * notify.length
    const split = platform.split?.(conversation, said) ?? splitText(said, room)
    return split.map((body, part, parts) => ({
      nonce: newNonce(),
      turn,
      kind: 'text',
      body,
      ...(part === 0 && reply.replyTo !== undefined && { target: reply.replyTo }),
      ...(part === 0 && answers !== undefined && { answers: answers.message }),
      ...(part + 1 === parts.length && hasHandles && { hasHandles }),
      ...(part === 0 && notify.length > 0 && { notify }),
      ...until,
    }))
  }

  async function post(
    platform: Platform,
    conversation: Conversation,
    delivery: Part,
    signal: AbortSignal,
    hasMore = false,
  ): Promise<Posted> {
    const late = () => new KikimimiError('PLATFORM_UNAVAILABLE', `${platform.name} took no message within ${DEADLINE} ms`)
    return withTimeout({ clock, ms: DEADLINE, late, signal }, async inTime => {
      const { kind, body, target, answers, notify, nonce, message, hasHandles } = delivery
      const buttons = hasHandles && { handles: handles(body) }
      if (message !== undefined) {
        const isThere = delivery.isShown || (await platform.edit?.(conversation, message, { text: body, ...buttons }, inTime))
        if (!isThere) throw new MessageDeleted()
        return { id: message }
      }
      if (kind === 'reaction') {
        await platform.react?.(conversation, target ?? '', body, inTime)
        return { id: nonce }
      }
      const mayBePosted = isUnknown(delivery) && !isKnown(platform, conversation, delivery)
      const found = mayBePosted && (await find(platform, conversation, delivery, inTime))
      const about = {
        ...(target && { replyTo: target }),
        ...(answers && { answers }),
        ...(notify && { notify }),
        ...(hasMore && { hasMore }),
        ...spokenAs(conversation),
      }
      return parsePosted(
        platform,
        found || (await platform.send(conversation, { text: body, nonce, ...about, ...buttons }, inTime)),
      )
    })
  }

  /** The name and the picture of the persona of a place, if it has another name than the bot. */
  function spokenAs(conversation: Conversation): Pick<Outgoing, 'as'> {
    const as = settings.current.identity.personas.speaker(conversation)
    return as ? { as: { name: as.name, ...(as.picture !== undefined && { picture: as.picture }) } } : {}
  }

  /** The message of an earlier attempt. Rejects with PLATFORM_UNAVAILABLE when the platform does not know. */
  async function find(platform: Platform, conversation: Conversation, delivery: Unfinished, signal: AbortSignal) {
    const { body: text, nonce, target, answers, notify, begun = delivery.at } = delivery
    const about = { ...(target && { replyTo: target }), ...(answers && { answers }), ...(notify && { notify }) }
    try {
      return await platform.find?.(conversation, { text, nonce, since: begun, ...about }, signal)
    } catch (error) {
      signal.throwIfAborted()
      const why = `${platform.name} does not say whether a message was posted: ${reason(error)}`
      throw new KikimimiError('PLATFORM_UNAVAILABLE', why, { cause: error })
    }
  }

  /** Whether the platform still refuses a second message with this nonce. */
  function isKnown({ idempotent = false }: Platform, conversation: Conversation, { begun, at }: Unfinished): boolean {
    const isRefusedTwice = typeof idempotent === 'function' ? idempotent(conversation) : idempotent
    return isRefusedTwice && clock.now() - (begun ?? at).getTime() < KNOWN
  }

  /** Whether a part can be sent without the danger of posting it twice. A second reaction or edit changes nothing. */
  const isRepeatable = (platform: Platform, conversation: Conversation, delivery: Unfinished) =>
    delivery.kind === 'reaction' ||
    delivery.message !== undefined ||
    platform.find !== undefined ||
    isKnown(platform, conversation, delivery)

  /** A draft of which it is unknown whether it is posted: it is now, perhaps with the beginning of its text. */
  async function placed(platform: Platform, conversation: Conversation, draft: Unfinished, signal: AbortSignal): Promise<Part> {
    const { id, thread } = await post(platform, conversation, draft, signal)
    if (thread !== undefined) await store.goOnIn(draft.turn, thread)
    await store.writing(draft.nonce, id, new Date(clock.now()))
    return { ...draft, message: id, ...(thread !== undefined && { thread }) }
  }

  /** Sends one part. Returns nothing when another process is sending it. */
  async function sendOne(
    platform: Platform,
    conversation: Conversation,
    delivery: Part,
    signal: AbortSignal,
    hasMore: boolean,
  ): Promise<Posted | undefined> {
    const from = 'state' in delivery ? delivery.state : 'pending'
    if (!(await store.sending(delivery.nonce, from, new Date(clock.now())))) return undefined
    const { id, thread } = await post(platform, conversation, delivery, signal, hasMore)
    const done = () => store.sent(delivery.nonce, id, new Date(clock.now()))
    const where = thread === undefined ? conversation : inThread(conversation, thread)
    // In one transaction: a bot that forgets its message says it again. False: the platform's echo was recorded first.
    const remembered = delivery.kind === 'text' && (await remember(platform, where, id, delivery, done))
    if (!remembered) {
      if (delivery.message !== undefined) await store.rewrite(where, id, delivery.body, new Date(clock.now()))
      await done()
    }
    if (where !== conversation) await store.spoke(where, new Date(clock.now()))
    return { id, ...(thread !== undefined && { thread }) }
  }

  /** Records the bot's own message. The platform's echo of it is the same message. */
  async function remember(
    platform: Platform,
    conversation: Conversation,
    id: string,
    delivery: Delivery,
    also: () => Promise<void>,
  ): Promise<boolean> {
    const me = (await accountIn(platform, conversation)) ?? platform.me
    const at = new Date(clock.now())
    const message: Message = {
      id,
      author: { ...me, name: settings.current.identity.personas.speaker(conversation)?.name ?? me.name },
      text: delivery.body,
      at,
      mentions: delivery.notify ?? [],
      attachments: [],
      own: true,
      ...(delivery.target && { replyTo: delivery.target }),
    }
    return store.record(conversation, message, at, also)
  }

  async function send(
    platform: Platform,
    conversation: Conversation,
    deliveries: readonly Part[],
    signal: AbortSignal,
  ): Promise<Sent> {
    await guard.refresh()
    using watched = guard.watch(conversation)
    const inTime = AbortSignal.any([signal, watched.signal])
    const ids: string[] = []
    let where = conversation
    for (const { turn } of deliveries) inHand.add(turn)
    try {
      for (const [index, given] of deliveries.entries()) {
        let delivery = given
        try {
          watched.signal.throwIfAborted()
          if (delivery.isDraft && delivery.message === undefined && isUnknown(delivery)) {
            delivery = await placed(platform, where, delivery, inTime)
            if ('thread' in delivery && delivery.thread !== undefined) where = inThread(conversation, delivery.thread)
          }
          const posted = await sendOne(platform, where, delivery, inTime, index + 1 < deliveries.length)
          if (posted === undefined) return { ids, problem: 'another process is sending it, or it is not wanted any more' }
          ids.push(posted.id)
          if (posted.thread === undefined || index + 1 === deliveries.length) continue
          // The rest of an answer belongs to the same thread, also when another process sends it.
          where = inThread(conversation, posted.thread)
          await store.goOnIn(delivery.turn, posted.thread)
        } catch (error) {
          const problem = reason(error)
          const renewed = inTime.aborted ? undefined : await asNewMessage(platform, where, delivery, error, inTime)
          if (renewed) {
            const { ids: more, ...rest } = await send(platform, where, [renewed.part, ...deliveries.slice(index + 1)], signal)
            return { ids: [...ids, ...more], ...at(renewed.retryAt), ...rest }
          }
          // The bot stops. Its next start continues.
          if (signal.aborted && !watched.signal.aborted && delivery.until) return { ids, problem }
          const retryAt = inTime.aborted ? undefined : await postpone(platform, where, delivery, error)
          if (retryAt === undefined && delivery.isDraft && delivery.message !== undefined && !(error instanceof MessageDeleted)) {
            await giveUp(deliveries.slice(index + 1))
            const unwanted: Unfinished = { ...delivery, state: 'unwanted', at: new Date(clock.now()) }
            return { ids, problem, ...at(await takeBack(platform, where, unwanted, signal)) }
          }
          if (retryAt === undefined) await giveUp(deliveries.slice(index), isResultUnknown(error) ? 'lost' : 'failed')
          const about = { conversation: conversation.id, platform: platform.name }
          if (retryAt === undefined) log.warn(`could not send: ${problem}`, about)
          else log.info(`waits to send: ${problem}`, { ...about, seconds: Math.round((retryAt - clock.now()) / 1_000) })
          return { ids, problem, ...at(retryAt) }
        }
      }
      return { ids }
    } finally {
      for (const { turn } of deliveries) inHand.delete(turn)
    }
  }

  /**
   * A platform refuses to edit the message of a draft for good, such as a workspace whose messages cannot be edited. The message is
   * deleted, and the text is sent as a new one.
   */
  async function asNewMessage(
    platform: Platform,
    conversation: Conversation,
    delivery: Part,
    error: unknown,
    signal: AbortSignal,
  ): Promise<{ readonly part: Part; readonly retryAt?: number } | undefined> {
    const { message, isShown: _, isDraft: __, ...rest } = delivery
    if (message === undefined || mayPass(error) || error instanceof MessageDeleted) return undefined
    fixed.add(conversation)
    const nonce = newNonce()
    const now = new Date(clock.now())
    await store.renew(delivery.nonce, nonce, now)
    const retryAt = await takeBack(
      platform,
      conversation,
      { ...delivery, turn: delivery.nonce, state: 'unwanted', at: now },
      signal,
    )
    return { part: { ...rest, nonce, state: 'pending', at: now }, ...at(retryAt) }
  }

  /** Plans the next attempt for a part that failed. Returns its time, or nothing if there is none. */
  async function postpone(
    platform: Platform,
    conversation: Conversation,
    delivery: Part,
    error: unknown,
  ): Promise<number | undefined> {
    const now = clock.now()
    const told = retryAfterMs(error)
    const state = told !== undefined && !isResultUnknown(error) ? 'pending' : 'sending'
    const failed: Unfinished = { begun: new Date(now), ...delivery, state, at: new Date(now) }
    if (told === undefined && !isResultUnknown(error)) return undefined
    if (state === 'sending' && !isRepeatable(platform, conversation, failed)) return undefined
    const retryAt = now + (told ?? RETRY)
    if (!delivery.until || retryAt > delivery.until.getTime()) return undefined
    await store.postpone(delivery.nonce, state, new Date(retryAt))
    return retryAt
  }

  const takeBack = createTakeBack({ store, clock, log, deadlineMs: DEADLINE, find })

  /** Gives up the rest of an answer: a later part without the first is worse than none. */
  async function giveUp([first, ...rest]: readonly Delivery[], state: 'failed' | 'lost' = 'failed'): Promise<void> {
    if (first) await store.giveUp(first.nonce, state)
    for (const { nonce } of rest) await store.giveUp(nonce, 'failed')
  }

  /** Continues one answer. */
  async function carryOn(
    platform: Platform,
    conversation: Conversation,
    parts: readonly [Unfinished, ...Unfinished[]],
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const now = clock.now()
    const [first] = parts
    const { turn, state, thread } = first
    const where = thread === undefined ? conversation : inThread(conversation, thread)
    if (state === 'unwanted') {
      const retryAt = await takeBack(platform, where, first, signal)
      const why = 'the answer could not be finished, and what people saw of it is deleted'
      if (retryAt === undefined) await end(conversation, first, { outcome: 'failed', sent: [], why })
      return retryAt
    }
    if (state === 'writing') return answerAnew(platform, conversation, where, first, signal)
    const until = first.until?.getTime() ?? first.at.getTime() + settings.current.plan.settings.sendWithin
    const lost = now > until || (state === 'sending' && !isRepeatable(platform, where, first))
    log.info('continues an answer that is not sent yet', {
      conversation: conversation.id,
      turn,
      sent: lost ? 0 : parts.length,
      givenUp: lost ? parts.length : 0,
    })
    if (lost) {
      const isUnfinished = first.isDraft && first.message !== undefined
      if (isUnfinished) await takeBack(platform, where, first, signal)
      await giveUp(isUnfinished ? parts.slice(1) : parts, 'lost')
      const why = now > until ? 'the platform did not take it in time' : 'it is unknown whether it was posted'
      await end(conversation, first, { outcome: 'failed', sent: [], why })
      return undefined
    }
    const { ids, problem, retryAt } = await send(platform, where, parts, signal)
    if (retryAt !== undefined) return retryAt
    if (signal.aborted) return undefined
    const how = problem === undefined ? { outcome: 'replied' as const } : { outcome: 'failed' as const, why: problem }
    await end(conversation, first, { ...how, sent: ids })
    return undefined
  }

  /** The trace says how the turn ended. A process that ended before it sent the answer has left none. */
  async function end(conversation: Conversation, first: Unfinished, how: Pick<Trace, 'outcome' | 'sent' | 'why'>): Promise<void> {
    if (await store.ended(conversation, first.turn, how)) return
    const why = first.turn.startsWith(NO_REPLY)
      ? 'a message that is not a reply was sent later'
      : 'the process that made the answer ended before it was sent'
    await store.keepTrace(traceOfEnded(conversation, first, { why, ...how }))
  }

  /** Deletes the unfinished answer of an ended process. Its call is answered anew, unless it is too old. */
  async function answerAnew(
    platform: Platform,
    conversation: Conversation,
    where: Conversation,
    delivery: Unfinished,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { turn, until } = delivery
    const isAnsweredAnew = until !== undefined && clock.now() <= until.getTime()
    log.info('deletes an unfinished answer', { conversation: conversation.id, turn, answeredAnew: isAnsweredAnew })
    const then = isAnsweredAnew ? 'it is answered anew' : 'it is too old to be answered anew'
    const why = `the bot ended while it wrote the answer; what people saw of it is deleted, and ${then}`
    await store.keepTrace(traceOfEnded(conversation, delivery, { outcome: 'cancelled', sent: [], why }))
    // Before the deletion, so that a process that ends meanwhile leaves the call open.
    if (isAnsweredAnew) await store.reopen(conversation, turn)
    const retryAt = await takeBack(platform, where, delivery, signal)
    return isAnsweredAnew ? (retryAt ?? clock.now()) : retryAt
  }

  return {
    draft: createDrafts({ store, clock, log, deadlineMs: DEADLINE, aliveMs: ALIVE, prepare, send, spokenAs, takeBack, fixed }),
    prepare,
    send,

    async remove(platform, conversation, messages, forget, signal) {
      const late = () => new KikimimiError('PLATFORM_UNAVAILABLE', `${platform.name} deleted no message within ${DEADLINE} ms`)
      for (const message of messages) {
        await withTimeout({ clock, ms: DEADLINE, late, signal }, async limit => platform.delete?.(conversation, message, limit))
        await forget(conversation, message, new Date(clock.now()))
      }
    },

    async resume(platform, conversation, signal): Promise<Left | undefined> {
      const now = clock.now()
      const unfinished = (await store.unfinished(conversation.id)).filter(({ turn }) => !inHand.has(turn))
      let at: number | undefined
      for (const [first, ...rest] of Map.groupBy(unfinished, one => one.turn).values()) {
        if (!first) continue
        const parts = [first, ...rest] as const
        const retryAt = first.retryAt?.getTime() ?? 0
        // An answer that is not deleted yet does not hold up the next one.
        const isRefused = first.state !== 'unwanted'
        if (retryAt > now && isRefused) return { at: retryAt, isRefused }
        if (retryAt > now) {
          at = Math.max(at ?? 0, retryAt)
          continue
        }
        const touched = Math.max(...parts.map(part => part.at.getTime()))
        if (shared && retryAt === 0 && now - touched < ALIVE) {
          at = Math.max(at ?? 0, touched + ALIVE)
          continue
        }
        const again = await carryOn(platform, conversation, parts, signal)
        if (again !== undefined && isRefused) return { at: again, isRefused }
        if (again !== undefined) at = Math.max(at ?? 0, again)
      }
      return at === undefined ? undefined : { at, isRefused: false }
    },
  }
}

const at = (retryAt: number | undefined) => retryAt !== undefined && { retryAt }

const isUnknown = (delivery: Delivery | Unfinished): delivery is Unfinished => 'state' in delivery && delivery.state === 'sending'

/** 25 characters at most: Discord takes no more. */
function newNonce(): string {
  return randomUUID().replaceAll('-', '').slice(0, 25)
}
