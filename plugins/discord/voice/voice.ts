/** Voice channels, as discord.js knows them. The connection that carries sound belongs to the plugin that uses this. */
import {
  type Client,
  Events,
  GatewayDispatchEvents,
  type GatewayMessageCreateDispatchData,
  type Guild,
  PermissionFlagsBits,
  SnowflakeUtil,
} from 'discord.js'
import { type Conversation, RecentMap } from 'kikimimi'
import type { PlatformContext } from 'kikimimi/platform'
import { administers } from '../commands/interactions.ts'
import type { ChannelQueue } from '../events/channel-queue.ts'
import { placeOf } from '../messages/conversations.ts'
import type { DiscordVoice, VoiceListener, VoiceRoom } from './service.ts'

/** Largest number of spoken messages that are remembered. */
const SPOKEN = 1_000

export interface VoiceOptions {
  readonly ctx: Pick<PlatformContext, 'clock' | 'history' | 'log' | 'random' | 'receive'>
  readonly clientOf: (server: string) => Client<true> | undefined
  readonly queue: ChannelQueue
}

export interface Voice extends DiscordVoice {
  /** Whether a plugin uses voice channels. Asked when the bot connects. */
  isUsed(): boolean
  /** Passes on what happens. */
  watch(client: Client): void
  /** Whether a message was said aloud, so that Discord does not know it. */
  isSpoken(message: string): boolean
  /** Whether a channel is a voice channel in which answers are spoken. */
  isRoom(conversation: Omit<Conversation, 'id'>): boolean
}

export function createVoice({ ctx, clientOf, queue }: VoiceOptions): Voice {
  const listeners = new Set<VoiceListener>()
  const spoken = new RecentMap<true>(SPOKEN)
  let isAsked: boolean | undefined
  /** The latest client. It knows its servers before the platform counts it as connected. */
  let latest: Client | undefined

  const guildOf = (server: string) => (clientOf(server) ?? latest)?.guilds.cache.get(server)
  const isBot = (guild: Guild, id: string) =>
    (guild.members.cache.get(id)?.user ?? guild.client.users.cache.get(id))?.bot ?? false
  const nameOf = (guild: Guild, id: string) =>
    guild.members.cache.get(id)?.displayName ?? guild.client.users.cache.get(id)?.displayName ?? id

  function roomIn(guild: Guild, channelId: string): VoiceRoom | undefined {
    const conversation = placeOf(guild.client, channelId)
    const channel = guild.channels.cache.get(channelId)
    if (!conversation || !channel) return undefined
    const inside = [...guild.voiceStates.cache.values()].filter(state => state.channelId === channelId)
    const permissions = guild.members.me && channel.permissionsFor(guild.members.me)
    return {
      conversation,
      people: inside.filter(({ id }) => !isBot(guild, id)).map(({ id }) => ({ id, name: nameOf(guild, id) })),
      lacks: (['ViewChannel', 'Connect', 'Speak'] as const).filter(name => !permissions?.has(PermissionFlagsBits[name])),
    }
  }

  function isVoiceChannel(client: Client, id: string): boolean {
    return client.channels.cache.get(id)?.isVoiceBased() ?? false
  }

  return {
    isUsed: () => (isAsked = listeners.size > 0),

    listen(listener) {
      listeners.add(listener)
      if (isAsked === false) ctx.log.warn('Voice channels are heard after the next start. Restart the bot.')
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },

    adapter: server => guildOf(server)?.voiceAdapterCreator,

    rooms(server) {
      const guild = guildOf(server)
      if (!guild) return []
      const channels = new Set([...guild.voiceStates.cache.values()].flatMap(({ channelId }) => channelId ?? []))
      return [...channels].flatMap(channel => roomIn(guild, channel) ?? [])
    },

    roomOf(server, account) {
      const guild = guildOf(server)
      const channel = guild?.voiceStates.cache.get(account ?? guild.client.user.id)?.channelId
      return guild && channel ? roomIn(guild, channel) : undefined
    },

    async hear({ workspace, channel }, person, text) {
      const client = clientOf(workspace)
      if (!client) return undefined
      const at = ctx.clock.now()
      // Later than every message so far, so that catching up goes on from here.
      const bits = () => BigInt(Math.floor(ctx.random() * 32))
      const id = String(SnowflakeUtil.generate({ timestamp: at, workerId: bits(), processId: bits() }))
      spoken.set(id, true)
      const roles = [...(client.guilds.cache.get(workspace)?.members.cache.get(person.id)?.roles.cache.keys() ?? [])]
      const admin = administers(client, { guild_id: workspace, member: { user: { id: person.id }, roles } })
      let isRecorded = false
      const told = { id, channel_id: channel, guild_id: workspace, kind: 'talk', content: text } as const
      await queue(client, told, async (place, slot) => {
        await ctx.receive({ id, conversation: place, author: person, text, at: new Date(at), admin }, { slot })
        isRecorded = (await ctx.history(place)).some(one => one.id === id)
      })
      return isRecorded ? id : undefined
    },

    watch(client) {
      latest = client
      const moved = (server: string) => {
        for (const listener of listeners) listener.moved(server)
      }
      client.on(Events.VoiceStateUpdate, (before, after) => {
        if (before.channelId !== after.channelId) moved(after.guild.id)
      })
      client.on(Events.GuildCreate, ({ id }) => moved(id))
      client.once(Events.ClientReady, ({ guilds }) => {
        for (const id of guilds.cache.keys()) moved(id)
      })
      client.ws.on(GatewayDispatchEvents.MessageCreate, ({ author, channel_id, content }: GatewayMessageCreateDispatchData) => {
        if (listeners.size === 0 || author.id !== client.user?.id || !isVoiceChannel(client, channel_id)) return
        const place = placeOf(client, channel_id)
        if (place) for (const listener of listeners) listener.posted(place, content)
      })
    },

    isSpoken: message => spoken.has(message),
    isRoom: ({ workspace, channel }) => {
      const client = listeners.size > 0 ? clientOf(workspace) : undefined
      return client !== undefined && isVoiceChannel(client, channel)
    },
  }
}
