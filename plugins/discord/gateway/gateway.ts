/**
 * The connections of this process: one client with all shards, or, where processes share a Postgres server, one client for
 * each of its shards. A process without shards stands by: it receives nothing and does all other work.
 */
import { type APIUser, type Client, type REST, type RESTGetAPIGatewayBotResult, Routes } from 'discord.js'
import { KikimimiError, type Person, type PlatformContext, sleep } from 'kikimimi'
import { personOf } from '../messages/messages.ts'
import { isOfCall, loginRefused, sentence } from '../rest/errors.ts'
import { retryWhileUnavailable } from '../rest/retry.ts'
import type { OneShard } from './client.ts'
import { type Connection, type ConnectionApp, type ConnectionOptions, connect } from './connection.ts'
import { createLeases, RENEW_MS, type Shards } from './leases.ts'

export interface GatewayOptions extends Omit<ConnectionOptions, 'shards'> {
  readonly shards: 'auto' | number
  readonly rest: REST
}

export interface Gateway {
  /** Resolves when the bot is connected or stands by. Throws a KikimimiError with the remedy. */
  start(signal: AbortSignal): Promise<void>
  /** Why the bot is not connected. */
  unready(): string | undefined
  /** Clients that are logged in, with their servers. */
  clients(): readonly Client<true>[]
  /** The bot's account, as soon as it is known. */
  account(): Person | undefined
}

/** Time limit for returning shards when the bot stops, in milliseconds. */
const FAREWELL_MS = 2_000

export function createGateway(ctx: ConnectionApp & Pick<PlatformContext, 'db'>, options: GatewayOptions): Gateway {
  const isShared = ctx.db.kind === 'postgres'
  return isShared ? sharedGateway(ctx, options) : wholeGateway(ctx, options)
}

function wholeGateway(ctx: ConnectionApp, options: GatewayOptions): Gateway {
  let latest: Client | undefined
  let connection: Connection | undefined
  return {
    async start(signal) {
      const listen = (client: Client) => {
        // A message may arrive before the client is ready. The bot must recognise its own.
        latest = client
        options.listen(client)
      }
      connection = await connect(ctx, { ...options, listen }, signal)
      ctx.scope.defer(connection.close)
      // Not awaited: new messages are answered at once.
      void connection.catchUp()
    },
    unready: () => (connection ? notHeard(connection.lost()) : 'not connected to Discord'),
    clients: () => (connection ? [connection.client] : []),
    account: () => (latest?.user ? { id: latest.user.id, name: latest.user.displayName } : undefined),
  }
}

function sharedGateway(ctx: ConnectionApp & Pick<PlatformContext, 'db'>, options: GatewayOptions): Gateway {
  const { clock, log } = ctx
  const { apiUrl, rest } = options
  const open = new Map<number, Connection & { readonly count: number }>()
  let held: Shards = { count: 0, own: [] }
  let account: Person | undefined

  async function ask() {
    try {
      const [user, told] = await Promise.all([rest.get(Routes.user()), rest.get(Routes.gatewayBot())])
      return { user: user as APIUser, told: told as RESTGetAPIGatewayBotResult }
    } catch (error) {
      throw loginRefused(error, undefined) ?? error
    }
  }

  async function start(signal: AbortSignal): Promise<void> {
    const { user, told } = await retryWhileUnavailable(ctx, { apiUrl, signal }, ask)
    const { id, name } = personOf(user)
    account = { id, name }
    const { max_concurrency: buckets } = told.session_start_limit
    const leases = createLeases(ctx.db, clock, options.shards === 'auto' ? told.shards : options.shards)
    let renewing: Promise<void> | undefined
    let connecting: Promise<void> | undefined
    let leaving: Promise<void> | undefined

    const isOurs = (id: number, count: number) => !signal.aborted && count === held.count && held.own.includes(id)

    async function close(id: number): Promise<void> {
      const connection = open.get(id)
      open.delete(id)
      await connection?.close()
    }

    async function renew(): Promise<void> {
      held = await leases.renew()
      const moved = [...open].filter(([id, { count }]) => !isOurs(id, count))
      await Promise.all(moved.map(([id]) => close(id)))
    }

    async function connectOne(id: number): Promise<void> {
      const { count } = held
      const mayIdentify: OneShard['mayIdentify'] = async closed => {
        const turn = () => leases.takeTurn(id % buckets)
        try {
          for (let ms = await turn(); ms > 0; ms = await turn()) await sleep(clock, ms, closed)
        } catch {
          // An unavailable database must not disconnect the bot.
          await sleep(clock, RENEW_MS, closed)
        }
      }
      const connection = await connect(ctx, { ...options, shards: { id, count, mayIdentify } }, signal)
      if (!isOurs(id, count)) return connection.close()
      open.set(id, { ...connection, count })
      // Not awaited: new messages are answered at once.
      void connection.catchUp()
    }

    /** One after the other: the wait for the identify limit must not exceed the deadline of the login. */
    async function connectAll(): Promise<void> {
      for (;;) {
        const next = held.own.find(id => !open.has(id))
        if (next === undefined) return
        await connectOne(next)
      }
    }

    function failed(error: unknown): void {
      if (signal.aborted) return
      // The same as at the start: a supervisor restarts the bot, and another process takes its shards.
      if (error instanceof KikimimiError && !isOfCall(error)) ctx.fail(error)
      else log.warn(`could not connect a shard, trying again: ${sentence(error)}`)
    }

    async function tick(): Promise<void> {
      renewing ??= renew()
        .catch(error => log.warn(`could not agree with other processes on shards, trying again: ${sentence(error)}`))
        .finally(() => {
          renewing = undefined
        })
      await renewing
      connecting ??= connectAll()
        .catch(failed)
        .finally(() => {
          connecting = undefined
        })
    }

    async function leave(): Promise<void> {
      clock.clearInterval(timer)
      await Promise.all([...open.keys()].map(close))
      await renewing
      await leases.giveBack().catch(error => log.warn(`could not give its shards back: ${sentence(error)}`))
    }

    /** An unavailable database must not delay the stop: shards become free when the lease ends. */
    async function left(): Promise<void> {
      leaving ??= leave()
      const waited = new AbortController()
      await Promise.race([leaving, sleep(clock, FAREWELL_MS, waited.signal).catch(() => {})])
      waited.abort()
    }

    await renew()
    const timer = clock.setInterval(() => void tick(), RENEW_MS)
    // At once, not after the last turn, so that other processes receive events meanwhile.
    signal.addEventListener('abort', () => (leaving ??= leave()), { once: true })
    ctx.scope.defer(left)
    const [first] = held.own
    connecting = first === undefined ? undefined : connectOne(first)
    await connecting
    connecting = undefined
    void tick()
  }

  return {
    start,
    unready() {
      // A shard that has just moved here does not make this process unready.
      return account ? notHeard([...open.values()].flatMap(({ lost }) => lost())) : 'not connected to Discord'
    },
    clients: () => [...open.values()].map(({ client }) => client),
    account: () => account,
  }
}

function notHeard(shards: readonly number[]): string | undefined {
  return shards.length === 0 ? undefined : `no connection to Discord (shard ${shards.join(', ')})`
}
