/** The connection of the only process of a bot: one client with all shards. */
import type { Client } from 'discord.js'
import { type Connection, type ConnectionApp, connect } from './connection.ts'
import { type Gateway, type GatewayOptions, notHeard } from './gateway.ts'
import { createGrowth } from './growth.ts'

export function wholeGateway(ctx: ConnectionApp, options: GatewayOptions): Gateway {
  let latest: Client | undefined
  let connection: Connection | undefined

  /**
   * The old connection receives events until the new one is complete, and both pass them on: an event that comes twice counts once, but
   * for votes in polls. A message that neither has passed on is in the history; a command is nowhere.
   */
  async function replace(former: Connection, shards: number, how: { readonly signal: AbortSignal; tooFewShards(): void }) {
    const { signal, tooFewShards } = how
    const next = await connect(ctx, { ...options, shards, tooFewShards }, signal)
    former.hush()
    latest = next.client
    connection = next
    await former.close()
    void next.catchUp()
  }

  return {
    async start(signal) {
      const listen = (client: Client) => {
        // A message may arrive before the client is ready. The bot must recognise its own.
        latest = client
        options.listen(client)
      }
      if (options.shards !== 'auto') connection = await connect(ctx, { ...options, listen }, signal)
      else {
        const growth = createGrowth(ctx, options, signal, {
          count: () => connection?.client.ws.shards.size ?? 0,
          grow: async shards => connection && replace(connection, shards, { signal, tooFewShards: growth.required }),
        })
        // A first login with too few shards is a mistake of the configuration.
        const tooFewShards = () => connection && growth.required()
        connection = await connect(ctx, { ...options, listen, tooFewShards }, signal)
      }
      ctx.scope.defer(async () => connection?.close())
      // Not awaited: new messages are answered at once.
      void connection.catchUp()
    },
    unready: () => (connection ? notHeard(connection.lost()) : 'not connected to Discord'),
    clients: () => (connection ? [connection.client] : []),
    account: () => (latest?.user ? { id: latest.user.id, name: latest.user.displayName } : undefined),
  }
}
