/** Changes of servers, channels and threads that people see. */
import {
  type Client,
  Events,
  type GatewayChannelUpdateDispatchData,
  GatewayDispatchEvents,
  type GatewayGuildRoleUpdateDispatchData,
  type GatewayGuildUpdateDispatchData,
  type GatewayThreadUpdateDispatchData,
} from 'discord.js'
import type { PlatformContext } from 'kikimimi/platform'
import { placeOf } from '../messages/conversations.ts'
import type { Take } from './channel-queue.ts'

export function listenToPlaces(client: Client, { describe, log }: Pick<PlatformContext, 'describe' | 'log'>, take: Take): void {
  const { ws } = client

  /** Runs before discord.js knows the change. */
  function compare(workspace: string, isMeant: (channel: string, parent: string | null) => boolean): void {
    const channels = [...(client.guilds.cache.get(workspace)?.channels.cache.values() ?? [])]
    const before = channels.flatMap(({ id, parentId }) => (isMeant(id, parentId) ? [{ id, was: shown(id) }] : []))
    queueMicrotask(() => {
      for (const { id, was } of before) {
        if (shown(id) !== was) void take({ id, channel_id: id, guild_id: workspace, kind: 'call' }, describe)
      }
    })
  }
  const shown = (id: string) => JSON.stringify(placeOf(client, id))

  ws.on(GatewayDispatchEvents.ChannelUpdate, (data: GatewayChannelUpdateDispatchData) => {
    if ('guild_id' in data) compare(data.guild_id ?? '', (id, parent) => id === data.id || parent === data.id)
  })
  ws.on(GatewayDispatchEvents.ThreadUpdate, ({ id: thread, guild_id = '' }: GatewayThreadUpdateDispatchData) => {
    compare(guild_id, id => id === thread)
  })
  ws.on(GatewayDispatchEvents.GuildUpdate, ({ id }: GatewayGuildUpdateDispatchData) => compare(id, () => true))
  ws.on(GatewayDispatchEvents.GuildRoleUpdate, ({ guild_id }: GatewayGuildRoleUpdateDispatchData) =>
    compare(guild_id, () => true),
  )

  client.on(Events.GuildUnavailable, ({ name }) => log.warn('Discord has an outage: a server is not available', { server: name }))
  client.on(Events.GuildAvailable, ({ name }) => log.info('a server is available', { server: name }))
  client.on(Events.GuildDelete, ({ name }) => log.info('the bot is no longer in a server', { server: name }))
}
