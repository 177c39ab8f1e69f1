/** Messages of plugins that are not replies. */
import { parseNotify, parseSources } from '../../api/checks/results.ts'
import { sanitizeConversation } from '../../api/checks/sanitize.ts'
import type { Conversation, Platform, Reply, SendOptions } from '../../api/index.ts'
import type { Clock } from '../../base/clock.ts'
import { KikimimiError } from '../../base/errors.ts'
import type { Deliverer } from '../../kernel/turns/deliverer.ts'
import type { CurrentSettings, SpeakingGuard } from '../../kernel/turns/turn-settings.ts'
import type { Store } from '../../storage/store/store.ts'
import type { TurnQueue } from '../../storage/turns/turn-queue.ts'

/** The beginning of the id of a turn that only sends a message that is not a reply. */
export const NO_REPLY = 'send-'

/** After this time a message that was being sent is sent, or its process will never finish it. */
const SENT_BY_THEN = 2 * 60_000

export interface SenderOptions {
  readonly store: Pick<Store, 'enqueue'>
  readonly queue: Pick<TurnQueue, 'schedule'>
  readonly delivery: Pick<Deliverer, 'prepare' | 'send'>
  readonly guard: SpeakingGuard
  readonly settings: CurrentSettings
  readonly clock: Clock
  readonly random: () => number
  /** Aborted when the bot stops and will wait no longer. */
  readonly stopping: AbortSignal
}

/** Posts a message that is not a reply. Rejects when it could not be sent. Returns the ids of the posted messages. */
export type Send = (
  platform: Platform,
  conversation: Omit<Conversation, 'id'>,
  reply: Reply,
  options: SendOptions,
) => Promise<readonly string[]>

export function createSender({ store, queue, delivery, guard, settings, clock, random, stopping }: SenderOptions): Send {
  return async (platform, given, reply, options) => {
    const { until, also } = options
    const sources = parseSources(options.sources)
    const notify = parseNotify(options.notify)
    const conversation = sanitizeConversation(given)
    using watched = guard.watch(conversation)
    watched.signal.throwIfAborted()
    const now = clock.now()
    const id = `${NO_REPLY}${now.toString(36)}-${Math.floor(random() * 36 ** 8).toString(36)}`
    const [first, ...more] = delivery.prepare(platform, conversation, id, reply, undefined, { ...(until && { until }), notify })
    if (!first) throw new KikimimiError('SEND_FAILED', `${platform.name} cannot show a ${reply.kind} there.`)
    const deliveries = [first, ...more] as const
    // This turn finishes the sending if the process dies meanwhile.
    const vary = settings.current.turns.pacing.vary(conversation)
    const continueAt = async (at: number) => void (await queue.schedule(conversation.id, { at, vary }, 'sooner'))
    await store.enqueue(conversation, deliveries, new Date(now), sources, async () => {
      await also?.()
      await continueAt(now + SENT_BY_THEN)
    })
    const { ids, problem, retryAt } = await delivery.send(platform, conversation, deliveries, stopping)
    if (retryAt !== undefined) await continueAt(retryAt)
    // The next start continues.
    if (retryAt !== undefined || (until && stopping.aborted)) return ids
    if (problem !== undefined) throw new KikimimiError('SEND_FAILED', `${platform.name} did not take the message: ${problem}`)
    return ids
  }
}
