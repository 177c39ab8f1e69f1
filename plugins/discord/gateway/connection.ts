/**
 * The gateway with discord.js, which resumes a cut session with its missed events. This file adds: login until Discord
 * responds, errors that no reconnect can repair, and reading the history after a lost session.
 */
import { type Client, Events, GatewayCloseCodes, type REST, Status } from 'discord.js'
import type { PlatformContext } from 'kikimimi/platform'
import { type Place, shardOf } from '../messages/conversations.ts'
import { fatal, fatalError, loginRefused, sentence } from '../rest/errors.ts'
import { retryWhileUnavailable } from '../rest/retry.ts'
import { type ClientOptions, createClient, type OpenClient } from './client.ts'

export interface ConnectionOptions extends ClientOptions {
  readonly token: string
  /** Called before any event can arrive. */
  listen(client: Client): void
  /** Discord requires more shards. Absent: the connection cannot be divided, and the bot fails. */
  readonly tooFewShards?: (() => void) | undefined
}

/** One client with its shards. */
export interface Connection {
  /** Logged in, with its servers. */
  readonly client: Client<true>
  /** Reads messages from before the connection. Never rejects. */
  catchUp(): Promise<void>
  /** Shards that are disconnected now. */
  lost(): readonly number[]
  /** Passes on no further events. */
  hush(): void
  /** Ends the connection. Events in progress continue. */
  close(): Promise<void>
}

export type ConnectionApp = Pick<PlatformContext, 'trackPosition' | 'clock' | 'fail' | 'log' | 'random' | 'scope'>

interface LoggedIn extends OpenClient {
  readonly client: Client<true>
}

const PLATFORM = 'discord'

/** Throws a KikimimiError with the remedy. */
export async function connect(ctx: ConnectionApp, options: ConnectionOptions, signal: AbortSignal): Promise<Connection> {
  const { clock, log } = ctx
  const { shards } = options
  const closed = new AbortController()
  const ended = AbortSignal.any([signal, closed.signal])
  // With several processes, each handles events of its own shards.
  const isOurs = ({ workspace }: Place) => typeof shards !== 'object' || shardOf(workspace, shards.count) === shards.id
  const trackPosition = () => ctx.trackPosition(PLATFORM, isOurs)

  /** A client whose login failed cannot be used again. */
  async function logIn(ms: number): Promise<LoggedIn> {
    const { client, end } = createClient(clock, options)
    let closeCode: number | undefined
    client.on(Events.ShardDisconnect, ({ code }) => {
      closeCode = code
    })
    client.on(Events.Error, error => log.warn(`discord.js: ${sentence(error)}`))
    options.listen(client)
    const { promise: late, reject } = Promise.withResolvers<never>()
    const ready = new Promise<Client<true>>(resolve => client.once(Events.ClientReady, resolve))
    const timer = clock.setTimeout(() => reject(new Error('no answer')), ms)
    const abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    try {
      return { client: await Promise.race([client.login(options.token).then(() => ready), late]), end }
    } catch (error) {
      await end()
      signal.throwIfAborted()
      if (closeCode === GatewayCloseCodes.ShardingRequired) options.tooFewShards?.()
      throw loginRefused(error, closeCode) ?? error
    } finally {
      clock.clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
  }

  function watch({ client }: LoggedIn): void {
    const marks = new Map<number, Promise<() => Promise<void>>>()

    client.on(Events.ShardReconnecting, shard => {
      if (ended.aborted || marks.has(shard)) return
      log.info('lost the connection, trying again', { shard })
      const mark = trackPosition()
      mark.catch(() => {})
      marks.set(shard, mark)
    })
    // The session continues, with its missed events.
    client.on(Events.ShardResume, shard => {
      log.info('connected again', { shard })
      marks.delete(shard)
    })
    client.on(Events.ShardReady, shard => {
      log.info('connected anew', { shard })
      const mark = marks.get(shard)
      marks.delete(shard)
      if (mark !== undefined) void catchUp(async () => (await mark)())
    })
    client.on(Events.ShardDisconnect, ({ code }) => {
      if (ended.aborted) return
      if (code === GatewayCloseCodes.ShardingRequired && options.tooFewShards) options.tooFewShards()
      else if (fatal(code)) ctx.fail(fatalError(code, 'PLATFORM_LOST'))
    })
    watchToken(ctx, client.rest, ended)
  }

  async function catchUp(read: () => Promise<void>): Promise<void> {
    try {
      await read()
    } catch (error) {
      if (!ended.aborted) log.warn(`could not read missed messages: ${sentence(error)}`)
    }
  }

  const read = await trackPosition()
  const opened = await retryWhileUnavailable(ctx, { apiUrl: options.apiUrl, signal }, logIn)
  const { client, end } = opened
  watch(opened)
  log.info('connected', {
    servers: client.guilds.cache.size,
    ...(typeof shards === 'object' ? { shard: shards.id, of: shards.count } : { shards: client.ws.shards.size }),
  })
  if (client.guilds.cache.size === 0 && typeof shards !== 'object')
    log.warn('the bot is in no server. The link of npm run kikimimi -- invite brings it into one.')
  return {
    client,
    catchUp: () => catchUp(read),
    lost: () => [...client.ws.shards.filter(({ status }) => status !== Status.Ready).values()].map(({ id }) => id),
    hush: () => void client.ws.removeAllListeners(),
    close() {
      closed.abort()
      return end()
    },
  }
}

/** After a 401 discord.js drops the token: it would stay connected and never post again. */
export function watchToken(ctx: Pick<PlatformContext, 'fail'>, rest: REST, signal: AbortSignal): void {
  rest.on('response', ({ data: { auth } }, { status }) => {
    if (status === 401 && auth !== false && !signal.aborted) ctx.fail(fatalError(status, 'PLATFORM_LOST'))
  })
}
