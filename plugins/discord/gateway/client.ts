/** discord.js, set up for a bot that listens, and ended for good when it is. */
import { Client, GatewayIntentBits, Options, SimpleShardingStrategy, type WebSocketOptions } from 'discord.js'
import { type Clock, sleep } from 'kikimimi'
import { restOptions } from '../rest/calls.ts'

/** All of them, as many as Discord recommends; all of so many; or one. */
export type ClientShards = 'auto' | number | OneShard

export interface OneShard {
  readonly id: number
  readonly count: number
  /** Waits until Discord lets it identify. */
  mayIdentify(signal: AbortSignal): Promise<void>
}

export interface ClientOptions {
  readonly shards: ClientShards
  /** Milliseconds. */
  readonly timeout: number
  readonly apiUrl?: string | undefined
}

export interface OpenClient {
  readonly client: Client
  /** Resolves within seconds, also when nobody answers any more. It never connects again. */
  end(): Promise<void>
}

/** A close that Discord does not answer takes 30 s. */
const END_MS = 2_000

export function createClient(clock: Clock, options: ClientOptions): OpenClient {
  const ended = new AbortController()
  const client = new Client({
    ...clientOptions(options),
    ws: {
      ...throttle(options.shards),
      buildStrategy(manager) {
        const { retrieveSessionInfo } = manager.options
        // discord.js goes on with a reconnect that is under way when it is destroyed, and would log in again. It asks for this first.
        manager.options.retrieveSessionInfo = shard => (ended.signal.aborted ? new Promise(() => {}) : retrieveSessionInfo(shard))
        return new SimpleShardingStrategy(manager)
      },
    },
  })
  return {
    client,
    async end() {
      ended.abort()
      const waited = new AbortController()
      await Promise.race([client.destroy(), sleep(clock, END_MS, waited.signal).catch(() => {})])
      waited.abort()
    },
  }
}

function clientOptions({ shards, timeout, apiUrl }: ClientOptions): ConstructorParameters<typeof Client>[0] {
  const { Guilds, GuildMessages, GuildMessageReactions, GuildExpressions } = GatewayIntentBits
  const { DirectMessages, DirectMessageReactions, MessageContent } = GatewayIntentBits
  return {
    intents: [
      ...[Guilds, GuildMessages, GuildMessageReactions, GuildExpressions],
      ...[DirectMessages, DirectMessageReactions, MessageContent],
    ],
    rest: restOptions(timeout, apiUrl),
    // What the bot remembers is in its database: a server with 100,000 members must not fill its memory.
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      ReactionManager: 0,
      PresenceManager: 0,
      GuildMemberManager: { maxSize: 500, keepOverLimit: ({ id, client }) => id === client.user.id },
      UserManager: { maxSize: 2_000, keepOverLimit: ({ id, client }) => id === client.user.id },
    }),
    ...shardOptions(shards),
  }
}

function shardOptions(shards: ClientShards): Partial<ConstructorParameters<typeof Client>[0]> {
  if (shards === 'auto') return { shards }
  if (typeof shards === 'number') return { shards: Array.from({ length: shards }, (_, id) => id), shardCount: shards }
  return { shards: [shards.id], shardCount: shards.count }
}

/** discord.js keeps to Discord's limits within one client alone. */
function throttle(shards: ClientShards): WebSocketOptions {
  if (typeof shards !== 'object') return {}
  return { buildIdentifyThrottler: async () => ({ waitForIdentify: (_shard, signal) => shards.mayIdentify(signal) }) }
}
