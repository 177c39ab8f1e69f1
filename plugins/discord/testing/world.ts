/** State of the emulator: people, guilds, channels, messages. */
import {
  type APIAttachment,
  type APIEmoji,
  type APIGuildForumTag,
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

/** A channel of the emulator. */
export interface Channel {
  readonly id: string
  /** Absent: a direct message. */
  readonly guild?: string
  /** For a direct message: the name of the person. */
  name: string
  readonly type: ChannelType
  /** `@everyone` cannot view it. */
  readonly private: boolean
  /** The bot cannot view it either. */
  hidden: boolean
  /** Names of roles with a permission of their own to view it, and without. */
  readonly shownTo: readonly string[]
  readonly hiddenFrom: readonly string[]
  /** People cannot join it. */
  readonly locked: boolean
  /** For a thread: its channel. */
  readonly parent?: string
  topic?: string
  /** Tags for the posts of a forum. */
  tags: readonly APIGuildForumTag[]
  /** The ids of the tags of a post. */
  readonly applied: readonly string[]
  /** Permissions that the bot lacks here. */
  readonly denied: bigint
  /** Time between two messages of one author, in milliseconds. */
  readonly slowModeMs: number
  /** For a thread. */
  archived: boolean
  /** For a thread: only moderators write in it. */
  isLocked: boolean
  /** For a direct message: the person takes none from the bot. */
  isClosed: boolean
  readonly messages: Map<string, APIMessage>
  /** When a message was pinned, by its id, in the order of the pins. */
  readonly pins: Map<string, string>
  /** End of the bot's typing indicator. */
  typingUntil: number
}

export interface Guild {
  readonly id: string
  name: string
  readonly roles: APIRole[]
  readonly emojis: readonly APIEmoji[]
}

export interface Webhook {
  readonly id: string
  readonly token: string
  readonly name: string
  readonly channel: string
  /** The account that made it. */
  readonly by: APIUser
}

export interface World {
  readonly bot: APIUser
  readonly guilds: ReadonlyMap<string, Guild>
  readonly channels: ReadonlyMap<string, Channel>
  /** The webhooks of channels, by id. */
  readonly webhooks: Map<string, Webhook>
  /** The ids of the roles of people, by the id of the person. */
  readonly held: Map<string, Set<string>>
  /** The ids of the voice channels in which accounts are, by the id of the account. */
  readonly inVoice: Map<string, string>
  snowflake(): string
  /** Returns a person, and creates them if the name is new. */
  user(name: string, more?: { readonly bot?: boolean }): APIUser
  userById(id: string): APIUser | undefined
  addGuild(name: string, more: { readonly emojis: readonly string[]; readonly roles: readonly string[] }): Guild
  addChannel(channel: Pick<Channel, 'name' | 'type'> & Partial<Channel>): Channel
  removeChannel(channel: Channel): void
  /** By id, or by name: the oldest channel with that name. Throws if there is none. */
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
  /** Further fields of the message. */
  readonly more?: Partial<APIMessage>
}

const EPOCH = 1_420_070_400_000n
/**
 * Milliseconds after the epoch at which the first guild was created. Each next one is a moment later, so that no two share
 * a shard.
 */
const FIRST_GUILD = 5_040_000n

export function createWorld(bot: { readonly id: string; readonly name: string }): World {
  const users = new Map<string, APIUser>()
  const guilds = new Map<string, Guild>()
  const channels = new Map<string, Channel>()
  let last = 0n

  /** A new unique id with the current time, in Discord's format. */
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
      shownTo: [],
      hiddenFrom: [],
      hidden: false,
      locked: false,
      tags: [],
      applied: [],
      denied: 0n,
      slowModeMs: 0,
      archived: false,
      isLocked: false,
      isClosed: false,
      messages: new Map(),
      pins: new Map(),
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
    webhooks: new Map(),
    held: new Map(),
    inVoice: new Map(),
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
        // An invited bot gets its own role, with its name.
        roles: [
          roleOf(id, '@everyone'),
          {
            ...roleOf(snowflake(), bot.name),
            permissions: String(MAY | PermissionFlagsBits.ManageWebhooks),
            managed: true,
            tags: { bot_id: bot.id },
          },
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
      const { id = snowflake() } = more ?? {}
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
        ...(replyTo !== undefined && { referenced_message: answered ?? null }),
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

/** Permissions of everybody. */
export const MAY =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.Connect |
  PermissionFlagsBits.Speak |
  PermissionFlagsBits.AddReactions |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.CreatePublicThreads |
  PermissionFlagsBits.SendPolls

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
