/** The methods of Slack's Web API that a bot calls, on a workspace in memory. */
import type {
  ChatPostMessageResponse,
  ConversationsHistoryResponse,
  ConversationsInfoResponse,
  UsersInfoResponse,
  WebAPICallResult,
} from '@slack/web-api'
import type { SlackChannel, SlackMessage, SlackUser, Workspace } from './workspace.ts'

/** The arguments of a call, as the form carries them. */
export type Arguments = Readonly<Record<string, string>>
type Answer = Omit<WebAPICallResult, 'ok'> & Record<string, unknown>
type Method = (args: Arguments) => Answer

/** What a method answers when it says no: HTTP 200 with `ok: false`. */
export class SlackRefusal extends Error {}

export interface WebApiOptions {
  readonly workspace: Workspace
  /** The address of this server. */
  readonly origin: () => string
  /** Where the app finds its events. */
  readonly socketUrl: () => string
  /** Tells the app what its own call changed. */
  readonly emit: (event: { readonly type: string } & Record<string, unknown>) => void
}

export function createWebApi({ workspace, origin, socketUrl, emit }: WebApiOptions): ReadonlyMap<string, Method> {
  const { bot, team } = workspace
  const uploads = new Map<string, string>()

  function channelOf({ channel = '', channel_id = channel }: Arguments, needsMember = true): SlackChannel {
    const found = workspace.channels.get(channel_id)
    if (!found) throw new SlackRefusal('channel_not_found')
    if (needsMember && !found.isMember) throw new SlackRefusal('not_in_channel')
    return found
  }

  function messageOf(channel: SlackChannel, ts: string | undefined, missing = 'message_not_found'): SlackMessage {
    const found = channel.messages.find(message => message.ts === ts)
    if (!found) throw new SlackRefusal(missing)
    return found
  }

  function post(args: Arguments): ChatPostMessageResponse {
    const channel = channelOf(args)
    const { text = '', thread_ts, metadata } = args
    if (text === '') throw new SlackRefusal('no_text')
    if (thread_ts !== undefined) messageOf(channel, thread_ts, 'thread_not_found')
    const message = workspace.post(channel, {
      user: bot.id,
      bot_id: bot.botId,
      text: text.slice(0, 40_000),
      ...(thread_ts !== undefined && { thread_ts }),
      ...(metadata !== undefined && { metadata: JSON.parse(metadata) }),
    })
    // Whoever posts has finished thinking.
    if (thread_ts !== undefined) workspace.statuses.delete(`${channel.id}/${thread_ts}`)
    emit({ ...message, channel: channel.id, channel_type: channelType(channel), event_ts: message.ts })
    return { ok: true, channel: channel.id, ts: message.ts, message: { ...message } as ChatPostMessageResponse['message'] & {} }
  }

  /** Newest first, as `conversations.history` has it. */
  function history(args: Arguments): ConversationsHistoryResponse {
    const channel = channelOf(args)
    const found = between(channel.messages, args).filter(
      ({ ts, thread_ts, subtype }) => thread_ts === undefined || thread_ts === ts || subtype === 'thread_broadcast',
    )
    return paged(found.map(message => withReplies(channel, message)).reverse(), args)
  }

  /** The thread's first message, then the others, oldest first. */
  function replies(args: Arguments): ConversationsHistoryResponse {
    const channel = channelOf(args)
    const root = messageOf(channel, args.ts, 'thread_not_found')
    const rest = channel.messages.filter(({ ts, thread_ts }) => thread_ts === root.ts && ts !== root.ts)
    return paged([withReplies(channel, root), ...between(rest, args)], args)
  }

  return new Map<string, Method>(
    Object.entries({
      'auth.test': () => ({ url: origin(), team: 'kikimimi', team_id: team, user: bot.name, user_id: bot.id, bot_id: bot.botId }),
      'apps.connections.open': () => ({ url: socketUrl() }),

      'chat.postMessage': args => ({ ...post(args) }),
      'chat.update'(args) {
        const channel = channelOf(args)
        const message = messageOf(channel, args.ts)
        if (message.user !== bot.id) throw new SlackRefusal('cant_update_message')
        message.text = args.text ?? ''
        return { channel: channel.id, ts: message.ts, text: message.text }
      },
      'chat.delete'(args) {
        const channel = channelOf(args)
        const message = messageOf(channel, args.ts)
        if (message.user !== bot.id) throw new SlackRefusal('cant_delete_message')
        channel.messages.splice(channel.messages.indexOf(message), 1)
        return { channel: channel.id, ts: message.ts }
      },
      'chat.postEphemeral'(args) {
        channelOf(args)
        return { message_ts: workspace.nextTs() }
      },

      'reactions.add'(args) {
        const channel = channelOf(args)
        const message = messageOf(channel, args.timestamp)
        const name = args.name ?? ''
        if (!/^[\w+'-]+(?:::skin-tone-[2-6])?$/.test(name)) throw new SlackRefusal('invalid_name')
        message.reactions ??= []
        if (message.reactions.some(one => one.name === name && one.users.includes(bot.id)))
          throw new SlackRefusal('already_reacted')
        message.reactions.push({ name, count: 1, users: [bot.id] })
        return {}
      },

      'conversations.history': args => ({ ...history(args) }),
      'conversations.replies': args => ({ ...replies(args) }),
      'conversations.info': args => ({ channel: channelObject(channelOf(args, false)) }),
      'conversations.list': () => ({ channels: Array.from(workspace.channels.values(), channelObject) }),
      'conversations.members': args => {
        channelOf(args)
        return { members: [...workspace.users.keys()] }
      },
      'conversations.open'({ users = '' }) {
        const user = workspace.users.get(users)
        if (!user) throw new SlackRefusal('user_not_found')
        return { channel: { id: workspace.channel(`@${user.name}`).id } }
      },

      'users.info'({ user = '' }) {
        const found = workspace.users.get(user)
        if (!found) throw new SlackRefusal('user_not_found')
        return { user: userObject(found) }
      },
      'users.list': () => ({ members: Array.from(workspace.users.values(), userObject) }),

      'files.getUploadURLExternal'({ filename = 'file' }) {
        const id = `F${uploads.size + 1}`
        uploads.set(id, filename)
        return { upload_url: `${origin()}/upload/${id}`, file_id: id }
      },
      'files.completeUploadExternal'({ files = '[]', channel_id }) {
        const asked: { id: string; title?: string }[] = JSON.parse(files)
        if (channel_id !== undefined) {
          workspace.post(channelOf({ channel: channel_id }), {
            user: bot.id,
            bot_id: bot.botId,
            text: '',
            files: asked.map(({ id, title }) => ({ name: title ?? uploads.get(id) ?? id, mimetype: 'application/octet-stream' })),
          })
        }
        return { files: asked }
      },

      'assistant.threads.setStatus'(args) {
        const key = `${channelOf(args).id}/${args.thread_ts}`
        if (args.status) workspace.statuses.set(key, args.status)
        else workspace.statuses.delete(key)
        return {}
      },
    } satisfies Record<string, Method>),
  )
}

export function channelType({ kind }: SlackChannel): 'channel' | 'group' | 'im' {
  return kind === 'public' ? 'channel' : kind === 'private' ? 'group' : 'im'
}

function withReplies(channel: SlackChannel, message: SlackMessage) {
  const replies = channel.messages.filter(({ ts, thread_ts }) => thread_ts === message.ts && ts !== message.ts)
  const latest = replies.at(-1)
  return latest ? { ...message, thread_ts: message.ts, reply_count: replies.length, latest_reply: latest.ts } : message
}

function between(messages: readonly SlackMessage[], { oldest = '0', latest, inclusive }: Arguments): readonly SlackMessage[] {
  const strictly = inclusive !== 'true' && inclusive !== '1'
  return messages.filter(({ ts }) => {
    if (strictly && (ts === oldest || ts === latest)) return false
    return Number(ts) >= Number(oldest) && (latest === undefined || Number(ts) <= Number(latest))
  })
}

/** The cursor is the place in the list. */
function paged(all: readonly object[], { cursor = '0', limit = '100' }: Arguments): ConversationsHistoryResponse {
  const end = Number(cursor) + Number(limit)
  return {
    ok: true,
    messages: all.slice(Number(cursor), end) as ConversationsHistoryResponse['messages'] & {},
    has_more: end < all.length,
    ...(end < all.length && { response_metadata: { next_cursor: String(end) } }),
  }
}

function channelObject(channel: SlackChannel): ConversationsInfoResponse['channel'] & {} {
  const { id, name, kind, user, isMember } = channel
  if (kind === 'direct') return { id, is_im: true, ...(user !== undefined && { user }) }
  return { id, name, name_normalized: name, is_channel: true, is_private: kind === 'private', is_member: isMember }
}

function userObject({ id, name, bot = false }: SlackUser): UsersInfoResponse['user'] & {} {
  return { id, name, real_name: name, is_bot: bot, profile: { display_name: name, real_name: name } }
}
