/** State of the emulator: people, channels and messages. */
import type { Block, KnownBlock, MessageAttachment, MessageMetadata } from '@slack/types'

export type ChannelKind = 'public' | 'private' | 'direct'

export interface SlackUser {
  readonly id: string
  name: string
  readonly bot?: boolean
  isAdmin?: boolean
  isOwner?: boolean
  /** Belongs to another workspace, and takes part in a shared channel. */
  isStranger?: boolean
  /** Reads only the channels to which the guest was invited. */
  isGuest?: boolean
}

/** A user group. */
export interface SlackGroup {
  readonly id: string
  handle: string
  readonly name: string
  /** Ids of its members. */
  users: readonly string[]
}

/** A file that a person shares. */
export interface SlackFile {
  readonly name: string
  readonly mimetype: string
  /** Content of the file. The app gets it at `url_private`, with its token. */
  readonly content?: Uint8Array
  /** Address of the file, if it is not in Slack. */
  readonly url_private?: string
  /** The file was recorded in Slack. */
  readonly subtype?: 'slack_audio' | 'slack_video'
  /** What Slack has understood of a recording. */
  readonly transcription?: string
  /** The channel is shared with another organization: messages have only the id of the file, and `files.info` has the rest. */
  readonly connected?: boolean
}

/** A block of a message. */
export type SlackBlock = KnownBlock | Block

/** An attachment: a card of an app, an unfurled link, or a shared message. The package lacks the fields of the last two. */
export type SlackAttachment = MessageAttachment & {
  readonly service_name?: string
  readonly from_url?: string
  readonly is_share?: boolean
  readonly is_msg_unfurl?: boolean
  readonly message_blocks?: readonly { readonly message: { readonly blocks: readonly SlackBlock[] } }[]
}

/** Something that happened in a channel, which people see as a message. */
export type SlackNotice =
  | ('channel_convert_to_private' | 'channel_join' | 'channel_purpose' | 'channel_topic')
  | ('assistant_app_thread' | 'pinned_item')

/** A file in the emulator. */
export interface SharedFile extends SlackFile {
  readonly id: string
  readonly url_private: string
}

export interface SlackReaction {
  /** Slack's name, without colons. */
  readonly name: string
  /** Id of the person. */
  readonly user: string
}

export interface SlackMessage {
  /** Id of the message within its channel: seconds since the epoch with six decimals, as text. */
  readonly ts: string
  readonly subtype?: 'thread_broadcast' | SlackNotice
  readonly user: string
  text: string
  readonly thread_ts?: string
  readonly parent_user_id?: string
  readonly bot_id?: string
  /** The name and the picture that the app gave the message: it then shows no user. */
  readonly username?: string
  readonly icons?: { readonly image_48: string }
  readonly files?: readonly SharedFile[]
  /** Absent: `rich_text` with the text, if a person wrote it. */
  blocks?: readonly SlackBlock[]
  attachments?: readonly SlackAttachment[]
  /** What a notice is about. */
  readonly topic?: string
  readonly purpose?: string
  readonly inviter?: string
  edited?: { readonly user: string; readonly ts: string }
  /** Oldest first. */
  readonly reactions: SlackReaction[]
  readonly metadata?: MessageMetadata
}

/** An entry of a channel that is no message: a command, or a response to one. */
export interface SlackNote {
  readonly ts: string
  readonly author: string
  readonly text: string
  /** The only person who sees it. */
  readonly onlyFor?: string
}

export interface SlackChannel {
  readonly id: string
  name: string
  kind: ChannelKind
  /** The other person of a direct message. */
  readonly user?: string
  /** Id of the creator. */
  creator?: string
  topic: string
  purpose: string
  isMember: boolean
  /** Shared with another organization. */
  isShared: boolean
  isArchived: boolean
  /** Oldest first. */
  readonly messages: SlackMessage[]
  /** Timestamps of the pinned messages, the latest pin last. */
  readonly pins: string[]
  readonly notes: SlackNote[]
}

/** Arguments of {@link Workspace.post}. Missing fields get a default. */
export type NewMessage = Omit<SlackMessage, 'ts' | 'files' | 'reactions'> & {
  readonly ts?: string
  readonly files?: readonly SlackFile[]
}

/** An organization whose workspaces share one installation of the app. */
export interface SlackOrg {
  readonly id: string
  readonly name: string
}

export interface Workspace {
  readonly team: string
  /** Name of the workspace. */
  readonly name: string
  readonly org?: SlackOrg
  /** Address of the emulator. */
  readonly origin: string
  readonly bot: SlackUser & { readonly botId: string }
  readonly users: ReadonlyMap<string, SlackUser>
  readonly channels: ReadonlyMap<string, SlackChannel>
  readonly files: ReadonlyMap<string, SharedFile>
  readonly groups: SlackGroup[]
  /** "is thinking…", by channel and thread. */
  readonly statuses: Map<string, string>
  /** By name. A new name creates a user. */
  user(name: string, bot?: boolean): SlackUser
  /** By name or id. A new name creates a channel. `@alice` is the direct conversation of alice with the bot. */
  channel(name: string, kind?: ChannelKind): SlackChannel
  post(channel: SlackChannel, message: NewMessage): SlackMessage
  delete(channel: SlackChannel): void
  /** A new unique timestamp. */
  nextTs(): string
}

export interface WorkspaceOptions {
  readonly team: string
  readonly name: string
  readonly org?: SlackOrg | undefined
  readonly bot: { readonly id: string; readonly name: string }
  /** Address of the emulator. */
  readonly origin: string
}

export function createWorkspace({ team, name: teamName, org, bot, origin }: WorkspaceOptions): Workspace {
  // Ids are unique in an organization. Those of two others may be equal.
  const prefix = org === undefined ? '' : team
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
    name: teamName,
    ...(org && { org }),
    origin,
    bot: me,
    users,
    channels,
    files,
    groups: [],
    statuses: new Map(),
    user,
    nextTs,

    channel(name, kind = name.startsWith('@') ? 'direct' : 'public') {
      const known = channels.get(name) ?? Array.from(channels.values()).find(one => one.name === name)
      if (known) return known
      const made: SlackChannel = {
        id: idOf(kind === 'direct' ? 'D' : 'C', `${prefix}${name}`),
        name,
        kind,
        ...(kind === 'direct' && { user: user(name.replace('@', '')).id }),
        topic: '',
        purpose: '',
        isMember: true,
        isShared: false,
        isArchived: false,
        messages: [],
        pins: [],
        notes: [],
      }
      channels.set(made.id, made)
      return made
    },

    post(channel, { ts = nextTs(), files: given, ...rest }) {
      // An event that is delivered again is about the same message.
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

/** Ids of Slack consist of capital letters and digits. */
function idOf(letter: string, name: string): string {
  const plain = name.replace(/[^a-z0-9]/gi, '').toUpperCase()
  return letter + (plain || Buffer.from(name).toString('hex').toUpperCase())
}
