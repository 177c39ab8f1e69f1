/** The place of a message: a channel, a thread or post, or a direct message. */
import { ChannelType, type Client, type GuildBasedChannel, PermissionFlagsBits, ShardClientUtil } from 'discord.js'
import type { Conversation, ConversationDetails, Locale, Person } from 'kikimimi'
import type { Visibility } from 'kikimimi/platform'
import type { Names } from './text.ts'

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
  const here = { platform: 'discord', workspace: guild.id, visibility: visibilityOf(channel) } as const
  if (!channel.isThread()) return { ...here, channel: id, name: channel.name, details: detailsOf(channel) }
  // A thread has the name of its channel, which `listen` uses.
  const { parent } = channel
  if (!parent) return undefined
  const tags = parent.isThreadOnly() ? parent.availableTags.filter(tag => channel.appliedTags.includes(tag.id)) : []
  const details = {
    ...detailsOf(parent),
    threadName: channel.name,
    ...(tags.length > 0 && { tags: tags.map(({ name }) => name) }),
    // A private thread hangs on no message.
    ...(channel.type !== ChannelType.PrivateThread && { root: id }),
  }
  // Only its members read a private thread, and not everybody who reads the channel.
  const readers = { own: channel.type === ChannelType.PrivateThread }
  return { ...here, channel: parent.id, thread: id, name: parent.name, readers, details }
}

/** Public: everybody in the server reads it. A channel from which a role or a person is shut out is not public. */
function visibilityOf(channel: GuildBasedChannel): Visibility {
  const { guild } = channel
  if (channel.type === ChannelType.PrivateThread) return 'private'
  const home = channel.isThread() ? channel.parent : channel
  // In a voice channel, reading requires permission to connect.
  const read = [PermissionFlagsBits.ViewChannel, ...(home?.isVoiceBased() ? [PermissionFlagsBits.Connect] : [])]
  if (!channel.permissionsFor(guild.roles.everyone)?.has(read)) return 'private'
  const overwrites = home && 'permissionOverwrites' in home ? [...home.permissionOverwrites.cache.values()] : []
  const isBot = (id: string) =>
    guild.roles.cache.get(id)?.tags?.botId !== undefined || guild.members.cache.get(id)?.user.bot === true
  return overwrites.some(({ id, deny }) => deny.any(read) && !isBot(id)) ? 'private' : 'public'
}

function detailsOf(channel: GuildBasedChannel): ConversationDetails {
  return { workspaceName: channel.guild.name, ...('topic' in channel && channel.topic && { topic: channel.topic }) }
}

/** The channel of a message by its id: the message that a thread hangs on is in the channel above the thread. */
export function channelOfMessage(client: Client | undefined, place: Place, message: string): string {
  const { channel, thread } = place
  if (thread === undefined) return channel
  const age = BigInt(message) - BigInt(thread)
  const isPost = client?.channels.cache.get(channel)?.isThreadOnly() ?? false
  return age > 0n || (age === 0n && isPost) ? thread : channel
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
export function namesIn(client: Client | undefined, me: Person, guildId: string | undefined, locale: Locale): Names {
  const guild = guildId === undefined ? undefined : client?.guilds.cache.get(guildId)
  return {
    ...{ me, locale },
    user: id => guild?.members.cache.get(id)?.displayName ?? client?.users.cache.get(id)?.displayName,
    role: id => guild?.roles.cache.get(id)?.name,
    channel(id) {
      const channel = client?.channels.cache.get(id)
      return channel && 'name' in channel ? (channel.name ?? undefined) : undefined
    },
    isMe: id => id === me.id || guild?.roles.cache.get(id)?.tags?.botId === me.id,
  }
}
