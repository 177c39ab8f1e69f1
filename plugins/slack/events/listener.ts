/** Handles events of channels. */
import type { App as BoltApp } from '@slack/bolt'
import { conversationId, type PlatformContext } from 'kikimimi'
import { type Names, nameOf } from '../directory/names.ts'
import { emojiNamed } from '../messages/emoji.ts'
import { conversationOf, read, type Told, toIncoming } from '../messages/incoming.ts'
import type { Self } from '../web-api/account.ts'
import type { InOrder } from './channel-queue.ts'

export interface ListenOptions {
  readonly ctx: Pick<PlatformContext, 'handleStopCommand' | 'receive' | 'edit' | 'remove' | 'reaction'>
  readonly names: Names
  readonly self: () => Self
  readonly inOrder: InOrder
  /** A message has arrived that can have the thinking status. */
  readonly heard: (conversation: string, ts: string) => void
  /** Something about the channel has changed. */
  readonly changed: (channel: string) => void
}

/** The visibility of the channel has changed, and so has its audience. */
const CONVERTED: ReadonlySet<string | undefined> = new Set(['channel_convert_to_private', 'channel_convert_to_public'])

/** Maximum length of a STOP or START message. */
const LONGEST_ORDER = 200

export function listen(bolt: BoltApp, { ctx, names, self, inOrder, heard, changed }: ListenOptions): void {
  /** Handles STOP at once. Other events of the channel may wait for a database. */
  async function heed(told: Told, channel: string, type: string): Promise<void> {
    const message = await toIncoming(told, { channel, type, names, self: self() })
    if (message) ctx.handleStopCommand(message)
  }

  async function said(told: Told, channel: string, type?: string): Promise<void> {
    const message = await toIncoming(told, { channel, type, names, self: self() })
    if (!message) return
    if (message.author.id !== self().me.id) heard(conversationId(message.conversation), message.id)
    await ctx.receive(message)
  }

  async function edited(told: Told, before: Told | undefined, channel: string, type: string): Promise<void> {
    if (told.subtype === 'tombstone') return removed(told, channel, type)
    // An unfurled link or a counted reply is no edit.
    if (told.ts === undefined || (before ? told.text === before.text : !told.edited)) return
    const { text } = await read(told.text ?? '', names, self())
    await ctx.edit(await conversationOf(told, { channel, type, names, self: self() }), told.ts, { text })
  }

  async function removed(told: Told, channel: string, type: string): Promise<void> {
    if (told.ts === undefined) return
    await ctx.remove(await conversationOf(told, { channel, type, names, self: self() }), told.ts)
  }

  bolt.event('message', async ({ event }) => {
    const { channel, channel_type: type } = event
    const told: Told = event
    if (told.subtype === undefined && (told.text ?? '').length < LONGEST_ORDER) void heed(told, channel, type).catch(() => {})
    await inOrder(channel, async () => {
      if (CONVERTED.has(told.subtype)) changed(channel)
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
      const conversation = await conversationOf({}, { channel, type: undefined, names, self: self() })
      await ctx.reaction(conversation, ts, { emoji: emojiNamed(reaction), by, ...change })
    })
  }

  bolt.event('reaction_added', async ({ event }) => reacted(event))
  bolt.event('reaction_removed', async ({ event }) => reacted(event, { removed: true }))

  bolt.event('user_change', async ({ event }) => names.personRenamed(event.user.id, nameOf(event.user)))
}

interface Reacted {
  readonly item: { readonly type: string; readonly channel: string; readonly ts: string }
  readonly user: string
  readonly reaction: string
}
