/** Sets up discord.js for a bot that only listens, and ends it reliably. */
import { Client, GatewayIntentBits, Options, SimpleShardingStrategy, type WebSocketOptions } from 'discord.js'
import { type Clock, sleep } from 'kikimimi'
import { restOptions } from '../rest/calls.ts'
import type { RequestLimit } from '../rest/limit.ts'

/** All shards, as many as Discord recommends; all of a given number; or one. */
export type ClientShards = 'auto' | number | OneShard

export interface OneShard {
  readonly id: number
  readonly count: number
  /** Waits for permission to identify. */
  mayIdentify(signal: AbortSignal): Promise<void>
}

export interface ClientOptions {
  readonly shards: ClientShards
  /** Milliseconds. */
  readonly timeout: number
  readonly apiUrl?: string | undefined
  readonly limit?: RequestLimit | undefined
  /** Whether Discord must tell who is in a voice channel. */
  usesVoice(): boolean
}

export interface OpenClient {
  readonly client: Client
  /** Resolves within seconds, even without a response. The client never connects again. */
  end(): Promise<void>
}

/** Without a response of Discord, a close takes 30 s. */
const END_MS = 2_000

export function createClient(clock: Clock, options: ClientOptions): OpenClient {
  const ended = new AbortController()
  const client = new Client({
    ...clientOptions(options),
    ws: {
      ...throttle(options.shards),
      buildStrategy(manager) {
        const { retrieveSessionInfo } = manager.options
        // discord.js continues a reconnect after `destroy` and would log in again. It calls this function first.
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

function clientOptions({ shards, timeout, apiUrl, limit, usesVoice }: ClientOptions): ConstructorParameters<typeof Client>[0] {
  const { Guilds, GuildMessages, GuildMessageReactions, GuildExpressions } = GatewayIntentBits
  const { DirectMessages, DirectMessageReactions, MessageContent, GuildMessagePolls, DirectMessagePolls } = GatewayIntentBits
  const { GuildVoiceStates } = GatewayIntentBits
  return {
    intents: [
      ...[Guilds, GuildMessages, GuildMessageReactions, GuildExpressions],
      ...[DirectMessages, DirectMessageReactions, MessageContent, GuildMessagePolls, DirectMessagePolls],
      ...(usesVoice() ? [GuildVoiceStates] : []),
    ],
    rest: restOptions(timeout, apiUrl, limit),
    // The database has the memory. A server with 100,000 members must not fill the process.
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

/** discord.js keeps the limits of Discord within one client only. */
function throttle(shards: ClientShards): WebSocketOptions {
  if (typeof shards !== 'object') return {}
  return { buildIdentifyThrottler: async () => ({ waitForIdentify: (_shard, signal) => shards.mayIdentify(signal) }) }
}
