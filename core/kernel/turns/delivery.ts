/**
 * Sends answers, at most once. The transaction that claims the batch stores all parts first. When a process ends while it
 * sends, the next turn of the conversation finishes the sending, within an hour: parts whose sending had not begun are
 * sent; a part whose sending had begun is sent again only where the platform refuses doubles.
 */
import { randomUUID } from 'node:crypto'
import { parsePosted } from '../../api/checks/results.ts'
import { sanitizeText } from '../../api/checks/sanitize.ts'
import { type Conversation, inThread, type Message, type Platform, type Posted, type Reply } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError, reason } from '../../base/errors.ts'
import type { Logger } from '../../base/log.ts'
import { splitText } from '../../base/text/split.ts'
import { withTimeout } from '../../base/timeout.ts'
import type { Delivery, Store, Unfinished } from '../../storage/store/store.ts'
import type { SpeakingGuard } from './turn-settings.ts'

/** Age after which an unsent message is given up. */
const EXPIRY = 60 * 60_000

/** How long a platform knows a nonce. Discord: "in the past few minutes". */
const KNOWN = 2 * 60_000

/** Milliseconds a platform has to take one message. */
const DEADLINE = 30_000

/** A living process may still be sending a message that was begun more recently than this. */
const ALIVE = 1.5 * DEADLINE

export interface Deliverer {
  /** The parts of a reply, each with a nonce. */
  prepare(platform: Platform, turn: string, reply: Reply, trigger: string | undefined): readonly Delivery[]
  /** Sends the parts in order. A failed part ends it. Returns the ids of the posted messages. */
  send(platform: Platform, conversation: Conversation, deliveries: readonly Delivery[], signal: AbortSignal): Promise<Sent>
  /**
   * Finishes the sending that a crash interrupted. Returns the time for another attempt when another process may still be
   * sending.
   */
  resume(platform: Platform, conversation: Conversation, signal: AbortSignal): Promise<number | undefined>
}

export interface Sent {
  readonly ids: readonly string[]
  readonly problem?: string
}

export interface DelivererOptions {
  readonly store: Store
  readonly guard: SpeakingGuard
  readonly clock: Clock
  readonly log: Logger
  /** True: other processes may send to the same conversations. */
  readonly shared: boolean
}

export function createDeliverer({ store, guard, clock, log, shared }: DelivererOptions): Deliverer {
  /** Turns whose parts this process is sending now. */
  const inHand = new Set<string>()

  async function post(platform: Platform, conversation: Conversation, delivery: Delivery, signal: AbortSignal): Promise<Posted> {
    const late = () => new KikimimiError('STAGE_TIMEOUT', `${platform.name} took no message within ${DEADLINE} ms`)
    return withTimeout({ clock, ms: DEADLINE, late, signal }, async inTime => {
      const { kind, body, target, answers, nonce } = delivery
      if (kind === 'reaction') {
        await platform.react?.(conversation, target ?? '', body, inTime)
        return { id: nonce }
      }
      const text = { text: body, nonce, ...(target && { replyTo: target }), ...(answers && { answers }) }
      return parsePosted(platform, await platform.send(conversation, text, inTime))
    })
  }

  /** Sends one part. Returns nothing when another process is sending it. */
  async function sendOne(
    platform: Platform,
    conversation: Conversation,
    delivery: Delivery | Unfinished,
    signal: AbortSignal,
  ): Promise<Posted | undefined> {
    const from = 'state' in delivery ? delivery.state : 'pending'
    if (!(await store.sending(delivery.nonce, from, new Date(clock.now())))) return undefined
    let posted: Posted
    try {
      posted = await post(platform, conversation, delivery, signal)
    } catch (error) {
      await store.giveUp(delivery.nonce, 'failed')
      throw error
    }
    const { id, thread } = posted
    const done = () => store.sent(delivery.nonce, id, new Date(clock.now()))
    const where = thread === undefined ? conversation : inThread(conversation, thread)
    // In one transaction: a bot that forgets its message says it again. False: the platform's echo was recorded first.
    const remembered = delivery.kind === 'text' && (await remember(platform, where, id, delivery, done))
    if (!remembered) await done()
    if (where !== conversation) await store.spoke(where, new Date(clock.now()))
    return posted
  }

  /** Records the bot's own message. The platform's echo of it is the same message. */
  function remember(
    platform: Platform,
    conversation: Conversation,
    id: string,
    delivery: Delivery,
    also: () => Promise<void>,
  ): Promise<boolean> {
    const at = new Date(clock.now())
    const message: Message = {
      id,
      author: platform.me,
      text: delivery.body,
      at,
      mentions: [],
      attachments: [],
      own: true,
      ...(delivery.target && { replyTo: delivery.target }),
    }
    return store.record(conversation, message, at, also)
  }

  async function send(
    platform: Platform,
    conversation: Conversation,
    deliveries: readonly (Delivery | Unfinished)[],
    signal: AbortSignal,
  ): Promise<Sent> {
    await guard.refresh()
    using watched = guard.watch(conversation)
    const inTime = AbortSignal.any([signal, watched.signal])
    const ids: string[] = []
    let where = conversation
    for (const { turn } of deliveries) inHand.add(turn)
    try {
      for (const [index, delivery] of deliveries.entries()) {
        try {
          watched.signal.throwIfAborted()
          const posted = await sendOne(platform, where, delivery, inTime)
          if (posted === undefined) return { ids, problem: 'another process is sending it' }
          ids.push(posted.id)
          if (posted.thread === undefined || index + 1 === deliveries.length) continue
          // The rest of an answer belongs to the same thread, also when another process sends it.
          where = inThread(conversation, posted.thread)
          await store.goOnIn(delivery.turn, posted.thread)
        } catch (error) {
          await giveUp(deliveries.slice(watched.signal.aborted ? index : index + 1))
          log.warn(`could not send: ${reason(error)}`, { conversation: conversation.id, platform: platform.name })
          return { ids, problem: reason(error) }
        }
      }
      return { ids }
    } finally {
      for (const { turn } of deliveries) inHand.delete(turn)
    }
  }

  /** Gives up the rest of an answer: a later part without the first is worse than none. */
  async function giveUp(rest: readonly Delivery[]): Promise<void> {
    for (const { nonce } of rest) await store.giveUp(nonce, 'failed')
  }

  return {
    prepare(platform, turn, reply, trigger) {
      if (reply.kind === 'reaction') {
        const target = reply.to ?? trigger
        if (!platform.react || target === undefined) return []
        return [{ nonce: newNonce(), turn, kind: 'reaction', body: sanitizeText(reply.emoji), target }]
      }
      return splitText(sanitizeText(reply.text), platform.limits.textLength).map((body, part) => ({
        nonce: newNonce(),
        turn,
        kind: 'text',
        body,
        ...(part === 0 && reply.replyTo !== undefined && { target: reply.replyTo }),
        ...(part === 0 && trigger !== undefined && { answers: trigger }),
      }))
    },

    send,

    async resume(platform, conversation, signal) {
      const now = clock.now()
      const left = (await store.unfinished(conversation.id)).filter(({ turn }) => !inHand.has(turn))
      let again: number | undefined
      for (const [turn, parts] of Map.groupBy(left, one => one.turn)) {
        const [first, ...rest] = parts
        if (!first) continue
        const touched = Math.max(...parts.map(({ at }) => at.getTime()))
        if (shared && now - touched < ALIVE) {
          again = Math.max(again ?? 0, touched + ALIVE)
          continue
        }
        const known = platform.idempotent && now - first.at.getTime() < KNOWN
        const lost = now - touched > EXPIRY || (first.state === 'sending' && !known)
        log.info('resuming messages of an ended process', {
          conversation: conversation.id,
          turn,
          sent: lost ? 0 : parts.length,
          givenUp: lost ? parts.length : 0,
        })
        if (!lost) {
          const where = first.thread === undefined ? conversation : inThread(conversation, first.thread)
          await send(platform, where, parts, signal)
          continue
        }
        await store.giveUp(first.nonce, 'lost')
        await giveUp(rest)
      }
      return again
    },
  }
}

/** 25 characters at most: Discord takes no more. */
function newNonce(): string {
  return randomUUID().replaceAll('-', '').slice(0, 25)
}
