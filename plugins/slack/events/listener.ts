/** Handles events of channels. */
import type { App as BoltApp } from '@slack/bolt'
import { conversationId, KikimimiError } from 'kikimimi'
import type { ArrivalKind, PlatformContext, Slot } from 'kikimimi/platform'
import { workspaceOf } from '../connection/bolt-app.ts'
import { nameOf } from '../directory/names.ts'
import { emojiNamed } from '../messages/emoji.ts'
import type { Told } from '../messages/incoming.ts'
import type { Workspace } from '../workspaces/workspace.ts'

/** The visibility of the channel has changed, and so has its audience. */
const CONVERTED: ReadonlySet<string | undefined> = new Set(['channel_convert_to_private', 'channel_convert_to_public'])

/** What the channel is about has changed. */
const ABOUT: ReadonlySet<string | undefined> = new Set(['channel_topic', 'channel_purpose', 'group_topic', 'group_purpose'])

/** Maximum length of a STOP or START message. */
const LONGEST_ORDER = 200

export function listen(
  bolt: BoltApp,
  ctx: Pick<PlatformContext, 'admit' | 'handleStopCommand' | 'receive' | 'edit' | 'remove' | 'reaction'>,
): void {
  /** Handles STOP at once. Other events of the channel may wait for a database. */
  async function heed({ incoming }: Workspace, told: Told, { channel, type }: Where): Promise<void> {
    const message = await incoming.message(told, channel, type)
    if (message) ctx.handleStopCommand(message)
  }

  /** A place for an event, before names are looked up. Slack sends an event again that is not acknowledged. */
  function admit({ account }: Workspace, { channel, type }: Where, kind: ArrivalKind, { ts = '0', text, thread_ts }: Told): Slot {
    const thread = thread_ts !== undefined && thread_ts !== ts ? { thread: thread_ts } : {}
    const visibility = type === 'im' ? 'direct' : 'private'
    const conversation = { platform: 'slack', workspace: account.team, channel, ...thread, name: channel, visibility } as const
    const at = new Date(Number(ts) * 1_000)
    const slot = ctx.admit({ id: ts, conversation, at, kind, ...(text !== undefined && { text }) })
    if (slot) return slot
    throw new KikimimiError('OVERLOADED', 'Slack delivers more events than the bot can record.')
  }

  async function said(
    { incoming, account, thinking }: Workspace,
    told: Told,
    { channel, type }: Where,
    slot: Slot,
  ): Promise<void> {
    const message = await incoming.message(told, channel, type)
    if (!message) return
    if (message.author.id !== account.me.id) thinking.heard(conversationId(message.conversation), message.id)
    await ctx.receive(message, { slot })
  }

  async function edited(workspace: Workspace, told: Told, before: Told | undefined, where: Where): Promise<void> {
    const { incoming, account } = workspace
    if (told.subtype === 'tombstone') return removed(workspace, told, where)
    // A counted reply is no edit.
    if (told.ts === undefined || (before ? same(told, before) : !told.edited && !told.attachments)) return
    // The bot's own message is recorded as the bot wrote it.
    if (!told.edited && told.user === account.user) return
    await ctx.edit(await incoming.conversation(told, where.channel, where.type), told.ts, await incoming.content(told))
  }

  async function removed({ incoming }: Workspace, told: Told, { channel, type }: Where): Promise<void> {
    if (told.ts === undefined) return
    await ctx.remove(await incoming.conversation(told, channel, type), told.ts)
  }

  bolt.event('message', async ({ event, body, context }) => {
    const workspace = workspaceOf(context)
    const { names, channels, describe, inOrder } = workspace
    const { channel, channel_type: type } = event
    const where = { channel, type }
    const told: Told = event
    const kind = kindOf(workspace, told, where)
    using slot = admit(workspace, where, kind, told)
    if (told.subtype === undefined && (told.text ?? '').length < LONGEST_ORDER) void heed(workspace, told, where).catch(() => {})
    await inOrder(channel, async () => {
      if (CONVERTED.has(told.subtype)) channels.changed(channel)
      const isShared = body.is_ext_shared_channel === true && (await names.place(channel, type)).outsiders !== true
      if (isShared) names.outsidersIn(channel)
      if (ABOUT.has(told.subtype)) {
        const { topic, purpose } = told
        names.channelChanged(channel, { ...(topic !== undefined && { topic }), ...(purpose !== undefined && { purpose }) })
      }
      if (isShared || CONVERTED.has(told.subtype) || ABOUT.has(told.subtype)) await describe(channel)
      // The types have a `previous_message` that the documentation lacks:
      // https://docs.slack.dev/reference/events/message/message_deleted
      if (event.subtype === 'message_changed') await edited(workspace, event.message, event.previous_message, where)
      else if (event.subtype === 'message_deleted') await removed(workspace, { ts: event.deleted_ts }, where)
      else await said(workspace, told, where, slot)
    })
  })

  // The same message again, with the same ts. It comes alone if the bot may not read the channel.
  bolt.event('app_mention', async ({ event, context }) => {
    const workspace = workspaceOf(context)
    const where = { channel: event.channel }
    using slot = admit(workspace, where, 'call', event)
    await workspace.inOrder(event.channel, () => said(workspace, event, where, slot))
  })

  async function reacted(
    workspace: Workspace,
    { item, user, reaction }: Reacted,
    change: { readonly removed?: boolean } = {},
  ): Promise<void> {
    // Files can have reactions too, and are no messages.
    if (item.type !== 'message') return
    const { channel, ts } = item
    const { incoming, inOrder, account } = workspace
    using _slot = admit(workspace, { channel }, 'change', { ts })
    const by = account.personId(user)
    await inOrder(channel, async () => {
      await ctx.reaction(await incoming.conversation({}, channel), ts, { emoji: emojiNamed(reaction), by, ...change })
    })
  }

  bolt.event('reaction_added', async ({ event, context }) => reacted(workspaceOf(context), event))
  bolt.event('reaction_removed', async ({ event, context }) => reacted(workspaceOf(context), event, { removed: true }))

  bolt.event('user_change', async ({ event, context }) => {
    const { names, members } = workspaceOf(context)
    names.personRenamed(event.user.id, nameOf(event.user))
    members.changed(event.user.id)
  })

  bolt.event('subteam_created', async ({ context }) => workspaceOf(context).members.groupsChanged())
  bolt.event('subteam_updated', async ({ context }) => workspaceOf(context).members.groupsChanged())
  bolt.event('subteam_members_changed', async ({ context }) => workspaceOf(context).members.groupsChanged())
}

/** How urgent the event is, without a look-up. What is told of the channel itself changes who reads it. */
function kindOf({ account }: Workspace, { subtype, text, user, parent_user_id }: Told, { type }: Where): ArrivalKind {
  if (subtype === 'message_changed') return 'change'
  if (subtype === 'message_deleted' || CONVERTED.has(subtype) || ABOUT.has(subtype) || type === 'im') return 'call'
  const isCall = user === account.user || parent_user_id === account.user || text?.includes(`<@${account.user}>`)
  return isCall ? 'call' : 'talk'
}

/** Whether two versions of a message look alike. Slack adds other fields without an edit: counts, reactions. */
function same(one: Told, other: Told): boolean {
  const look = ({ text, blocks, attachments, files }: Told) => JSON.stringify([text, blocks, attachments, files])
  return look(one) === look(other)
}

/** A channel, with its type where the event says it. */
interface Where {
  readonly channel: string
  readonly type?: string
}

interface Reacted {
  readonly item: { readonly type: string; readonly channel: string; readonly ts: string }
  readonly user: string
  readonly reaction: string
}
