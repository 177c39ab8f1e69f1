/** Who and what there is: people, guilds, channels, messages, as Discord's API describes them. */
import {
  type APIAttachment,
  type APIChannel,
  type APIEmoji,
  type APIMessage,
  type APIMessageReference,
  type APIRole,
  type APIThreadChannel,
  type APIUser,
  type ChannelFlags,
  ChannelType,
  type GatewayGuildCreateDispatchData,
  MessageReferenceType,
  MessageType,
  OverwriteType,
  PermissionFlagsBits,
  type RoleFlags,
} from 'discord-api-types/v10'

/** A channel as the emulator keeps it. */
export interface Channel {
  readonly id: string
  /** Absent: a direct message. */
  readonly guild?: string
  /** In a direct message, of the person. */
  name: string
  readonly type: ChannelType
  /** `@everyone` cannot view it. */
  readonly private: boolean
  /** Of a thread. */
  readonly parent?: string
  readonly messages: Map<string, APIMessage>
  /** Until when people see the bot typing. */
  typingUntil: number
}

export interface Guild {
  readonly id: string
  readonly name: string
  readonly roles: readonly APIRole[]
  readonly emojis: readonly APIEmoji[]
}

export interface World {
  readonly bot: APIUser
  readonly guilds: ReadonlyMap<string, Guild>
  readonly channels: ReadonlyMap<string, Channel>
  snowflake(): string
  /** Makes the person known when the name is new. */
  user(name: string, more?: { readonly bot?: boolean }): APIUser
  userById(id: string): APIUser | undefined
  addGuild(name: string, emojis: readonly string[]): Guild
  addChannel(channel: Pick<Channel, 'name' | 'type'> & Partial<Pick<Channel, 'id' | 'guild' | 'private' | 'parent'>>): Channel
  /** By id, or by name: the oldest of that name. Throws when there is none. */
  channel(idOrName: string): Channel
  direct(person: APIUser): Channel
  message(id: string): APIMessage
  write(channel: Channel, author: APIUser, text: string, more?: Written): APIMessage
}

export interface Written {
  readonly id?: string
  readonly replyTo?: string
  readonly attachments?: readonly APIAttachment[]
  readonly nonce?: string | number
  readonly mentionEveryone?: boolean
}

const EPOCH = 1_420_070_400_000n

export function createWorld(bot: { readonly id: string; readonly name: string }): World {
  const users = new Map<string, APIUser>()
  const guilds = new Map<string, Guild>()
  const channels = new Map<string, Channel>()
  let last = 0n

  /** Of this moment, as Discord makes them, and never twice. */
  function snowflake(): string {
    const id = (BigInt(Date.now()) - EPOCH) << 22n
    last = id > last ? id : last + 1n
    return String(last)
  }

  function user(name: string, more: { readonly bot?: boolean } = {}): APIUser {
    const known = users.get(name)
    if (known) return known
    const made = userOf(snowflake(), name, more.bot)
    users.set(name, made)
    return made
  }

  function userById(id: string): APIUser | undefined {
    return [...users.values()].find(one => one.id === id)
  }

  function addChannel(given: Parameters<World['addChannel']>[0]): Channel {
    const made: Channel = { id: snowflake(), private: false, messages: new Map(), typingUntil: 0, ...given }
    channels.set(made.id, made)
    return made
  }

  const me = userOf(bot.id, bot.name, true)
  users.set(bot.name, me)

  return {
    bot: me,
    guilds,
    channels,
    snowflake,
    user,
    userById,
    addChannel,

    addGuild(name, emojis) {
      const id = snowflake()
      const guild = {
        id,
        name,
        roles: [roleOf(id)],
        emojis: emojis.map(emoji => ({
          id: snowflake(),
          name: emoji,
          roles: [],
          available: true,
          animated: false,
          managed: false,
          require_colons: true,
        })),
      }
      guilds.set(id, guild)
      return guild
    },

    channel(idOrName) {
      const found = channels.get(idOrName) ?? [...channels.values()].find(({ name, parent }) => name === idOrName && !parent)
      if (found) return found
      throw new Error(`There is no channel "${idOrName}" in this Discord.`)
    },

    direct: person =>
      [...channels.values()].find(({ type, name }) => type === ChannelType.DM && name === person.username) ??
      addChannel({ name: person.username, type: ChannelType.DM }),

    message(id) {
      for (const { messages } of channels.values()) {
        const found = messages.get(id)
        if (found) return found
      }
      throw new Error(`There is no message ${id} in this Discord.`)
    },

    write(channel, author, text, { id = snowflake(), replyTo, attachments = [], nonce, mentionEveryone = false } = {}) {
      const answered = replyTo === undefined ? undefined : channel.messages.get(replyTo)
      const ids = new Set(Array.from(text.matchAll(/<@!?(\d+)>/g), ([, found = '']) => found))
      const message: APIMessage = {
        ...blankMessage,
        id,
        channel_id: channel.id,
        author,
        content: text,
        timestamp: new Date().toISOString(),
        mentions: [...ids].flatMap(one => userById(one) ?? []),
        mention_everyone: mentionEveryone,
        attachments: [...attachments],
        ...(nonce !== undefined && { nonce }),
        ...(replyTo !== undefined && { type: MessageType.Reply, message_reference: referenceTo(channel, replyTo) }),
        ...(answered && { referenced_message: answered }),
      }
      channel.messages.set(id, message)
      return message
    },
  }
}

const blankMessage = {
  edited_timestamp: null,
  tts: false,
  mention_roles: [],
  embeds: [],
  pinned: false,
  type: MessageType.Default,
}

function referenceTo(channel: Channel, message: string): APIMessageReference {
  return {
    type: MessageReferenceType.Default,
    message_id: message,
    channel_id: channel.id,
    ...(channel.guild && { guild_id: channel.guild }),
  }
}

function userOf(id: string, name: string, bot = false): APIUser {
  return { id, username: name, discriminator: '0', global_name: null, avatar: null, ...(bot && { bot }) }
}

const MAY = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages | PermissionFlagsBits.ReadMessageHistory

/** `@everyone`: its id is the guild's. */
function roleOf(guild: string): APIRole {
  return {
    id: guild,
    name: '@everyone',
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    position: 0,
    permissions: String(MAY),
    managed: false,
    mentionable: false,
    flags: 0 as RoleFlags,
  }
}

export function isThread({ type }: Channel): boolean {
  return type === ChannelType.PublicThread || type === ChannelType.PrivateThread || type === ChannelType.AnnouncementThread
}

/** The channel as the API tells it. */
export function channelData(channel: Channel, world: World): APIChannel {
  const { id, guild, name, type, parent, messages } = channel
  const latest = { last_message_id: [...messages.keys()].at(-1) ?? null }
  // The types tell each kind of channel apart; this one function makes them all.
  if (guild === undefined) return { id, type, ...latest, recipients: [world.user(name)], flags: 0 } as unknown as APIChannel
  if (isThread(channel)) return { ...threadData(channel, world), ...latest } as APIChannel
  const hidden = { id: guild, type: OverwriteType.Role, allow: '0', deny: String(PermissionFlagsBits.ViewChannel) }
  const forBot = { id: world.bot.id, type: OverwriteType.Member, allow: String(MAY), deny: '0' }
  return {
    id,
    type,
    name,
    guild_id: guild,
    position: 0,
    nsfw: false,
    topic: null,
    parent_id: parent ?? null,
    permission_overwrites: channel.private ? [hidden, forBot] : [],
    flags: 0,
    ...(type === ChannelType.GuildForum && { available_tags: [] }),
    ...latest,
  } as unknown as APIChannel
}

function threadData({ id, guild, name, type, parent, messages }: Channel, { bot }: World): Partial<APIThreadChannel> {
  const at = new Date().toISOString()
  return {
    id,
    type: type as APIThreadChannel['type'],
    name,
    ...(guild && { guild_id: guild }),
    ...(parent && { parent_id: parent }),
    owner_id: bot.id,
    message_count: messages.size,
    total_message_sent: messages.size,
    member_count: 1,
    thread_metadata: { archived: false, auto_archive_duration: 1440, archive_timestamp: at, create_timestamp: at, locked: false },
    flags: 0 as ChannelFlags,
  }
}

/** What GUILD_CREATE tells. */
export function guildData(guild: Guild, world: World): GatewayGuildCreateDispatchData {
  const own = [...world.channels.values()].filter(channel => channel.guild === guild.id)
  const member = {
    user: world.bot,
    roles: [],
    joined_at: new Date(0).toISOString(),
    deaf: false,
    mute: false,
    flags: 0,
  }
  // The rest of a guild (banners, boosts, voice) means nothing to a bot that talks.
  return {
    id: guild.id,
    name: guild.name,
    owner_id: guild.id,
    roles: guild.roles,
    emojis: guild.emojis,
    features: [],
    joined_at: member.joined_at,
    large: false,
    unavailable: false,
    member_count: 1,
    members: [member],
    channels: own.filter(channel => !isThread(channel)).map(channel => channelData(channel, world)),
    threads: own.filter(isThread).map(channel => channelData(channel, world)),
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    stickers: [],
    soundboard_sounds: [],
  } as unknown as GatewayGuildCreateDispatchData
}
