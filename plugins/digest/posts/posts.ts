/** Posts what happened in a channel at the times of its option `at`, once for all processes. */
import {
  type Conversation,
  channelOf,
  type DueBy,
  Erasure,
  type Message,
  type PluginContext,
  runWhenDue,
  timesOf,
} from 'kikimimi'
import type { Digests } from '../digest.ts'
import type { Options } from '../index.ts'
import { createStored, type Plan } from './stored.ts'

/** Maximum number of channels of which this process knows that their digest is planned. */
const KNOWN = 10_000
/** How long the bot knows what a posted digest was made from, in milliseconds. */
const KEPT = 90 * 24 * 60 * 60_000

export interface Posts {
  /** Plans the digest of the channel of a new message. */
  heard(message: Message, conversation: Conversation): Promise<void>
}

export async function createPosts(ctx: PluginContext<Options>, digests: Digests): Promise<Posts> {
  const { db, clock, log } = ctx
  const stored = createStored(db)
  const planned = new Map<string, { readonly at: number; readonly schedule: string }>()

  const postSoon: DueBy = runWhenDue(ctx, 'post', async signal => {
    // One after the other: what an error interrupts loses one digest.
    for (let plan = await take(); plan; plan = await take()) await post(plan, signal)
    await withdrawStale()
    return stored.next()
  })
  const take = () => stored.take(new Date(clock.now()))
  const onStale = () =>
    void postSoon(new Date(clock.now())).catch((error: unknown) =>
      log.warn('could not plan to remove a digest from the log', { error }),
    )
  ctx.scope.defer(await db.listen('digest.stale', onStale))
  ctx.every('tidy', '1d', () => stored.tidy(new Date(clock.now() - KEPT)))

  /** When the next digest of a channel is due, and the schedule that says so. */
  function scheduleOf(conversation: Conversation): { readonly schedule: string; next(after: number): number } | undefined {
    const { at, timeZone } = ctx.optionsFor(conversation)
    if (at === undefined || conversation.visibility === 'direct') return undefined
    return { schedule: `${at} ${timeZone}`, next: after => timesOf({ cron: at, timeZone }).next(after) }
  }

  async function post({ conversation, schedule, since }: Plan, signal: AbortSignal): Promise<void> {
    // The channel has another schedule now, or none.
    const now = scheduleOf(conversation)
    if (!now) return
    if (now.schedule !== schedule) return plan(conversation, since, now)
    const digest = await digests.forChannel({ conversation, since, signal })
    if (!digest) return
    const id = await stored.begin(conversation, digest.said, new Date(clock.now()))
    // Begun before it is sent: a missing digest is better than a double one.
    try {
      await stored.posted(id, await ctx.send(conversation, { kind: 'text', text: digest.text }))
    } catch (error) {
      signal.throwIfAborted()
      log.warn('a digest could not be posted', { error, conversation: conversation.id })
    }
  }

  async function plan(
    channel: Conversation,
    since: Date,
    { schedule, next }: NonNullable<ReturnType<typeof scheduleOf>>,
  ): Promise<void> {
    const at = next(clock.now())
    await stored.plan({ conversation: channel, at: new Date(at), schedule, since })
    planned.delete(channel.id)
    planned.set(channel.id, { at, schedule })
    if (planned.size > KNOWN) planned.delete(planned.keys().next().value ?? '')
    await postSoon(new Date(at))
  }

  /** A posted digest leaves the log when a message that it was made from is deleted or changed, as answers of the bot do. */
  async function withdrawStale(): Promise<void> {
    for (const { id, conversation, messages } of await stored.stale()) {
      for (const message of messages) await ctx.use(Erasure).removeMessage(conversation, message)
      await stored.withdrawn(id)
    }
  }

  return {
    async heard({ at }, conversation) {
      const schedule = scheduleOf(conversation)
      if (!schedule) return
      const { thread: _, readers: __, details: ___, ...rest } = conversation
      const channel = {
        ...rest,
        id: channelOf(conversation),
        ...(conversation.thread === undefined && conversation.readers && { readers: conversation.readers }),
      }
      const known = planned.get(channel.id)
      if (known && known.at > clock.now() && known.schedule === schedule.schedule) return
      await plan(channel, at, schedule)
    },
  }
}
