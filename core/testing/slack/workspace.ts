/** Who is in a Slack workspace, and what was said there. */

export type ChannelKind = 'public' | 'private' | 'direct'

export interface SlackUser {
  readonly id: string
  name: string
  readonly bot?: boolean
}

export interface SlackFile {
  readonly name: string
  readonly mimetype: string
  readonly url_private?: string
}

export interface SlackMessage {
  readonly type: 'message'
  readonly subtype?: string
  /** Names the message within its channel: seconds since the epoch with six decimals, as text. */
  readonly ts: string
  readonly user: string
  text: string
  readonly thread_ts?: string
  readonly parent_user_id?: string
  readonly bot_id?: string
  readonly files?: readonly SlackFile[]
  edited?: { readonly user: string; readonly ts: string }
  reactions?: { readonly name: string; readonly count: number; readonly users: readonly string[] }[]
  readonly metadata?: unknown
}

export interface SlackChannel {
  readonly id: string
  name: string
  readonly kind: ChannelKind
  /** With whom, when it is direct. */
  readonly user?: string
  isMember: boolean
  /** Oldest first. */
  readonly messages: SlackMessage[]
}

export interface Workspace {
  readonly team: string
  readonly bot: SlackUser & { readonly botId: string }
  readonly users: ReadonlyMap<string, SlackUser>
  readonly channels: ReadonlyMap<string, SlackChannel>
  /** "is thinking…", by channel and thread. */
  readonly statuses: Map<string, string>
  /** By name; made when there is none. */
  user(name: string, bot?: boolean): SlackUser
  /** By name or id; made when there is none. `@alice` is the conversation of alice with the bot. */
  channel(name: string, kind?: ChannelKind): SlackChannel
  post(channel: SlackChannel, message: Omit<SlackMessage, 'type' | 'ts'> & { readonly ts?: string }): SlackMessage
  /** A timestamp that was never given before. */
  nextTs(): string
}

export function createWorkspace(bot: { readonly id: string; readonly name: string }): Workspace {
  const me = { ...bot, botId: `B${bot.id.slice(1)}`, bot: true }
  const users = new Map<string, SlackUser>([[me.id, me]])
  const channels = new Map<string, SlackChannel>()
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

  return {
    team: 'TKIKIMIMI',
    bot: me,
    users,
    channels,
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
        messages: [],
      }
      channels.set(made.id, made)
      return made
    },

    post(channel, { ts = nextTs(), ...rest }) {
      const parent = channel.messages.find(message => message.ts === rest.thread_ts)
      const message = { type: 'message' as const, ...rest, ts, ...(parent && { parent_user_id: parent.user }) }
      // An event that is told again tells of the same message.
      if (!channel.messages.some(known => known.ts === ts)) channel.messages.push(message)
      return message
    },
  }
}

/** Slack's ids are capital letters and digits. */
function idOf(letter: string, name: string): string {
  const plain = name.replace(/[^a-z0-9]/gi, '').toUpperCase()
  return letter + (plain || Buffer.from(name).toString('hex').toUpperCase())
}
