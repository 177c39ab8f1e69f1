/** Methods that list channels and read their history. */
import type {
  ConversationsHistoryResponse,
  ConversationsInfoResponse,
  ConversationsListResponse,
  ConversationsMembersResponse,
  ConversationsOpenResponse,
  ConversationsRepliesResponse,
  PinsListResponse,
  UsersConversationsResponse,
} from '@slack/web-api'
import { type Arguments, channelOf, joinedChannelOf, type Methods, pageOf, SlackRefusal } from './methods.ts'
import { channelObject, messageObject } from './objects.ts'
import type { SlackChannel, SlackMessage, Workspace } from './workspace.ts'

/** @param most messages per call, whatever the app asks for */
export function createConversations(workspace: Workspace, most: number): Methods {
  const pageFor = <T>(all: readonly T[], args: Arguments) =>
    pageOf(all, { ...args, limit: String(Math.min(Number(args.limit ?? 100), most)) })

  function withReplies(channel: SlackChannel, message: SlackMessage) {
    const told = messageObject(message, channel, workspace)
    const replies = channel.messages.filter(({ thread_ts, ts }) => thread_ts === message.ts && ts !== message.ts)
    const latest = replies.at(-1)
    return latest ? { ...told, thread_ts: message.ts, reply_count: replies.length, latest_reply: latest.ts } : told
  }

  return {
    /** Newest first. */
    'conversations.history'(args): ConversationsHistoryResponse {
      const channel = joinedChannelOf(workspace, args)
      const found = between(channel.messages, args).filter(
        ({ ts, thread_ts, subtype }) => thread_ts === undefined || thread_ts === ts || subtype === 'thread_broadcast',
      )
      const { page, hasMore, response_metadata } = pageFor(found.toReversed(), args)
      return { ok: true, messages: page.map(message => withReplies(channel, message)), has_more: hasMore, response_metadata }
    },

    /** The first message of the thread, then the others, oldest first. */
    'conversations.replies'(args): ConversationsRepliesResponse {
      const channel = joinedChannelOf(workspace, args)
      const rest = channel.messages.filter(({ ts, thread_ts }) => thread_ts === args.ts && ts !== args.ts)
      // A thread stays when its first message is deleted.
      const root = channel.messages.find(({ ts }) => ts === args.ts)
      if (!root && rest.length === 0) throw new SlackRefusal('thread_not_found')
      const { page, hasMore, response_metadata } = pageFor([...(root ? [root] : []), ...between(rest, args)], args)
      return { ok: true, messages: page.map(message => withReplies(channel, message)), has_more: hasMore, response_metadata }
    },

    /** The latest pin first. A message that was deleted is not among them. */
    'pins.list'(args, scopes): PinsListResponse {
      if (!scopes.includes('pins:read')) throw new SlackRefusal('missing_scope')
      const channel = joinedChannelOf(workspace, args)
      const items = channel.pins.toReversed().flatMap(ts => {
        const message = channel.messages.find(one => one.ts === ts)
        return message ? [{ type: 'message', channel: channel.id, message: messageObject(message, channel, workspace) }] : []
      })
      return { ok: true, items }
    },

    'conversations.info': (args): ConversationsInfoResponse => ({ ok: true, channel: channelObject(channelOf(workspace, args)) }),

    'conversations.list': (): ConversationsListResponse => ({
      ok: true,
      channels: Array.from(workspace.channels.values(), channelObject),
    }),

    'conversations.members'(args): ConversationsMembersResponse {
      joinedChannelOf(workspace, args)
      return { ok: true, members: [...workspace.users.keys()] }
    },

    'conversations.open'({ users = '' }, scopes): ConversationsOpenResponse {
      if (!scopes.includes('im:write')) throw new SlackRefusal('missing_scope')
      const user = workspace.users.get(users)
      if (!user) throw new SlackRefusal('user_not_found')
      return { ok: true, channel: { id: workspace.channel(`@${user.name}`).id } }
    },

    /** The scopes decide which types may be requested. One forbidden type refuses the request. */
    'users.conversations'(args, scopes): UsersConversationsResponse {
      const asked = (args.types ?? 'public_channel').split(',').map(type => TYPES[type])
      if (asked.some(type => !type || !scopes.includes(type.scope))) throw new SlackRefusal('missing_scope')
      const found = Array.from(workspace.channels.values()).filter(
        ({ kind, isMember, isArchived }) =>
          isMember && !(isArchived && args.exclude_archived === 'true') && asked.some(type => type?.kind === kind),
      )
      const { page, response_metadata } = pageOf(found, args)
      return { ok: true, channels: page.map(channelObject), response_metadata }
    },
  }
}

const TYPES: Readonly<Record<string, { readonly kind: SlackChannel['kind'] | 'several'; readonly scope: string }>> = {
  public_channel: { kind: 'public', scope: 'channels:read' },
  private_channel: { kind: 'private', scope: 'groups:read' },
  im: { kind: 'direct', scope: 'im:read' },
  mpim: { kind: 'several', scope: 'mpim:read' },
}

function between(messages: readonly SlackMessage[], { oldest = '0', latest, inclusive }: Arguments): readonly SlackMessage[] {
  const strictly = inclusive !== 'true' && inclusive !== '1'
  return messages.filter(({ ts }) => {
    if (strictly && (ts === oldest || ts === latest)) return false
    return Number(ts) >= Number(oldest) && (latest === undefined || Number(ts) <= Number(latest))
  })
}
