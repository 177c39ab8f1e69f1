/** Actions of people in Discord, and the events that the bot gets for them. */
import {
  type APIAttachment,
  type APIMessage,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ChannelType,
  GatewayDispatchEvents,
  InteractionType,
  PermissionFlagsBits,
} from 'discord-api-types/v10'
import { channelData, guildData, inGuild, reactionData } from './data.ts'
import type { ChannelOptions, DiscordEmulator, Said } from './index.ts'
import type { Interaction } from './interactions.ts'
import type { File } from './server.ts'
import type { Channel, World } from './world.ts'

export type People = Pick<
  DiscordEmulator,
  | 'say'
  | 'redeliver'
  | 'edit'
  | 'delete'
  | 'react'
  | 'unreact'
  | 'clearReactions'
  | 'channel'
  | 'deleteChannel'
  | 'thread'
  | 'permit'
  | 'direct'
  | 'command'
>

export interface PeopleOptions {
  readonly world: World
  readonly interactions: Map<string, Interaction>
  /** Uploaded files, by path. */
  readonly files: Map<string, File>
  /** The address of uploaded files. */
  origin(): string
  /** Sends an event to the clients of the guild. */
  dispatch(event: GatewayDispatchEvents, data: unknown, guild: string | undefined): void
  announce(channel: Channel, message: APIMessage): void
}

export const CHANNEL_TYPES = {
  text: ChannelType.GuildText,
  forum: ChannelType.GuildForum,
  announcement: ChannelType.GuildAnnouncement,
  voice: ChannelType.GuildVoice,
  stage: ChannelType.GuildStageVoice,
} as const

export function addChannel(world: World, guild: string, given: string | ChannelOptions): Channel {
  const {
    name,
    type = 'text',
    private: isPrivate = false,
    hidden = false,
    locked = false,
  }: ChannelOptions = typeof given === 'string' ? { name: given } : given
  return world.addChannel({ name, type: CHANNEL_TYPES[type], guild, private: isPrivate || hidden, hidden, locked })
}

const { ManageChannels, ManageGuild } = PermissionFlagsBits

export function createPeople({ world, interactions, files, origin, dispatch, announce }: PeopleOptions): People {
  const known = new Set<string>()
  const again = new Map<string, () => void>()

  const person = (name: string, bot = false) => {
    known.add(name)
    return world.user(name, { bot })
  }

  /** Converts `@name` to a mention of the person, `@&name` to one of a role. */
  function written(text: string, { guild = '' }: Channel): string {
    const roles = world.guilds.get(guild)?.roles ?? []
    return text.replace(/@(&?)([\p{L}\p{N}_-]+)/gu, (whole, role: string, name: string) => {
      const id = role ? roles.find(one => one.name === name)?.id : idOf(name)
      return id === undefined ? whole : `<@${role}${id}>`
    })
  }
  function idOf(name: string): string | undefined {
    if (name === world.bot.username) return world.bot.id
    return known.has(name) ? world.user(name).id : undefined
  }

  function place(channel: string | undefined): Channel {
    if (channel !== undefined) return world.channel(channel)
    const [first] = world.channels.values()
    if (!first) throw new Error('This Discord has no channel.')
    return first
  }
  /** Roles that may manage the guild. */
  function adminRoles({ guild = '' }: Channel): string[] {
    const { roles = [] } = world.guilds.get(guild) ?? {}
    return roles.filter(({ permissions }) => (BigInt(permissions) & ManageGuild) !== 0n).map(({ id }) => id)
  }

  const placeOf = (message: string) => world.channel(world.message(message).channel_id)

  function upload({ name, type, ...file }: NonNullable<Said['attachments']>[number]): APIAttachment {
    const id = world.snowflake()
    const path = `/attachments/${id}/${name}`
    if (file.data) files.set(path, { type: type ?? 'application/octet-stream', data: file.data })
    const url = file.url ?? `${origin()}${path}`
    return { id, filename: name, url, proxy_url: url, size: 1, ...(type !== undefined && { content_type: type }) }
  }

  /** Sends the event, now and on each redelivery. */
  function tell(id: string, run: () => void): void {
    again.set(id, run)
    run()
  }

  function reaction(event: GatewayDispatchEvents, message: string, about: { by?: string; emoji?: string }): void {
    const channel = placeOf(message)
    dispatch(event, reactionData(channel, message, about, world), channel.guild)
  }

  return {
    say({ author, text, channel: where, replyTo, attachments = [], bot, admin = false }) {
      const channel = place(where)
      const message = world.write(channel, person(author, bot), written(text, channel), {
        mentionEveryone: /@(?:everyone|here)/.test(text),
        attachments: attachments.map(upload),
        ...(replyTo !== undefined && { replyTo }),
      })
      const told = { ...message, ...(channel.guild && { member: { roles: admin ? adminRoles(channel) : [], flags: 0 } }) }
      if (!channel.hidden && !channel.locked) tell(message.id, () => announce(channel, told))
      return message.id
    },

    redeliver(id) {
      const tellAgain = again.get(id)
      if (!tellAgain) throw new Error(`There is no event of ${id} in this Discord.`)
      tellAgain()
    },

    edit(id, text) {
      const channel = placeOf(id)
      const edited = { content: written(text, channel), edited_timestamp: new Date().toISOString() }
      const message = Object.assign(world.message(id), edited)
      dispatch(GatewayDispatchEvents.MessageUpdate, { ...message, ...inGuild(channel) }, channel.guild)
    },

    delete(id) {
      const channel = placeOf(id)
      channel.messages.delete(id)
      dispatch(GatewayDispatchEvents.MessageDelete, { id, channel_id: channel.id, ...inGuild(channel) }, channel.guild)
    },

    react: (id, author, emoji) => reaction(GatewayDispatchEvents.MessageReactionAdd, id, { by: person(author).id, emoji }),
    unreact: (id, author, emoji) => reaction(GatewayDispatchEvents.MessageReactionRemove, id, { by: person(author).id, emoji }),
    clearReactions: (id, emoji) =>
      emoji === undefined
        ? reaction(GatewayDispatchEvents.MessageReactionRemoveAll, id, {})
        : reaction(GatewayDispatchEvents.MessageReactionRemoveEmoji, id, { emoji }),

    channel(given) {
      const [guild] = world.guilds.keys()
      if (guild === undefined) throw new Error('This Discord has no guild.')
      const made = addChannel(world, guild, given)
      dispatch(GatewayDispatchEvents.ChannelCreate, channelData(made, world), guild)
      return made.id
    },

    deleteChannel(idOrName) {
      const channel = world.channel(idOrName)
      world.removeChannel(channel)
      const event = channel.parent ? GatewayDispatchEvents.ThreadDelete : GatewayDispatchEvents.ChannelDelete
      dispatch(event, channelData(channel, world), channel.guild)
    },

    thread({ channel, name, private: isPrivate = false }) {
      const { id, guild } = world.channel(channel)
      const type = isPrivate ? ChannelType.PrivateThread : ChannelType.PublicThread
      const made = world.addChannel({ name, type, private: isPrivate, parent: id, ...(guild && { guild }) })
      dispatch(GatewayDispatchEvents.ThreadCreate, { ...channelData(made, world), newly_created: true }, guild)
      return made.id
    },

    permit(by) {
      const channel = place(undefined)
      const [guild] = world.guilds.values()
      if (!guild) throw new Error('This Discord has no guild.')
      const guild_id = guild.id
      const { members } = guildData(guild, world)
      if (by === 'channel') dispatch(GatewayDispatchEvents.ChannelUpdate, channelData(channel, world), guild_id)
      else if (by === 'member') dispatch(GatewayDispatchEvents.GuildMemberUpdate, { guild_id, ...members[0] }, guild_id)
      else
        dispatch(GatewayDispatchEvents.GuildRoleUpdate, { guild_id, role: guild.roles.find(({ managed }) => managed) }, guild_id)
    },

    direct: author => world.direct(person(author)).id,

    command({ author, name, text, channel: where, moderator = false, admin = false, locale = 'en-US', typing = false }) {
      const channel = place(where)
      const id = world.snowflake()
      const user = person(author)
      const permissions = (moderator ? ManageChannels : 0n) | (admin ? ManageGuild : 0n)
      const made: Interaction = {
        id,
        token: `interaction-${world.snowflake()}`,
        channel: channel.id,
        user,
        deferred: false,
        ephemeral: false,
        answers: [],
      }
      interactions.set(id, made)
      const data = {
        id,
        application_id: world.bot.id,
        type: typing ? InteractionType.ApplicationCommandAutocomplete : InteractionType.ApplicationCommand,
        token: made.token,
        version: 1,
        channel_id: channel.id,
        channel: channelData(channel, world),
        ...inGuild(channel),
        ...(channel.guild
          ? { member: { user, roles: admin ? adminRoles(channel) : [], permissions: String(permissions), flags: 0 } }
          : { user }),
        locale,
        app_permissions: '0',
        entitlements: [],
        authorizing_integration_owners: {},
        attachment_size_limit: 10_000_000,
        data: {
          id: '1',
          name,
          type: ApplicationCommandType.ChatInput,
          options: [
            {
              name: 'text',
              type: ApplicationCommandOptionType.String,
              value: written(text, channel),
              ...(typing && { focused: true }),
            },
          ],
        },
      }
      tell(id, () => dispatch(GatewayDispatchEvents.InteractionCreate, data, channel.guild))
      return made
    },
  }
}
