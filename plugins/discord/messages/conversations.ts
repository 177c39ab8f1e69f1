/** The place of a message: a channel, a thread or post, or a direct message. */
import { ChannelType, type Client, type GuildBasedChannel, PermissionFlagsBits, ShardClientUtil } from 'discord.js'
import type { Conversation, Person, Visibility } from 'kikimimi'
import type { Names } from './messages.ts'

export type Place = Omit<Conversation, 'id'>

/** Undefined for a channel that discord.js does not know sufficiently. */
export function placeOf(client: Client, id: string): Place | undefined {
  const channel = client.channels.cache.get(id)
  if (!channel) return undefined
  if (channel.type === ChannelType.DM) {
    const name = channel.recipient?.displayName
    return name === undefined ? undefined : directPlace(id, name)
  }
  if (channel.isDMBased()) return undefined
  const { guild } = channel
  const visibility = (): Visibility => {
    const everyone = channel.permissionsFor(guild.roles.everyone)
    return everyone?.has(PermissionFlagsBits.ViewChannel) && channel.type !== ChannelType.PrivateThread ? 'public' : 'private'
  }
  if (!channel.isThread()) {
    return { platform: 'discord', workspace: guild.id, channel: id, name: channel.name, visibility: visibility() }
  }
  // A thread has the name of its channel, which `listen` uses. The title of a post is its topic.
  const { parent } = channel
  if (!parent) return undefined
  return { platform: 'discord', workspace: guild.id, channel: parent.id, thread: id, name: parent.name, visibility: visibility() }
}

export function directPlace(id: string, name: string): Place {
  return { platform: 'discord', workspace: '', channel: id, name, visibility: 'direct' }
}

/** Direct messages belong to shard 0. */
export function shardOf(workspace: string, count: number): number {
  return workspace === '' ? 0 : ShardClientUtil.shardIdForGuildId(workspace, count)
}

/** The channel for calls: in Discord a thread is a channel of its own. */
export function channelIn({ channel, thread }: Place): string {
  return thread ?? channel
}

/** Voice channels have a chat. In a forum people talk in posts, which are threads. */
const TALKED_IN: ReadonlySet<ChannelType> = new Set([
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildVoice,
  ChannelType.GuildStageVoice,
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
])

/** Channels and open threads that the bot may read, most recently active first. */
export function openPlaces(clients: readonly Client[]): Place[] {
  return clients
    .flatMap(client => [...client.guilds.cache.values()])
    .flatMap(guild => [...guild.channels.cache.values()])
    .filter(channel => TALKED_IN.has(channel.type) && mayRead(channel))
    .sort((a, b) => Number(lastSaid(b) - lastSaid(a)))
    .flatMap(({ client, id }) => placeOf(client, id) ?? [])
}

function mayRead(channel: GuildBasedChannel): boolean {
  const { me } = channel.guild.members
  if (!me || (channel.isThread() && channel.archived)) return false
  const { ViewChannel, ReadMessageHistory, Connect } = PermissionFlagsBits
  // In a voice channel, reading requires permission to connect.
  return channel.permissionsFor(me)?.has([ViewChannel, ReadMessageHistory, ...(channel.isVoiceBased() ? [Connect] : [])]) ?? false
}

function lastSaid(channel: GuildBasedChannel): bigint {
  return BigInt(('lastMessageId' in channel && channel.lastMessageId) || 0)
}

/** Names of ids in a guild; without a client they are unknown. */
export function namesIn(client: Client | undefined, me: Person, guildId: string | undefined): Names {
  const guild = guildId === undefined ? undefined : client?.guilds.cache.get(guildId)
  return {
    me,
    user: id => guild?.members.cache.get(id)?.displayName ?? client?.users.cache.get(id)?.displayName,
    role: id => guild?.roles.cache.get(id)?.name,
    channel(id) {
      const channel = client?.channels.cache.get(id)
      return channel && 'name' in channel ? (channel.name ?? undefined) : undefined
    },
    isMe: id => id === me.id || guild?.roles.cache.get(id)?.tags?.botId === me.id,
  }
}
