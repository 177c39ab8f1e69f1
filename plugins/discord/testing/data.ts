/** Objects in the format of Discord's API and events. */
import {
  type APIChannel,
  type APIThreadChannel,
  type ChannelFlags,
  ChannelType,
  type GatewayGuildCreateDispatchData,
  OverwriteType,
  PermissionFlagsBits,
} from 'discord-api-types/v10'
import { type Channel, type Guild, MAY, type World } from './world.ts'

export function isThread({ type }: Channel): boolean {
  return type === ChannelType.PublicThread || type === ChannelType.PrivateThread || type === ChannelType.AnnouncementThread
}

export function inGuild({ guild }: Channel): { guild_id?: string } {
  return guild === undefined ? {} : { guild_id: guild }
}

/** Data of reaction events. `:party:` is an emoji of the guild. */
export function reactionData(channel: Channel, message: string, { by, emoji }: { by?: string; emoji?: string }, world: World) {
  const own = [...world.guilds.values()].flatMap(({ emojis }) => emojis).find(({ name }) => `:${name}:` === emoji)
  return {
    channel_id: channel.id,
    message_id: message,
    ...inGuild(channel),
    ...(by !== undefined && { user_id: by, burst: false, type: 0 }),
    ...(emoji !== undefined && { emoji: own ? { id: own.id, name: own.name } : { id: null, name: emoji } }),
  }
}

/** A channel in the format of the API. */
export function channelData(channel: Channel, world: World): APIChannel {
  const { id, guild, name, type, parent, messages } = channel
  const latest = { last_message_id: [...messages.keys()].at(-1) ?? null }
  // The types distinguish kinds of channels; this function creates all of them.
  if (guild === undefined) return { id, type, ...latest, recipients: [world.user(name)], flags: 0 } as unknown as APIChannel
  if (isThread(channel)) return { ...threadData(channel, world), ...latest } as APIChannel
  const denied = channel.locked ? PermissionFlagsBits.Connect : PermissionFlagsBits.ViewChannel
  const forEveryone = { id: guild, type: OverwriteType.Role, allow: '0', deny: String(denied) }
  const forBot = {
    ...{ id: world.bot.id, type: OverwriteType.Member },
    ...{ allow: String(channel.private ? MAY & ~channel.denied : 0n), deny: String(channel.denied) },
  }
  const view = String(PermissionFlagsBits.ViewChannel)
  const role = (named: string) => ({ id: idOfRole(world, guild, named), type: OverwriteType.Role })
  const forRoles = [
    ...channel.shownTo.map(one => ({ ...role(one), allow: view, deny: '0' })),
    ...channel.hiddenFrom.map(one => ({ ...role(one), allow: '0', deny: view })),
  ]
  return {
    id,
    type,
    name,
    guild_id: guild,
    position: 0,
    nsfw: false,
    topic: channel.topic ?? null,
    parent_id: parent ?? null,
    permission_overwrites: [
      ...(channel.hidden || channel.locked || channel.private ? [forEveryone] : []),
      ...(!channel.hidden && !channel.locked && (channel.private || channel.denied) ? [forBot] : []),
      ...forRoles,
    ],
    flags: 0,
    ...(type === ChannelType.GuildForum && { available_tags: channel.tags }),
    ...((type === ChannelType.GuildVoice || type === ChannelType.GuildStageVoice) && { bitrate: 64_000, user_limit: 0 }),
    ...latest,
  } as unknown as APIChannel
}

function idOfRole({ guilds }: World, guild: string, name: string): string {
  const role = guilds.get(guild)?.roles.find(one => one.name === name)
  if (!role) throw new Error(`there is no role ${name}`)
  return role.id
}

function threadData(
  { id, guild, name, type, parent, messages, applied, archived, isLocked: locked }: Channel,
  { bot }: World,
): Partial<APIThreadChannel> {
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
    thread_metadata: { archived, auto_archive_duration: 1440, archive_timestamp: at, create_timestamp: at, locked },
    applied_tags: [...applied],
    flags: 0 as ChannelFlags,
  }
}

/** Data of GUILD_CREATE. */
export function guildData(guild: Guild, world: World): GatewayGuildCreateDispatchData {
  const own = [...world.channels.values()].filter(channel => channel.guild === guild.id)
  const member = {
    user: world.bot,
    roles: guild.roles.filter(({ managed }) => managed).map(({ id }) => id),
    joined_at: new Date(0).toISOString(),
    deaf: false,
    mute: false,
    flags: 0,
  }
  // The emulator omits other fields of a guild (banners, boosts).
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
    threads: own.filter(channel => isThread(channel) && !channel.archived).map(channel => channelData(channel, world)),
    presences: [],
    voice_states: [...world.inVoice].flatMap(([account, channel]) =>
      world.channels.get(channel)?.guild === guild.id ? [voiceStateData(world, account, guild.id, channel)] : [],
    ),
    stage_instances: [],
    guild_scheduled_events: [],
    stickers: [],
    soundboard_sounds: [],
  } as unknown as GatewayGuildCreateDispatchData
}

/** Where an account is, as VOICE_STATE_UPDATE says it. */
export function voiceStateData({ bot, userById }: World, account: string, guild: string, channel: string | null) {
  const user = account === bot.id ? bot : userById(account)
  return {
    guild_id: guild,
    channel_id: channel,
    user_id: account,
    member: { user, roles: [], joined_at: new Date(0).toISOString(), deaf: false, mute: false, flags: 0 },
    session_id: `session-${account}`,
    ...{ deaf: false, mute: false, self_deaf: false, self_mute: false, self_video: false, suppress: false },
    request_to_speak_timestamp: null,
  }
}
