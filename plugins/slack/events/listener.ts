/** Handles events of channels. */
import type { App as BoltApp } from '@slack/bolt'
import { conversationId, type PlatformContext } from 'kikimimi'
import { type Names, nameOf } from '../directory/names.ts'
import { emojiNamed } from '../messages/emoji.ts'
import type { Incoming, Told } from '../messages/incoming.ts'
import type { Self } from '../web-api/account.ts'
import type { InOrder } from './channel-queue.ts'

export interface ListenOptions {
  readonly ctx: Pick<PlatformContext, 'handleStopCommand' | 'receive' | 'edit' | 'remove' | 'reaction'>
  readonly names: Names
  readonly incoming: Incoming
  readonly self: () => Self
  readonly inOrder: InOrder
  /** A message has arrived that can have the thinking status. */
  readonly heard: (conversation: string, ts: string) => void
  /** Something about the channel has changed. */
  readonly changed: (channel: string) => void
  /** Tells the bot what a channel is about now. */
  readonly describe: (channel: string) => Promise<void>
}

/** The visibility of the channel has changed, and so has its audience. */
const CONVERTED: ReadonlySet<string | undefined> = new Set(['channel_convert_to_private', 'channel_convert_to_public'])

/** What the channel is about has changed. */
const ABOUT: ReadonlySet<string | undefined> = new Set(['channel_topic', 'channel_purpose', 'group_topic', 'group_purpose'])

/** Maximum length of a STOP or START message. */
const LONGEST_ORDER = 200

export function listen(bolt: BoltApp, { ctx, names, incoming, self, inOrder, heard, changed, describe }: ListenOptions): void {
  /** Handles STOP at once. Other events of the channel may wait for a database. */
  async function heed(told: Told, channel: string, type: string): Promise<void> {
    const message = await incoming.message(told, channel, type)
    if (message) ctx.handleStopCommand(message)
  }

  async function said(told: Told, channel: string, type?: string): Promise<void> {
    const message = await incoming.message(told, channel, type)
    if (!message) return
    if (message.author.id !== self().me.id) heard(conversationId(message.conversation), message.id)
    await ctx.receive(message)
  }

  async function edited(told: Told, before: Told | undefined, channel: string, type: string): Promise<void> {
    if (told.subtype === 'tombstone') return removed(told, channel, type)
    // A counted reply is no edit.
    if (told.ts === undefined || (before ? same(told, before) : !told.edited && !told.attachments)) return
    // The bot's own message is recorded as the bot wrote it.
    if (!told.edited && told.user === self().me.id) return
    await ctx.edit(await incoming.conversation(told, channel, type), told.ts, await incoming.content(told))
  }

  async function removed(told: Told, channel: string, type: string): Promise<void> {
    if (told.ts === undefined) return
    await ctx.remove(await incoming.conversation(told, channel, type), told.ts)
  }

  bolt.event('message', async ({ event, body }) => {
    const { channel, channel_type: type } = event
    const told: Told = event
    if (told.subtype === undefined && (told.text ?? '').length < LONGEST_ORDER) void heed(told, channel, type).catch(() => {})
    await inOrder(channel, async () => {
      if (CONVERTED.has(told.subtype)) changed(channel)
      const isShared = body.is_ext_shared_channel === true && (await names.place(channel, type)).outsiders !== true
      if (isShared) names.outsidersIn(channel)
      if (ABOUT.has(told.subtype)) {
        const { topic, purpose } = told
        names.channelChanged(channel, { ...(topic !== undefined && { topic }), ...(purpose !== undefined && { purpose }) })
      }
      if (isShared || CONVERTED.has(told.subtype) || ABOUT.has(told.subtype)) await describe(channel)
      // The types have a `previous_message` that the documentation lacks:
      // https://docs.slack.dev/reference/events/message/message_deleted
      if (event.subtype === 'message_changed') await edited(event.message, event.previous_message, channel, type)
      else if (event.subtype === 'message_deleted') await removed({ ts: event.deleted_ts }, channel, type)
      else await said(told, channel, type)
    })
  })

  // The same message again, with the same ts. It comes alone if the bot may not read the channel.
  bolt.event('app_mention', async ({ event }) => inOrder(event.channel, () => said(event, event.channel)))

  async function reacted({ item, user: by, reaction }: Reacted, change: { readonly removed?: boolean } = {}): Promise<void> {
    // Files can have reactions too, and are no messages.
    if (item.type !== 'message') return
    const { channel, ts } = item
    await inOrder(channel, async () => {
      await ctx.reaction(await incoming.conversation({}, channel), ts, { emoji: emojiNamed(reaction), by, ...change })
    })
  }

  bolt.event('reaction_added', async ({ event }) => reacted(event))
  bolt.event('reaction_removed', async ({ event }) => reacted(event, { removed: true }))

  bolt.event('user_change', async ({ event }) => names.personRenamed(event.user.id, nameOf(event.user)))
}

/** Whether two versions of a message look alike. Slack adds other fields without an edit: counts, reactions. */
function same(one: Told, other: Told): boolean {
  const look = ({ text, blocks, attachments, files }: Told) => JSON.stringify([text, blocks, attachments, files])
  return look(one) === look(other)
}

interface Reacted {
  readonly item: { readonly type: string; readonly channel: string; readonly ts: string }
  readonly user: string
  readonly reaction: string
}
