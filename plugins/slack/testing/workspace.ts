/** Who is in a Slack workspace, and what was said there. */
import type { MessageMetadata } from '@slack/types'

export type ChannelKind = 'public' | 'private' | 'direct'

export interface SlackUser {
  readonly id: string
  name: string
  readonly bot?: boolean
  isAdmin?: boolean
}

/** A file as somebody shares it. */
export interface SlackFile {
  readonly name: string
  readonly mimetype: string
  /** What is in it. The app gets it at `url_private`, with its token. */
  readonly content?: Uint8Array
  /** Where it is kept, when that is not in Slack. */
  readonly url_private?: string
}

/** A file as Slack holds it. */
export interface SharedFile extends SlackFile {
  readonly id: string
  readonly url_private: string
}

export interface SlackReaction {
  /** As Slack calls it, without colons. */
  readonly name: string
  /** The id of who put it there. */
  readonly user: string
}

export interface SlackMessage {
  /** Names the message within its channel: seconds since the epoch with six decimals, as text. */
  readonly ts: string
  readonly subtype?: 'thread_broadcast' | 'channel_convert_to_private'
  readonly user: string
  text: string
  readonly thread_ts?: string
  readonly parent_user_id?: string
  readonly bot_id?: string
  readonly files?: readonly SharedFile[]
  edited?: { readonly user: string; readonly ts: string }
  /** Oldest first. */
  readonly reactions: SlackReaction[]
  readonly metadata?: MessageMetadata
}

/** What stands in a channel without being a message of it: a command, or what an app answers to one. */
export interface SlackNote {
  readonly ts: string
  readonly author: string
  readonly text: string
  /** The only one who sees it. */
  readonly onlyFor?: string
}

export interface SlackChannel {
  readonly id: string
  name: string
  kind: ChannelKind
  /** With whom, when it is direct. */
  readonly user?: string
  /** The id of who made it. */
  creator?: string
  isMember: boolean
  isArchived: boolean
  /** Oldest first. */
  readonly messages: SlackMessage[]
  readonly notes: SlackNote[]
}

/** What {@link Workspace.post} is given: what is missing is made. */
export type NewMessage = Omit<SlackMessage, 'ts' | 'files' | 'reactions'> & {
  readonly ts?: string
  readonly files?: readonly SlackFile[]
}

export interface Workspace {
  readonly team: string
  /** Where this Slack is. */
  readonly origin: string
  readonly bot: SlackUser & { readonly botId: string }
  readonly users: ReadonlyMap<string, SlackUser>
  readonly channels: ReadonlyMap<string, SlackChannel>
  readonly files: ReadonlyMap<string, SharedFile>
  /** "is thinking…", by channel and thread. */
  readonly statuses: Map<string, string>
  /** By name; made when there is none. */
  user(name: string, bot?: boolean): SlackUser
  /** By name or id; made when there is none. `@alice` is the conversation of alice with the bot. */
  channel(name: string, kind?: ChannelKind): SlackChannel
  post(channel: SlackChannel, message: NewMessage): SlackMessage
  delete(channel: SlackChannel): void
  /** A timestamp that was never given before. */
  nextTs(): string
}

export function createWorkspace(bot: { readonly id: string; readonly name: string }, origin: string): Workspace {
  const team = 'TKIKIMIMI'
  const me = { ...bot, botId: `B${bot.id.slice(1)}`, bot: true }
  const users = new Map<string, SlackUser>([[me.id, me]])
  const channels = new Map<string, SlackChannel>()
  const files = new Map<string, SharedFile>()
  let last = 0

  function nextTs(): string {
    last = Math.max(last + 1, Date.now() * 1_000)
    return `${Math.floor(last / 1_000_000)}.${String(last % 1_000_000).padStart(6, '0')}`
  }

  function user(name: string, isBot = false): SlackUser {
    const known = Array.from(users.values()).find(one => one.name === name)
    if (known) return known
    const made = { id: idOf('U', name), name, ...(isBot && { bot: true }) }
    users.set(made.id, made)
    return made
  }

  function share(file: SlackFile): SharedFile {
    const id = `F${files.size + 1}`
    const shared = { url_private: `${origin}/files-pri/${team}-${id}/${encodeURIComponent(file.name)}`, ...file, id }
    files.set(id, shared)
    return shared
  }

  return {
    team,
    origin,
    bot: me,
    users,
    channels,
    files,
    statuses: new Map(),
    user,
    nextTs,

    channel(name, kind = name.startsWith('@') ? 'direct' : 'public') {
      const known = channels.get(name) ?? Array.from(channels.values()).find(one => one.name === name)
      if (known) return known
      const made: SlackChannel = {
        id: idOf(kind === 'direct' ? 'D' : 'C', name),
        name,
        kind,
        ...(kind === 'direct' && { user: user(name.replace('@', '')).id }),
        isMember: true,
        isArchived: false,
        messages: [],
        notes: [],
      }
      channels.set(made.id, made)
      return made
    },

    post(channel, { ts = nextTs(), files: given, ...rest }) {
      // An event that is told again tells of the same message.
      const known = channel.messages.find(message => message.ts === ts)
      if (known) return known
      const parent = channel.messages.find(message => message.ts === rest.thread_ts)
      const message: SlackMessage = {
        ...rest,
        ts,
        reactions: [],
        ...(given && { files: given.map(share) }),
        ...(parent && { parent_user_id: parent.user }),
      }
      channel.messages.push(message)
      return message
    },

    delete: ({ id }) => void channels.delete(id),
  }
}

/** Slack's ids are capital letters and digits. */
function idOf(letter: string, name: string): string {
  const plain = name.replace(/[^a-z0-9]/gi, '').toUpperCase()
  return letter + (plain || Buffer.from(name).toString('hex').toUpperCase())
}
