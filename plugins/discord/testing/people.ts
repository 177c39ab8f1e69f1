/** Actions of people in Discord, and the events that the bot gets for them. */
import {
  type APIAttachment,
  type APIMessage,
  ApplicationCommandType,
  ChannelType,
  ComponentType,
  EmbedType,
  GatewayDispatchEvents,
  InteractionType,
  MessageType,
  PermissionFlagsBits,
} from 'discord-api-types/v10'
import { fieldsOf, type RegisteredCommand } from './commands.ts'
import { channelData, guildData, inGuild, reactionData } from './data.ts'
import type { ChannelOptions, DiscordEmulator, Rights, Said } from './index.ts'
import type { Interaction } from './interactions.ts'
import { PERMISSIONS } from './permissions.ts'
import type { File } from './server.ts'
import { richEmbeds, shownIn } from './shows.ts'
import type { Channel, Guild, World } from './world.ts'

export type People = Pick<
  DiscordEmulator,
  | 'say'
  | 'redeliver'
  | 'edit'
  | 'unfurl'
  | 'vote'
  | 'endPoll'
  | 'pin'
  | 'unpin'
  | 'join'
  | 'delete'
  | 'deleteMany'
  | 'react'
  | 'unreact'
  | 'clearReactions'
  | 'channel'
  | 'deleteChannel'
  | 'thread'
  | 'archive'
  | 'change'
  | 'renameGuild'
  | 'role'
  | 'renameRole'
  | 'deleteRole'
  | 'outage'
  | 'leave'
  | 'closeDirect'
  | 'permit'
  | 'direct'
  | 'command'
  | 'press'
  | 'useMenu'
>

export interface PeopleOptions {
  readonly world: World
  readonly interactions: Map<string, Interaction>
  readonly commands: readonly RegisteredCommand[]
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
    shownTo = [],
    hiddenFrom = [],
    denied = [],
    slowMode = 0,
    topic,
    tags = [],
  }: ChannelOptions = typeof given === 'string' ? { name: given } : given
  return world.addChannel({
    ...{ name, type: CHANNEL_TYPES[type], guild, private: isPrivate || hidden, hidden, locked, shownTo, hiddenFrom },
    ...(topic !== undefined && { topic }),
    denied: denied.reduce((bits, one) => bits | PERMISSIONS[one], 0n),
    slowModeMs: slowMode * 1_000,
    tags: tags.map(tag => ({ id: world.snowflake(), name: tag, moderated: false, emoji_id: null, emoji_name: null })),
  })
}

const { ManageChannels, ManageGuild } = PermissionFlagsBits

export function createPeople({ world, interactions, commands, files, origin, dispatch, announce }: PeopleOptions): People {
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
  /** A channel where the bot is no member. */
  function strange(kind: 'server' | 'group' | 'direct'): Channel {
    const type = { server: ChannelType.GuildText, group: ChannelType.GroupDM, direct: ChannelType.DM }[kind]
    return world.addChannel({ name: kind, type, hidden: true, ...(kind === 'server' && { guild: world.snowflake() }) })
  }
  /** Roles that may manage the guild. */
  function adminRoles({ guild = '' }: Channel): string[] {
    const { roles = [] } = world.guilds.get(guild) ?? {}
    return roles.filter(({ permissions }) => (BigInt(permissions) & ManageGuild) !== 0n).map(({ id }) => id)
  }

  /** What an event says of the author in a guild. */
  const memberOf = (channel: Channel, author: string, admin: boolean) => ({
    roles: [...(world.held.get(person(author).id) ?? []), ...(admin ? adminRoles(channel) : [])],
    flags: 0,
  })

  function roleNamed(name: string) {
    const role = firstGuild().roles.find(one => one.name === name)
    if (!role) throw new Error(`This Discord has no role ${name}.`)
    return role
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

  const changed = (channel: Channel, event: GatewayDispatchEvents) => dispatch(event, channelData(channel, world), channel.guild)

  /** A notice of Discord. */
  function notice(type: MessageType, channel: Channel, author: string, text: string, more: Partial<APIMessage> = {}): void {
    announce(channel, world.write(channel, person(author), text, { more: { type, ...more } }))
  }

  function archive(channel: Channel, archived: boolean, isLocked = false): void {
    Object.assign(channel, { archived, isLocked })
    changed(channel, GatewayDispatchEvents.ThreadUpdate)
  }

  function vote(add: boolean, id: string, author: string, answer_id: number): void {
    const channel = placeOf(id)
    const event = add ? GatewayDispatchEvents.MessagePollVoteAdd : GatewayDispatchEvents.MessagePollVoteRemove
    const data = { user_id: person(author).id, channel_id: channel.id, message_id: id, ...inGuild(channel), answer_id }
    dispatch(event, data, channel.guild)
  }

  /** Uses a command or a button. */
  function interact(
    channel: Channel,
    author: string,
    { moderator, admin, locale }: Required<Rights>,
    isElsewhere: boolean,
    what: { readonly type: InteractionType; readonly data: unknown; readonly message?: APIMessage },
  ): Interaction {
    const id = world.snowflake()
    const user = person(author)
    const permissions = (moderator ? ManageChannels : 0n) | (admin ? ManageGuild : 0n)
    const made: Interaction = {
      id,
      token: `interaction-${world.snowflake()}`,
      channel: channel.id,
      at: Date.now(),
      user,
      deferred: false,
      ephemeral: false,
      answers: [],
    }
    interactions.set(id, made)
    const data = {
      id,
      application_id: world.bot.id,
      token: made.token,
      version: 1,
      channel_id: channel.id,
      channel: channelData(channel, world),
      ...inGuild(channel),
      ...(channel.guild ? { member: { user, ...memberOf(channel, author, admin), permissions: String(permissions) } } : { user }),
      locale,
      context: channel.guild ? 0 : isElsewhere ? 2 : 1,
      app_permissions: '0',
      entitlements: [],
      authorizing_integration_owners: {},
      attachment_size_limit: 10_000_000,
      ...what,
    }
    tell(id, () => dispatch(GatewayDispatchEvents.InteractionCreate, data, isElsewhere ? undefined : channel.guild))
    return made
  }

  function firstGuild(): Guild {
    const [guild] = world.guilds.values()
    if (!guild) throw new Error('This Discord has no guild.')
    return guild
  }

  return {
    say({ id, author, text, channel: where, replyTo, attachments = [], bot, admin = false, unheard = false, ...shows }) {
      const channel = place(where)
      if (channel.archived) archive(channel, false)
      const message = world.write(channel, person(author, bot), written(text, channel), {
        mentionEveryone: /@(?:everyone|here)/.test(text),
        attachments: attachments.map(upload),
        ...(replyTo !== undefined && { replyTo }),
        more: { ...shownIn(shows, world), ...(id !== undefined && { id }) },
      })
      const told = { ...message, ...(channel.guild && { member: memberOf(channel, author, admin) }) }
      if (!channel.hidden && !channel.locked && !unheard) tell(message.id, () => announce(channel, told))
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

    unfurl(id, embeds) {
      const channel = placeOf(id)
      const message = Object.assign(world.message(id), { embeds: richEmbeds(embeds) })
      dispatch(GatewayDispatchEvents.MessageUpdate, { ...message, ...inGuild(channel) }, channel.guild)
    },

    vote: (id, author, answer, removed = false) => vote(!removed, id, author, answer),

    endPoll(id, { winner, votes }) {
      const channel = placeOf(id)
      const { author, poll } = world.message(id)
      const values = {
        poll_question_text: poll?.question.text ?? '',
        victor_answer_text: winner,
        victor_answer_votes: String(votes),
      }
      const fields = Object.entries(values).map(([name, value]) => ({ name, value }))
      notice(MessageType.PollResult, channel, author.username, '', {
        embeds: [{ type: EmbedType.PollResult, fields }],
        message_reference: { message_id: id, channel_id: channel.id },
      })
    },

    pin(id, author) {
      const channel = placeOf(id)
      world.message(id).pinned = true
      const latest = Date.parse([...channel.pins.values()].at(-1) ?? '') || 0
      channel.pins.set(id, new Date(Math.max(Date.now(), latest + 1)).toISOString())
      const message_reference = { message_id: id, channel_id: channel.id }
      notice(MessageType.ChannelPinnedMessage, channel, author, '', { message_reference })
    },

    unpin(id) {
      world.message(id).pinned = false
      placeOf(id).pins.delete(id)
    },

    join: author => notice(MessageType.UserJoin, place(undefined), author, ''),

    deleteMany(ids) {
      const [first = ''] = ids
      const channel = placeOf(first)
      for (const id of ids) channel.messages.delete(id)
      dispatch(GatewayDispatchEvents.MessageDeleteBulk, { ids, channel_id: channel.id, ...inGuild(channel) }, channel.guild)
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

    thread({ channel, name, private: isPrivate = false, author = 'alice', from, text, tags = [] }) {
      const parent = world.channel(channel)
      const { guild } = parent
      const type = isPrivate ? ChannelType.PrivateThread : ChannelType.PublicThread
      const made = world.addChannel({
        ...{ name, type, private: isPrivate, parent: parent.id },
        ...(guild && { guild }),
        ...(from !== undefined && { id: from }),
        applied: parent.tags.filter(tag => tags.includes(tag.name)).map(({ id }) => id),
      })
      dispatch(GatewayDispatchEvents.ThreadCreate, { ...channelData(made, world), newly_created: true }, guild)
      if (from !== undefined) {
        notice(MessageType.ThreadStarterMessage, made, author, '', {
          message_reference: { message_id: from, channel_id: parent.id },
          referenced_message: world.message(from),
        })
      } else if (text !== undefined) {
        const post = world.write(made, person(author), written(text, made), { more: { id: made.id } })
        announce(made, post)
      }
      return made.id
    },

    archive: (thread, { locked = false } = {}) => archive(world.channel(thread), true, locked),

    change(idOrName, { name, topic }) {
      const channel = world.channel(idOrName)
      Object.assign(channel, { ...(name !== undefined && { name }), ...(topic !== undefined && { topic }) })
      changed(channel, channel.parent ? GatewayDispatchEvents.ThreadUpdate : GatewayDispatchEvents.ChannelUpdate)
    },

    role(author, name, has = true) {
      const { id } = person(author)
      const held = world.held.get(id) ?? new Set()
      world.held.set(id, held)
      if (has) held.add(roleNamed(name).id)
      else held.delete(roleNamed(name).id)
    },

    renameRole(name, to) {
      const { id } = firstGuild()
      const role = Object.assign(roleNamed(name), { name: to })
      dispatch(GatewayDispatchEvents.GuildRoleUpdate, { guild_id: id, role }, id)
    },

    deleteRole(name) {
      const { id, roles } = firstGuild()
      const role = roleNamed(name)
      roles.splice(roles.indexOf(role), 1)
      for (const held of world.held.values()) held.delete(role.id)
      dispatch(GatewayDispatchEvents.GuildRoleDelete, { guild_id: id, role_id: role.id }, id)
    },

    renameGuild(name) {
      const guild = firstGuild()
      guild.name = name
      const { channels: _, threads: __, members: ___, ...data } = guildData(guild, world)
      dispatch(GatewayDispatchEvents.GuildUpdate, data, guild.id)
    },

    outage(isDown) {
      const guild = firstGuild()
      if (isDown) dispatch(GatewayDispatchEvents.GuildDelete, { id: guild.id, unavailable: true }, guild.id)
      else dispatch(GatewayDispatchEvents.GuildCreate, guildData(guild, world), guild.id)
    },

    leave() {
      const { id } = firstGuild()
      for (const channel of world.channels.values()) if (channel.guild === id) channel.hidden = true
      dispatch(GatewayDispatchEvents.GuildDelete, { id }, id)
    },

    closeDirect(author) {
      world.direct(person(author)).isClosed = true
    },

    permit(by) {
      const channel = place(undefined)
      const guild = firstGuild()
      const guild_id = guild.id
      const { members } = guildData(guild, world)
      if (by === 'channel') dispatch(GatewayDispatchEvents.ChannelUpdate, channelData(channel, world), guild_id)
      else if (by === 'member') dispatch(GatewayDispatchEvents.GuildMemberUpdate, { guild_id, ...members[0] }, guild_id)
      else
        dispatch(GatewayDispatchEvents.GuildRoleUpdate, { guild_id, role: guild.roles.find(({ managed }) => managed) }, guild_id)
    },

    direct: author => world.direct(person(author)).id,

    command({
      author,
      name,
      text,
      channel: where,
      moderator = false,
      admin = false,
      locale = 'en-US',
      typing = false,
      fields,
      elsewhere,
    }) {
      const channel = elsewhere === undefined ? place(where) : strange(elsewhere)
      return interact(channel, author, { moderator, admin, locale }, elsewhere !== undefined, {
        type: typing ? InteractionType.ApplicationCommandAutocomplete : InteractionType.ApplicationCommand,
        data: {
          id: '1',
          name,
          type: ApplicationCommandType.ChatInput,
          options:
            fields ??
            fieldsOf(
              commands.find(one => one.name === name),
              written(text, channel),
              typing,
            ),
        },
      })
    },

    useMenu(id, author, name, { moderator = false, admin = false, locale = 'en-US' } = {}) {
      const message = world.message(id)
      const channel = world.channel(message.channel_id)
      return interact(channel, author, { moderator, admin, locale }, false, {
        type: InteractionType.ApplicationCommand,
        data: { id: '2', name, type: ApplicationCommandType.Message, target_id: id, resolved: { messages: { [id]: message } } },
      })
    },

    press(id, author, custom_id, { moderator = false, admin = false, locale = 'en-US' } = {}) {
      const message = world.message(id)
      const channel = world.channel(message.channel_id)
      return interact(channel, author, { moderator, admin, locale }, false, {
        type: InteractionType.MessageComponent,
        message,
        data: { custom_id, component_type: ComponentType.Button },
      })
    },
  }
}
