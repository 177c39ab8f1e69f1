/** Events in Slack's format: https://docs.slack.dev/reference/events */
import type {
  GenericMessageEvent,
  SlackEvent as KnownEvent,
  MessageChangedEvent,
  MessageDeletedEvent,
  ThreadBroadcastMessageEvent,
} from '@slack/types'
import { channelType, messageObject, userObject } from './objects.ts'
import type { SlackChannel, SlackGroup, SlackMessage, SlackNotice, SlackUser, Workspace } from './workspace.ts'

/** The package has no types for most of them: https://docs.slack.dev/reference/events/message */
export interface NoticeEvent extends Omit<GenericMessageEvent, 'subtype'> {
  readonly subtype: SlackNotice
  readonly topic?: string
  readonly purpose?: string
  readonly inviter?: string
}

/** Edits and deletions in the documented form: https://docs.slack.dev/reference/events/message/message_deleted */
export type BriefEvent = Omit<MessageChangedEvent, 'previous_message'> | Omit<MessageDeletedEvent, 'previous_message'>

export type SlackEvent = KnownEvent | NoticeEvent | BriefEvent

export interface Events {
  said(channel: SlackChannel, message: SlackMessage): SlackEvent
  mentioned(channel: SlackChannel, message: SlackMessage): SlackEvent
  /** Without `before` the event has the documented fields only. */
  changed(channel: SlackChannel, message: SlackMessage, before?: SlackMessage): SlackEvent
  deleted(channel: SlackChannel, message: { readonly ts: string }, before?: SlackMessage): SlackEvent
  reacted(type: 'reaction_added' | 'reaction_removed', reaction: Reacted): SlackEvent
  renamed(channel: SlackChannel): SlackEvent
  joined(channel: SlackChannel, user?: Pick<SlackUser, 'id'>): SlackEvent
  /** The channel is shared with another organization now, or not any more. */
  shared(channel: SlackChannel): SlackEvent
  left(channel: SlackChannel): SlackEvent
  archived(channel: SlackChannel): SlackEvent
  unarchived(channel: SlackChannel): SlackEvent
  channelDeleted(channel: SlackChannel): SlackEvent
  userChanged(user: SlackUser): SlackEvent
  /** A user group, or its members, have changed. */
  groupChanged(type: 'subteam_updated' | 'subteam_members_changed', group: SlackGroup): SlackEvent
}

export interface Reacted {
  readonly channel: SlackChannel
  readonly message: SlackMessage
  readonly user: SlackUser
  readonly reaction: string
}

const ADMIN = 'UADMIN'

export function createEvents(workspace: Workspace): Events {
  const { team, bot, nextTs } = workspace

  const about = (channel: SlackChannel) => ({ channel: channel.id, channel_type: channelType(channel) })
  const object = (channel: SlackChannel, message: SlackMessage) => messageObject(message, channel, workspace)

  function broadcast(channel: SlackChannel, message: SlackMessage): ThreadBroadcastMessageEvent {
    const replies = channel.messages.filter(({ thread_ts }) => thread_ts === message.thread_ts)
    const parent = channel.messages.find(({ ts }) => ts === message.thread_ts) ?? message
    const root = {
      ...generic(channel, parent),
      thread_ts: parent.ts,
      reply_count: replies.length,
      reply_users_count: 1,
      latest_reply: message.ts,
      reply_users: [message.user],
    }
    // The root has the author of the thread.
    const { parent_user_id: _, ...said } = object(channel, message)
    const told = { ...said, ...about(channel), client_msg_id: message.ts, event_ts: message.ts }
    return { ...told, subtype: 'thread_broadcast', root }
  }

  function generic(channel: SlackChannel, message: SlackMessage): GenericMessageEvent {
    return { ...object(channel, message), ...about(channel), subtype: undefined, event_ts: message.ts }
  }

  function said(channel: SlackChannel, message: SlackMessage): SlackEvent {
    if (message.subtype === 'thread_broadcast') return broadcast(channel, message)
    const told = generic(channel, message)
    const { subtype, topic, purpose, inviter } = message
    if (subtype !== undefined) {
      const about = { ...(topic !== undefined && { topic }), ...(purpose !== undefined && { purpose }) }
      return { ...told, subtype, ...about, ...(inviter !== undefined && { inviter }) }
    }
    return message.files ? { ...told, text: message.text, subtype: 'file_share' } : told
  }

  const withId = ({ id }: SlackChannel) => ({ channel: id, event_ts: nextTs() })

  return {
    said,

    mentioned(channel, message) {
      return { ...object(channel, message), type: 'app_mention', channel: channel.id, event_ts: message.ts }
    },

    changed(channel, message, before) {
      const both = { message: generic(channel, message), ...(before && { previous_message: generic(channel, before) }) }
      return {
        type: 'message',
        subtype: 'message_changed',
        hidden: true,
        ...about(channel),
        ...both,
        ts: nextTs(),
        event_ts: nextTs(),
      }
    },

    deleted(channel, { ts }, before) {
      const previous = before && { previous_message: generic(channel, before) }
      const gone = { deleted_ts: ts, ...previous, ts: nextTs(), event_ts: nextTs() }
      return { type: 'message', subtype: 'message_deleted', hidden: true, ...about(channel), ...gone }
    },

    reacted(type, { channel, message, user, reaction }) {
      const item = { type: 'message' as const, channel: channel.id, ts: message.ts }
      return { type, user: user.id, reaction, item_user: message.user, item, event_ts: nextTs() }
    },

    renamed({ id, name, kind }) {
      const channel = { id, name, name_normalized: name, created: 0, is_channel: true, is_mpim: false }
      return { type: kind === 'private' ? 'group_rename' : 'channel_rename', channel, event_ts: nextTs() }
    },

    shared(channel) {
      const about = { connected_team_id: 'TOTHER', ...withId(channel) }
      return channel.isShared
        ? { type: 'channel_shared', ...about }
        : { type: 'channel_unshared', ...about, previously_connected_team_id: 'TOTHER', is_ext_shared: false }
    },

    joined(channel, user = bot) {
      return { type: 'member_joined_channel', user: user.id, team, inviter: ADMIN, channel_type: 'C', ...withId(channel) }
    },

    left: channel => ({
      type: channel.kind === 'private' ? 'group_left' : 'channel_left',
      actor_id: ADMIN,
      ...withId(channel),
    }),

    archived: channel => ({
      type: channel.kind === 'private' ? 'group_archive' : 'channel_archive',
      user: ADMIN,
      is_moved: 0,
      ...withId(channel),
    }),

    unarchived(channel) {
      if (channel.kind === 'private') return { type: 'group_unarchive', actor_id: ADMIN, ...withId(channel) }
      return { type: 'channel_unarchive', user: ADMIN, ...withId(channel) }
    },

    channelDeleted(channel) {
      if (channel.kind === 'private') return { type: 'group_deleted', date_deleted: 0, actor_id: ADMIN, ...withId(channel) }
      return { type: 'channel_deleted', channel: channel.id }
    },

    userChanged: user => ({ type: 'user_change', user: userObject(user, team), cache_ts: 0, event_ts: nextTs() }),

    groupChanged: (type, { id, handle, name, users }) =>
      type === 'subteam_updated'
        ? ({ type, subteam: { id, handle, name, team_id: team, users: [...users] }, event_ts: nextTs() } as unknown as SlackEvent)
        : ({ type, subteam_id: id, team_id: team, event_ts: nextTs() } as unknown as SlackEvent),
  }
}
