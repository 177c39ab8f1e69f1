/** Posts what happened in a channel at the times of its option `at`, once for all processes. */
import { type Conversation, channelOf, type Message, type PluginContext, RecentMap, timesOf } from 'kikimimi'
import type { Digests } from '../digest.ts'
import type { Options } from '../index.ts'
import { createStored, type Plan } from './stored.ts'

/** Maximum number of channels of which this process knows that their digest is planned. */
const KNOWN = 10_000
/** The clock of the database, which decides what is due, can be ahead of the one of the process, in milliseconds. */
const AHEAD = 5_000

export interface Posts {
  /** Plans the digest of the channel of a new message. */
  heard(message: Message, conversation: Conversation): Promise<void>
}

export function createPosts(ctx: PluginContext<Options>, digests: Digests): Posts {
  const { db, clock, log } = ctx
  const stored = createStored(db)
  const planned = new RecentMap<{ readonly at: number; readonly schedule: string }>(KNOWN)

  const posting = ctx.job<{ channel: string }>('post', async ({ channel }, signal) => {
    // What an error interrupts loses one digest.
    const due = await stored.take(channel, new Date(clock.now() + AHEAD))
    if (!due) return
    await post(due, signal)
  })

  /** When the next digest of a channel is due, and the schedule that says so. */
  function scheduleOf(conversation: Conversation): { readonly schedule: string; next(after: number): number } | undefined {
    const { at } = ctx.optionsFor(conversation)
    const { timeZone } = ctx.bot.personaIn(conversation)
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
    const sources = digest.said.map(({ channel, id }) => ({ channel, messages: [id] }))
    // A missing digest is better than a double one.
    try {
      await ctx.send(conversation, { kind: 'text', text: digest.text }, { sources })
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
    const at = await db.transaction(async () => {
      const due = await stored.plan({ conversation: channel, at: new Date(next(clock.now())), schedule, since })
      await posting.schedule({ channel: channel.id }, { at: due, key: channel.id })
      return due.getTime()
    })
    planned.set(channel.id, { at, schedule })
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
