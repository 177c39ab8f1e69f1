/** Who and what there is: people, guilds, channels, messages. */
import {
  type APIAttachment,
  type APIEmoji,
  type APIMessage,
  type APIMessageReference,
  type APIRole,
  type APIUser,
  ChannelType,
  MessageReferenceType,
  MessageType,
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
  /** Nor can the bot. */
  readonly hidden: boolean
  /** Nobody may join it. */
  readonly locked: boolean
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
  addGuild(name: string, more: { readonly emojis: readonly string[]; readonly roles: readonly string[] }): Guild
  addChannel(channel: Pick<Channel, 'name' | 'type'> & Partial<Channel>): Channel
  removeChannel(channel: Channel): void
  /** By id, or by name: the oldest of that name. Throws when there is none. */
  channel(idOrName: string): Channel
  direct(person: APIUser): Channel
  message(id: string): APIMessage
  write(channel: Channel, author: APIUser, text: string, more?: Written): APIMessage
}

export interface Written {
  readonly replyTo?: string
  readonly attachments?: readonly APIAttachment[]
  readonly nonce?: string | number
  readonly mentionEveryone?: boolean
  /** What else Discord tells of it. */
  readonly more?: Partial<APIMessage>
}

const EPOCH = 1_420_070_400_000n
/** Milliseconds after the epoch when the first guild was made; each next one a moment later, so that no two share a shard. */
const FIRST_GUILD = 5_040_000n

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
    const made: Channel = {
      id: snowflake(),
      private: false,
      hidden: false,
      locked: false,
      messages: new Map(),
      typingUntil: 0,
      ...given,
    }
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

    removeChannel: ({ id }) => void channels.delete(id),

    addGuild(name, { emojis, roles }) {
      const id = String((FIRST_GUILD + BigInt(guilds.size)) << 22n)
      const guild = {
        id,
        name,
        // Whoever brings the bot in gives it a role of its own, by its name.
        roles: [
          roleOf(id, '@everyone'),
          { ...roleOf(snowflake(), bot.name), managed: true, tags: { bot_id: bot.id } },
          { ...roleOf(snowflake(), 'admins'), permissions: String(PermissionFlagsBits.ManageGuild) },
          ...roles.map(role => roleOf(snowflake(), role)),
        ],
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

    write(channel, author, text, { replyTo, attachments = [], nonce, mentionEveryone = false, more } = {}) {
      const id = snowflake()
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
        mention_roles: Array.from(text.matchAll(/<@&(\d+)>/g), ([, role = '']) => role),
        attachments: [...attachments],
        ...(nonce !== undefined && { nonce }),
        ...(replyTo !== undefined && { type: MessageType.Reply, message_reference: referenceTo(channel, replyTo) }),
        ...(answered && { referenced_message: answered }),
        ...more,
      }
      channel.messages.set(id, message)
      return message
    },
  }
}

const blankMessage = {
  edited_timestamp: null,
  tts: false,
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

/** What everybody may do. */
export const MAY =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.Connect

/** `@everyone` has the id of the guild. */
function roleOf(id: string, name: string): APIRole {
  return {
    id,
    name,
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
